#!/usr/bin/env bash
# Builds the image without any registry and proves it: runs it as a stranger would (read-only, no
# capabilities, not root), calls it, stops it by SIGTERM and wants exit code 0.
#
#   deploy/image.sh              build, then check
#   deploy/image.sh build        static program, SBOM, image dicepoker:VERSION
#   deploy/image.sh check        run the image that was built last and call it
#   deploy/image.sh reproduce    build the program a second time elsewhere: same bytes?
#   deploy/image.sh can-run      can this machine run containers at all?
#   deploy/image.sh podman ...   podman with this script's storage, to look around
#
# PROGRAM=path takes a static dicepoker-server that was built before; PROFILE=ci builds one in a third
# of the time, for trying the image, not for serving.
#
# Needs Linux on x86_64, Rust, and podman, buildah, runc and catatonit (installed with apt-get where
# they are missing and the user is root). Everything it makes goes to target/image.
set -euo pipefail
cd "$(dirname "$0")/.."

target=x86_64-unknown-linux-gnu
profile=${PROFILE:-release}
built=target/$target/$profile/dicepoker-server
out=$PWD/target/image
cyclonedx_version=0.5.9
grpcurl_version=v1.9.4
size_limit_mb=25
ready_seconds=120

tools="${XDG_CACHE_HOME:-$HOME/.cache}/dicepoker-ci"
export PATH="$tools/bin:$PATH"

# Times inside the image and the SBOM are those of the commit, not of the build.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH

say() { printf '\n== %s\n' "$*"; }
die() { printf 'image.sh: %s\n' "$*" >&2; exit 1; }

# Containers in plain places too: no systemd, no overlay file system, no user namespaces needed.
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

# The program: static, and the same bytes from the same commit wherever the checkout lies.
program() { # target directory
  RUSTFLAGS="-C target-feature=+crt-static --remap-path-prefix=$PWD=/src \
    --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo" \
    cargo build --profile "$profile" --config "profile.$profile.strip='debuginfo'" --locked --target "$target" --target-dir "$1" -p dicepoker-server
}

sbom() {
  if ! cargo cyclonedx --version 2>/dev/null | grep -q "$cyclonedx_version"; then
    # Unoptimised: it runs once.
    cargo install --quiet --debug --locked --root "$tools" --version "$cyclonedx_version" cargo-cyclonedx
  fi
  # What is linked into the program for this target: no build or test dependencies of others. The
  # tool takes no file name with a dot and writes beside Cargo.toml, so the file is moved.
  cargo cyclonedx --quiet --manifest-path service/server/Cargo.toml --format json --spec-version 1.5 \
    --target "$target" --no-build-deps --override-filename sbom
  mv service/server/sbom.json "$out/sbom.cdx.json"
  # It writes one for every crate of the workspace.
  find . -name sbom.json -not -path './target/*' -delete
}

build() {
  mkdir -p "$out/context"
  program=${PROGRAM:-$built}
  if [ -z "${PROGRAM:-}" ]; then
    say "the program, static"
    program "$PWD/target"
  fi
  if readelf --program-headers "$program" | grep -q INTERP; then die "$program is not static"; fi
  say "SBOM"
  sbom
  python3 - "$out/sbom.cdx.json" <<'PY'
import json, sys
bom = json.load(open(sys.argv[1]))
print(f"{len(bom['components'])} components of {bom['metadata']['component']['name']}, CycloneDX {bom['specVersion']}")
PY
  say "the image"
  need_podman
  cp "$out/sbom.cdx.json" LICENSE "$out/context/"
  cp "$program" "$out/context/dicepoker-server"
  version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
  podman build --quiet --format oci --timestamp "$SOURCE_DATE_EPOCH" --file deploy/Containerfile \
    --build-arg VERSION="$version" --build-arg REVISION="$(git rev-parse HEAD 2>/dev/null || echo unknown)" \
    --tag "localhost/dicepoker:$version" --tag localhost/dicepoker:latest "$out/context"
  bytes=$(podman image inspect --format '{{.Size}}' localhost/dicepoker:latest)
  echo "$(podman image inspect --format '{{.Digest}}' localhost/dicepoker:latest), $((bytes / 1000)) kB"
  [ "$bytes" -lt $((size_limit_mb * 1000 * 1000)) ] || die "the image is larger than $size_limit_mb MB"
}

# A container of the barest kind, with nothing asked of it that this project wants of its own: where
# this fails, the machine is to blame and not the image.
can_run() {
  need_podman
  [ -x "${PROGRAM:-$built}" ] || die "run deploy/image.sh build first"
  mkdir -p "$out/probe"
  cp "${PROGRAM:-$built}" "$out/probe/program"
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
  say "the program again, from another folder"
  [ -e "$built" ] || die "run deploy/image.sh build first"
  copy=$(mktemp -d)
  trap 'rm -rf "$copy"' EXIT
  git ls-files -z | xargs -0 cp --parents -t "$copy"
  (cd "$copy" && program "$copy/target")
  sha256sum "$built" "$copy/$built"
  cmp "$built" "$copy/$built" || die "not reproducible"
  echo "same bytes"
}

case ${1:-all} in
  all) build; check ;;
  build | check | reproduce) "$1" ;;
  can-run) can_run ;;
  podman) shift; need_podman; podman "$@" ;;
  *) sed -n '2,/^set -/s/^# \{0,1\}//p' "$0"; exit 64 ;;
esac
