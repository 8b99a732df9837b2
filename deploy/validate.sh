#!/usr/bin/env bash
# Checks everything in deploy/ that needs no cluster. Installs pinned tools into a cache, prints what it
# runs, and stops at the first failure.
#
#   deploy/validate.sh [--template] [path of a dicepoker-server, default: the newest one built here]
#
# Fails while the production overlay has a value with example.com; --template allows them, as in the
# repository of the project. Needs python3; Go for kustomize, custom resources and the collector; Debian for
# promtool and shellcheck. A check without its tool is skipped with a line that begins with !!.
set -euo pipefail
cd "$(dirname "$0")/.."

template=
if [ "${1:-}" = --template ]; then
  template=yes
  shift
fi

kustomize_version=v5.8.1
kubernetes_version=1.34 # of the schemas
kubernetes_validate_version=1.37.0
checkov_version=3.3.30
yamllint_version=1.38.0

tools="${XDG_CACHE_HOME:-$HOME/.cache}/dicepoker-ci"
out=target/deploy
export PATH="$tools/bin:$PATH"
rm -rf "$out"
mkdir -p "$out" "$tools/bin"
skipped=0
server=

say() { printf '\n== %s\n' "$*"; }
step() {
  say "$*"
  "$@"
}
skip() {
  printf '\n!! SKIPPED: %s\n' "$*" >&2
  skipped=$((skipped + 1))
}
trap 'printf "\ndeploy/validate.sh FAILED in: %s\n" "$BASH_COMMAND" >&2' ERR

python_tools() {
  local venv="$tools/deploy-venv"
  local wanted="kubernetes-validate==$kubernetes_validate_version checkov==$checkov_version yamllint==$yamllint_version"
  if [ "$(cat "$venv/wanted" 2>/dev/null)" != "$wanted" ]; then
    say "install $wanted"
    python3 -m venv "$venv"
    # shellcheck disable=SC2086
    "$venv/bin/pip" install --quiet --disable-pip-version-check $wanted
    echo "$wanted" >"$venv/wanted"
  fi
  python="$venv/bin/python"
  PATH="$venv/bin:$PATH"
}

# A tool from a Go module of tests/deploy/tools, rebuilt when its pins change.
go_tool() { # name, package
  local folder="tests/deploy/tools/$1" pins
  pins=$(cat "$folder"/go.* "$folder"/*.go 2>/dev/null | sha256sum)
  if [ "$(cat "$tools/bin/$1.pins" 2>/dev/null)" != "$pins" ]; then
    say "build $1"
    (cd "$folder" && go build -o "$tools/bin/$1" "$2")
    echo "$pins" >"$tools/bin/$1.pins"
  fi
}

# Extracts one program of a Debian package, without installing it. The caller checks whether that worked.
from_debian() { # program, package
  if command -v "$1" >/dev/null || ! command -v apt-get >/dev/null; then return 0; fi
  say "$1, from Debian's $2"
  local folder
  folder=$(mktemp -d)
  # apt downloads as an unprivileged user where it can.
  chmod 777 "$folder"
  (cd "$folder" && { apt-get download -qq "$2" || { apt-get update -qq && apt-get download -qq "$2"; }; } &&
    dpkg-deb -x "$2"_*.deb . && cp "usr/bin/$1" "$tools/bin/") || true
  rm -rf "$folder"
}

kustomizations() { find deploy -name kustomization.yaml -printf '%h\n' | sort; }

# Renders an overlay, or a component on the base.
render() { # folder
  local name=${1#deploy/} root=$1
  name=${name//\//-}
  if grep -q '^kind: Component' "$1/kustomization.yaml"; then
    root="$out/on-base-$name"
    mkdir -p "$root"
    cat >"$root/kustomization.yaml" <<Y
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: dicepoker
resources: [../../../deploy/kubernetes/base]
components: [../../../$1]
Y
  fi
  kustomize build "$root" >"$out/$name.yaml"
}

python_tools
step yamllint --strict -c deploy/yamllint.yaml deploy
from_debian shellcheck shellcheck
if command -v shellcheck >/dev/null; then
  step shellcheck .ci/* deploy/*.sh tests/deploy/*.sh tests/load/*.sh client/examples/run.sh
else
  skip "shellcheck: neither there nor to be had from Debian"
fi

if command -v go >/dev/null; then
  if [ "$(kustomize version 2>/dev/null)" != "$kustomize_version" ]; then
    step env GOBIN="$PWD/$out/bin" go install "sigs.k8s.io/kustomize/kustomize/v5@$kustomize_version"
    mv "$out/bin/kustomize" "$tools/bin/kustomize"
  fi
elif command -v kubectl >/dev/null; then
  skip "kustomize $kustomize_version: no Go; kubectl's own does it"
  kustomize() { kubectl kustomize "$2"; }
else
  skip "all manifests: neither Go nor kubectl"
fi

# Values that every deployment must replace.
placeholders() { # file
  if [ -n "$template" ]; then
    grep -q 'example\.com' "$1"
  elif grep -n 'example\.com' "$1"; then
    printf 'production: replace these values in deploy/kubernetes/overlays/production\n' >&2
    return 1
  fi
}

if command -v kustomize >/dev/null; then
  kustomizations | while read -r folder; do
    printf 'kustomize build %s\n' "$folder"
    render "$folder"
  done
  step placeholders "$out/kubernetes-overlays-production.yaml"
  step "$python" tests/deploy/schemas.py --kubernetes "$kubernetes_version" "$out"/*.yaml
  step checkov --config-file deploy/checkov.yaml --file "$out"/kubernetes-overlays-*.yaml
  server=${1:-$(find target -maxdepth 3 -type f \( -name dicepoker-server -o -name server-under-test \) -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -1 | cut -d' ' -f2)}
  if [ -n "$server" ]; then
    step "$python" tests/deploy/agreement.py --server "$server" "$out"
  else
    skip "agreement of manifests and program: no dicepoker-server is built"
  fi
fi

command -v grpcurl >/dev/null || skip "calls before reading /metrics: no grpcurl"
step "$python" tests/deploy/observability.py --panels "$out/panels.yml" ${server:+--server "$server"}
from_debian promtool prometheus
if command -v promtool >/dev/null; then
  step promtool check rules deploy/observability/alerts.yaml "$out/panels.yml"
  step promtool test rules tests/deploy/alerts_test.yaml
else
  skip "promtool: neither there nor to be had from Debian"
fi
if command -v go >/dev/null; then
  go_tool crds .
  step crds "$out"/*.yaml
  go_tool collector .
  step env COLLECTOR_EXPORT_ENDPOINT=backend.example:4317 \
    collector validate --config deploy/observability/collector/collector.yaml
else
  skip "custom resources and the collector's own check: no Go"
fi

printf '\ndeploy/validate.sh: all passed, %d skipped\n' "$skipped"
