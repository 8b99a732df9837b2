#!/usr/bin/env bash
# Builds the static programs dicepoker-server and dicepoker of one architecture, and their bill of
# materials (CycloneDX), into target/programs/ARCH. The same commit and compiler give the same bytes.
#
#   deploy/programs.sh [amd64 | arm64]     default: the architecture of this machine
#   deploy/programs.sh linker ARCH         only install what builds for it
#   deploy/programs.sh test ARCH           golden positions and seeded games, under QEMU if need be
#
# PROFILE=ci builds almost without optimisation, to test the image, not to serve. Needs Linux and Rust. For an
# architecture other than this machine's: Python, from which it installs zig as linker and C compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${PROFILE:-dist}
zigbuild_version=0.24.1
zig_version=0.17.1
cyclonedx_version=0.5.9
tools="${XDG_CACHE_HOME:-$HOME/.cache}/dicepoker-ci"
export PATH="$tools/bin:$PATH"

die() { printf 'programs.sh: %s\n' "$*" >&2; exit 1; }

case $(uname -m) in
  x86_64) own=amd64 ;;
  aarch64) own=arm64 ;;
  *) die "this machine is $(uname -m); amd64 and arm64 are supported" ;;
esac

# Sets `target`, `build` and `check`, the commands for it, and the flags of the compiler.
choose() { # architecture
  export RUSTFLAGS="-C target-feature=+crt-static --remap-path-prefix=$PWD=/src \
    --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
  case $1 in
    amd64) machine=x86_64 ;;
    arm64) machine=aarch64 ;;
    *) die "the architecture is $1; amd64 and arm64 are supported" ;;
  esac
  if [ "$1" = "$own" ]; then
    target=$machine-unknown-linux-gnu build=(cargo build) check=(cargo test)
    return
  fi
  target=$machine-unknown-linux-musl
  local wanted="ziglang==$zig_version cargo-zigbuild==$zigbuild_version"
  if [ "$(cat "$tools/zig/wanted" 2>/dev/null)" != "$wanted" ]; then
    python3 -m venv "$tools/zig"
    # shellcheck disable=SC2086
    "$tools/zig/bin/pip" install --quiet --disable-pip-version-check $wanted
    echo "$wanted" >"$tools/zig/wanted"
  fi
  PATH="$tools/zig/bin:$PATH"
  build=(cargo-zigbuild zigbuild) check=(cargo-zigbuild test)
  rustup target list --installed | grep -qx "$target" || rustup target add "$target"
}

bill_of_materials() { # architecture
  # They are not for the tool.
  unset RUSTFLAGS
  if ! cargo cyclonedx --version 2>/dev/null | grep -q "$cyclonedx_version"; then
    # Unoptimised: it runs once.
    cargo install --quiet --debug --locked --root "$tools" --version "$cyclonedx_version" cargo-cyclonedx
  fi
  # It writes one file beside each Cargo.toml of the workspace; only what is linked into the programs counts.
  cargo cyclonedx --quiet --manifest-path client/Cargo.toml --format json --spec-version 1.5 \
    --target "$target" --no-build-deps --override-filename sbom
  mv client/sbom.json "target/programs/$1/sbom.cdx.json"
  find . -name sbom.json -not -path './target/*' -not -path '*/node_modules/*' -delete
}

programs() { # architecture
  choose "$1"
  # Times in the bill of materials are those of the commit.
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
  export SOURCE_DATE_EPOCH
  "${build[@]}" --profile "$profile" --config "profile.$profile.strip='debuginfo'" --locked \
    --target "$target" -p dicepoker-server -p dicepoker-client --bins
  mkdir -p "target/programs/$1"
  cp "target/$target/$profile/dicepoker-server" "target/$target/$profile/dicepoker" "target/programs/$1/"
  for program in dicepoker-server dicepoker; do
    if readelf --program-headers "target/programs/$1/$program" | grep -q INTERP; then die "$program is not static"; fi
  done
  bill_of_materials "$1"
  ls -l "target/programs/$1"
}

# Optimised tests: QEMU runs about ten times slower.
tests() { # architecture
  choose "$1"
  if [ "$1" != "$own" ]; then
    command -v "qemu-$machine-static" >/dev/null || die "qemu-$machine-static is missing: Debian's qemu-user-static"
    export "CARGO_TARGET_${machine^^}_UNKNOWN_LINUX_MUSL_RUNNER=qemu-$machine-static"
  fi
  "${check[@]}" --profile ci --locked --target "$target" -p dicepoker-engine --test it -- golden opponent_play
}

case ${1:-$own} in
  amd64 | arm64) programs "${1:-$own}" ;;
  linker) choose "${2:-$own}" ;;
  test) tests "${2:-$own}" ;;
  *) sed -n '2,/^set -/s/^# \{0,1\}//p' "$0" | head -n -1; exit 64 ;;
esac
