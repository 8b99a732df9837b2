#!/usr/bin/env bash
# Runs the base of the manifests as a pod under podman, calls it, and stops it; expects exit code 0.
# The image must have been built by deploy/image.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools="${XDG_CACHE_HOME:-$HOME/.cache}/dicepoker-ci"
export PATH="$tools/bin:$tools/deploy-venv/bin:$PATH"
out=target/deploy
mkdir -p "$out"

podman() { timeout 120 deploy/image.sh podman "$@"; }
die() { printf 'pod.sh: %s\n' "$*" >&2; exit 1; }

read -r port admin < <(python3 -c 'import socket
a, b = socket.socket(), socket.socket()
for s in a, b: s.bind(("127.0.0.1", 0))
print(a.getsockname()[1], b.getsockname()[1])')

if command -v kustomize >/dev/null; then
  kustomize build deploy/kubernetes/base >"$out/base.yaml"
else
  kubectl kustomize deploy/kubernetes/base >"$out/base.yaml"
fi
python3 tests/deploy/pod.py --port "$port" --admin-port "$admin" --image localhost/dicepoker:latest \
  "$out/base.yaml" >"$out/pod.yaml"

trap 'podman logs dicepoker-dicepoker >&2 || true; podman play kube --down "$out/pod.yaml" >/dev/null 2>&1 || true' EXIT
podman play kube "$out/pod.yaml"
pid=$(podman inspect --format '{{.State.Pid}}' dicepoker-dicepoker)
grep -E '^(Uid|CapEff|NoNewPrivs|Seccomp):' "/proc/$pid/status"
grep -q '^Uid:.65532' "/proc/$pid/status" || die "not uid 65532"
grep -q '^CapEff:.0000000000000000' "/proc/$pid/status" || die "it has capabilities"

SECONDS=0
until grpcurl -plaintext -d '{"service": "dicepoker.v1.DicePokerService"}' "127.0.0.1:$port" \
  grpc.health.v1.Health/Check 2>/dev/null | grep -q '"SERVING"'; do
  [ -d "/proc/$pid" ] || die "it ended"
  [ "$SECONDS" -lt 120 ] || die "not ready within 120 s"
  sleep 0.2
done
grpcurl -plaintext -d '{"service": "liveness"}' "127.0.0.1:$port" grpc.health.v1.Health/Check | grep -q '"SERVING"'
grpcurl -plaintext -d '{"ruleset": "dice-poker-13", "dice": [6, 6, 6, 6, 6], "category": "five_alike"}' \
  "127.0.0.1:$port" dicepoker.v1.DicePokerService/Score | tee "$out/answer.json"
grep -q '"points": 50' "$out/answer.json" || die "wrong answer"

podman kill --signal TERM dicepoker-dicepoker >/dev/null
code=$(podman wait dicepoker-dicepoker)
[ "$code" = 0 ] || die "exit code $code after SIGTERM"
trap - EXIT
podman logs dicepoker-dicepoker
podman play kube --down "$out/pod.yaml" >/dev/null
echo "the pod ran, answered, and ended with exit code 0"
