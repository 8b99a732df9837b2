#!/usr/bin/env bash
# The load report: the cost of every kind of call, latency by percentile, throughput against offered
# load; and the same requests by ghz, an independent generator.
#
#   tests/load/run.sh [--short] [--publish] [path of a dicepoker-server] [seconds a measurement, default 4]
#
# --short leaves out ghz and measures each thing for one second unless `seconds` is given: some two minutes
# in all, instead of some twelve. --publish puts the tables of the report into README.md and
# deploy/CAPACITY.md. Everything stays on 127.0.0.1 and ends by itself. The report goes to
# target/load-report.
set -euo pipefail
cd "$(dirname "$0")/../.."

ghz_version=v0.93.0
tools="${XDG_CACHE_HOME:-$HOME/.cache}/dicepoker-ci"
export PATH="$tools/bin:$PATH"
out=target/load-report
mkdir -p "$out"

short="" publish=""
while [[ ${1:-} == --* ]]; do
  case $1 in
    --short) short=1 ;;
    --publish) publish=1 ;;
    *)
      sed -n '2,11s/^# \{0,1\}//p' "$0"
      exit 2
      ;;
  esac
  shift
done
server=${1:-}
seconds=${2:-${short:-4}}
if [ -z "$server" ]; then
  cargo build --profile dist --locked -p dicepoker-server --target-dir target/load
  server=target/load/dist/dicepoker-server
fi
cargo build --release --locked --manifest-path tests/load/Cargo.toml --target-dir target/load
load=target/load/release/dicepoker-load

finish() {
  cat "$out/report.md"
  [ -z "$publish" ] || "$load" publish --out "$out"
}

"$load" report --server "$server" --out "$out" --seconds "$seconds"
if [ -n "$short" ]; then
  finish
  exit 0
fi
if ! command -v ghz >/dev/null; then
  if ! command -v go >/dev/null; then
    finish
    printf '\n!! SKIPPED: ghz: no Go\n' >&2
    exit 0
  fi
  GOBIN="$tools/bin" go install "github.com/bojand/ghz/cmd/ghz@$ghz_version"
fi
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
DICEPOKER_ADDRESS="127.0.0.1:$port" DICEPOKER_LOG=info "$server" 2>"$out/server.log" &
pid=$!
trap 'kill "$pid" && wait "$pid"' EXIT
for _ in $(seq 300); do
  if grep -q ' ready' "$out/server.log"; then break; fi
  sleep 0.2
done
rm -rf "$out/ghz"
"$load" ghz --url "http://127.0.0.1:$port" --out "$out/ghz" --seconds "$seconds"
{
  printf '\n## By ghz\n\n32 callers over 8 connections, closed loop: its latencies are those of a full server.\n\n'
  printf '| calls | calls/s | mean, µs | p99 | not OK |\n|---|--:|--:|--:|---|\n'
  for scenario in "$out"/ghz/*.json; do
    # Makes the tables that are made on first use, before the measurement.
    ghz --config "$scenario" --duration 0 --total 1 --concurrency 1 --connections 1 --format json "127.0.0.1:$port" >/dev/null
    ghz --config "$scenario" --format json "127.0.0.1:$port" | python3 tests/load/ghz.py
  done
} >>"$out/report.md"
finish
