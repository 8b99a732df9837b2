#!/usr/bin/env bash
# Rehearses a rollout and a failure: three replicas on 127.0.0.2 to 127.0.0.7 behind the project's
# balancing client, under load at half of their capacity; replaced one by one as a rolling update
# does, then one killed outright. No call may fail.
#
#   tests/load/rehearsal.sh [path of a dicepoker-server] [times, default 1] [calls a second]
set -euo pipefail
cd "$(dirname "$0")/../.."

server=${1:-}
if [ -z "$server" ]; then
  cargo build --profile dist --locked -p dicepoker-server --target-dir target/load
  server=target/load/dist/dicepoker-server
fi
cargo build --release --features rehearsal --manifest-path tests/load/Cargo.toml --target-dir target/load
target/load/release/dicepoker-load rehearse --server "$server" --times "${2:-1}" ${3:+--rate "$3"}
