#!/usr/bin/env bash
# Builds the image without any registry and tests it: runs it read-only, without capabilities and not as
# root, calls it, stops it with SIGTERM and expects exit code 0.
#
#   deploy/image.sh              build, check
#   deploy/image.sh build        programs (deploy/programs.sh) and image localhost/dicepoker:VERSION
#   deploy/image.sh check        run the image that was built last and call it
#   deploy/image.sh archive      target/image/dicepoker-VERSION.tar, to load into a cluster
#   deploy/image.sh release      amd64 and arm64: archives of the programs, and one image for both, in target/dist
#   deploy/image.sh reproduce    build the programs a second time in another folder and compare
#   deploy/image.sh can-run      whether this machine runs containers
#   deploy/image.sh podman ...   podman with the storage of this script
#
# PROFILE=ci builds the programs almost without optimisation, to test the image, not to serve.
#
# Needs Linux, Rust, and podman, buildah, runc and catatonit (installed with apt-get if they are missing
# and the user is root). Everything goes to target/image and target/dist.
set -euo pipefail
cd "$(dirname "$0")/.."

case $(uname -m) in x86_64) own=amd64 ;; aarch64) own=arm64 ;; *) own=unsupported ;; esac
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
out=$PWD/target/image
dist=$PWD/target/dist
grpcurl_version=v1.9.4
size_limit_mb=25
ready_seconds=120

tools="${XDG_CACHE_HOME:-$HOME/.cache}/dicepoker-ci"
export PATH="$tools/bin:$PATH"

# Times in the image and in the archives are those of the commit.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH

say() { printf '\n== %s\n' "$*"; }
die() { printf 'image.sh: %s\n' "$*" >&2; exit 1; }

# Works without systemd, overlay file system and user namespaces.
export STORAGE_DRIVER=vfs
export CONTAINERS_CONF=$out/containers.conf
export CONTAINERS_STORAGE_CONF=$out/storage.conf
container_settings() {
  mkdir -p "$out/storage" "$out/run"
  cat >"$CONTAINERS_CONF" <<'CONF'
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
CONF
  cat >"$CONTAINERS_STORAGE_CONF" <<CONF
[storage]
driver = "vfs"
graphroot = "$out/storage"
runroot = "$out/run"
CONF
}

need_podman() {
  container_settings
  if command -v podman >/dev/null && command -v buildah >/dev/null && command -v runc >/dev/null &&
    [ -e /usr/libexec/podman/catatonit ]; then return; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    die "install podman buildah runc catatonit first"
  fi
  say "apt-get install podman buildah runc catatonit"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends podman buildah runc catatonit >/dev/null
}

image() { # architecture, further arguments of podman build
  local arch=$1
  shift
  mkdir -p "$out/context-$arch"
  cp LICENSE "target/programs/$arch"/{dicepoker-server,dicepoker,sbom.cdx.json} "$out/context-$arch/"
  podman build --quiet --format oci --timestamp "$SOURCE_DATE_EPOCH" --file deploy/Containerfile \
    --platform "linux/$arch" --build-arg VERSION="$version" \
    --build-arg REVISION="$(git rev-parse HEAD 2>/dev/null || echo unknown)" "$@" "$out/context-$arch"
}

build() {
  deploy/programs.sh "$own"
  say "the image"
  need_podman
  image "$own" --tag "localhost/dicepoker:$version" --tag localhost/dicepoker:latest
  bytes=$(podman image inspect --format '{{.Size}}' localhost/dicepoker:latest)
  echo "$(podman image inspect --format '{{.Digest}}' localhost/dicepoker:latest), $((bytes / 1000)) kB"
  # The profile for tests optimises less, so its programs are larger.
  [ "${PROFILE:-dist}" != dist ] || [ "$bytes" -lt $((size_limit_mb * 1000 * 1000)) ] ||
    die "the image has $bytes bytes; the limit is $size_limit_mb MB"
}

# Docker's format: kind, k3d, minikube and containerd all load it, under the name that the overlay uses.
archive() {
  need_podman
  rm -f "$out/dicepoker-$version.tar"
  podman save --quiet --format docker-archive --output "$out/dicepoker-$version.tar" "localhost/dicepoker:$version"
  ls -l "$out/dicepoker-$version.tar"
}

release() {
  mkdir -p "$dist"
  need_podman
  local list=localhost/dicepoker-release:$version archive
  podman manifest rm "$list" >/dev/null 2>&1 || true
  podman manifest create "$list" >/dev/null
  for arch in amd64 arm64; do
    say "$arch"
    deploy/programs.sh "$arch"
    archive=dicepoker-$version-linux-$arch
    tar --create --gzip --file "$dist/$archive.tar.gz" --sort=name --mtime="@$SOURCE_DATE_EPOCH" \
      --owner=0 --group=0 --numeric-owner --transform "s,^,$archive/," \
      -C "$PWD/target/programs/$arch" dicepoker dicepoker-server sbom.cdx.json -C "$PWD" LICENSE README.md
    image "$arch" --manifest "$list"
  done
  say "one image for both"
  rm -f "$dist/dicepoker-image-$version.tar"
  podman manifest push --quiet --all "$list" "oci-archive:$dist/dicepoker-image-$version.tar:$version"
  (cd "$dist" && sha256sum dicepoker-"$version"-linux-*.tar.gz "dicepoker-image-$version.tar" | tee "dicepoker-$version.sha256")
}

# The simplest container: if this fails, the machine runs no containers.
can_run() {
  need_podman
  [ -x "target/programs/$own/dicepoker-server" ] || die "run deploy/image.sh build first"
  mkdir -p "$out/probe"
  cp "target/programs/$own/dicepoker-server" "$out/probe/program"
  printf 'FROM scratch\nCOPY program /program\n' >"$out/probe/Containerfile"
  podman build --quiet --tag localhost/probe "$out/probe"
  podman run --rm --network=host localhost/probe /program --version
}

check() {
  need_podman
  command -v grpcurl >/dev/null ||
    GOBIN="$tools/bin" go install "github.com/fullstorydev/grpcurl/cmd/grpcurl@$grpcurl_version"
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  say "run: read-only, no capabilities, uid 65532, port $port"
  id=$(podman run --detach --read-only --read-only-tmpfs=false --cap-drop=all \
    --security-opt=no-new-privileges --network=host \
    --env "DICEPOKER_ADDRESS=127.0.0.1:$port" localhost/dicepoker:latest)
  trap 'podman logs "$id" >&2; podman rm --force --time 0 "$id" >/dev/null' EXIT
  pid=$(podman inspect --format '{{.State.Pid}}' "$id")
  grep -E '^(Uid|CapEff|NoNewPrivs)' "/proc/$pid/status"
  grep -q '^Uid:.65532.65532' "/proc/$pid/status" || die "not uid 65532"

  say "ready?"
  SECONDS=0
  until grpcurl -plaintext "127.0.0.1:$port" grpc.health.v1.Health/Check 2>/dev/null | grep -q '"SERVING"'; do
    [ -d "/proc/$pid" ] || die "it ended"
    [ "$SECONDS" -lt "$ready_seconds" ] || die "not ready within $ready_seconds s"
    sleep 0.2
  done
  echo "after $SECONDS s at most"
  say "Score"
  answer=$(grpcurl -plaintext -d '{"ruleset": "dice-poker-13", "dice": [1, 3, 2, 4, 4], "category": "small_straight"}' \
    "127.0.0.1:$port" dicepoker.v1.DicePokerService/Score)
  echo "$answer"
  grep -q '"points": 30' <<<"$answer" || die "wrong answer"
  answer=$(podman run --rm --network=host --entrypoint /dicepoker localhost/dicepoker:latest \
    --server "127.0.0.1:$port" score --ruleset dice-poker-13 --category small_straight 13244)
  grep -q 'small_straight *30' <<<"$answer" || die "wrong answer of the command line: $answer"
  grep -E '^Vm(HWM|RSS)' "/proc/$pid/status"

  say "SIGTERM"
  podman kill --signal TERM "$id" >/dev/null
  code=$(timeout 60 podman wait "$id") || die "it does not end"
  [ "$code" = 0 ] || die "exit code $code after SIGTERM"
  trap - EXIT
  podman logs "$id"
  podman rm "$id" >/dev/null
  echo "exit code 0"
}

reproduce() {
  say "the programs again, from another folder"
  local folder=target/programs/$own
  [ -e "$folder/dicepoker-server" ] || die "run deploy/image.sh build first"
  copy=$(mktemp -d)
  trap 'rm -rf "$copy"' EXIT
  git ls-files -z | xargs -0 cp --parents -t "$copy"
  (cd "$copy" && deploy/programs.sh "$own")
  for program in dicepoker-server dicepoker; do
    sha256sum "$folder/$program" "$copy/$folder/$program"
    cmp "$folder/$program" "$copy/$folder/$program" || die "$program is not reproducible"
  done
  echo "same bytes"
}

case ${1:-all} in
  all) build; check ;;
  build | check | archive | release | reproduce) "$1" ;;
  can-run) can_run ;;
  podman) shift; need_podman; podman "$@" ;;
  *) sed -n '2,/^set -/s/^# \{0,1\}//p' "$0"; exit 64 ;;
esac
