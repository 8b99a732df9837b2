#!/usr/bin/env bash
# The load report: what every kind of call costs, latency by percentile, throughput against offered
# load; and the same kinds of call by ghz, a generator that is not ours.
#
#   tests/load/run.sh [--short] [path of a dicepoker-server] [seconds a measurement, default 4]
#
# --short measures each thing for one second and leaves out ghz: some two minutes in all.
# Everything stays on 127.0.0.1 and ends by itself. The report goes to target/load-report.
set -euo pipefail
cd "$(dirname "$0")/../.."

ghz_version=v0.93.0
tools="${XDG_CACHE_HOME:-$HOME/.cache}/dicepoker-ci"
export PATH="$tools/bin:$PATH"
out=target/load-report
mkdir -p "$out"

short=
if [ "${1:-}" = --short ]; then
  short=1
  shift
fi
server=${1:-}
seconds=${2:-${short:-4}}
if [ -z "$server" ]; then
  cargo build --release --locked -p dicepoker-server
  server=target/release/dicepoker-server
fi
cargo build --release --manifest-path tests/load/Cargo.toml --target-dir target/load
target/load/release/dicepoker-load report --server "$server" --out "$out" --seconds "$seconds"
cat "$out/report.md"
[ -z "$short" ] || exit 0

if ! command -v ghz >/dev/null; then
  if ! command -v go >/dev/null; then
    printf '\n!! SKIPPED: ghz: no Go\n' >&2
    exit 0
  fi
  GOBIN="$tools/bin" go install "github.com/bojand/ghz/cmd/ghz@$ghz_version"
fi
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
DICEPOKER_ADDRESS="127.0.0.1:$port" DICEPOKER_LOG=warn "$server" &
trap 'kill %1 && wait' EXIT
# The health of a server that still solves is NOT_SERVING, which is an answer too: ask for Suggest.
for _ in $(seq 300); do
  if ghz --config tests/load/ghz/suggest-dice-poker-15-first.json --total 1 --concurrency 1 --connections 1 \
    --format json "127.0.0.1:$port" 2>/dev/null | grep -q '"OK"'; then break; fi
  sleep 0.2
done
{
  printf '\n## By ghz\n\n32 callers over 8 connections, closed loop: its latencies are those of a full server.\n\n'
  printf '| calls | calls/s | mean, µs | p99 | answered |\n|---|--:|--:|--:|--:|\n'
  for scenario in tests/load/ghz/*.json; do
    ghz --config "$scenario" --format json "127.0.0.1:$port" |
      python3 -c 'import json, sys
r = json.load(sys.stdin)
p99 = next((d["latency"] for d in r["latencyDistribution"] or [] if d["percentage"] == 99), 0)
print("| {} | {:.0f} | {:.0f} | {:.0f} | {} |".format(r["name"], r["rps"], r["average"] / 1e3, p99 / 1e3, r["statusCodeDistribution"]))
sys.exit(set(r["statusCodeDistribution"]) != {"OK"})'
  done
} | tee -a "$out/report.md"
