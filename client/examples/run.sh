#!/usr/bin/env bash
# Runs the samples of all languages whose tools are here against a running service, and compares
# what they print, line by line, with expected.txt: the same game in every language.
#
# Usage: client/examples/run.sh HOST:PORT [python|node|go|java ...]
#
# What has to be fetched or generated goes into target/samples, nothing beside the sources.
set -euo pipefail

if [[ $# -lt 1 ]]; then
  sed -n '2,8s/^# \{0,1\}//p' "$0"
  exit 2
fi
address=$1
shift
languages=("$@")
[[ ${#languages[@]} -gt 0 ]] || languages=(python node go java)

here=$(cd "$(dirname "$0")" && pwd)
proto=$(cd "$here/../../proto" && pwd)
config=$(cd "$here/.." && pwd)/service-config.json
build=${SAMPLES_BUILD:-$(cd "$here/../.." && pwd)/target/samples}
contract=("$proto"/dicepoker/v1/*.proto)
passed=0 failed=0 skipped=0

have() { command -v "$1" >/dev/null 2>&1; }

# Each language: what it needs, how it is made ready, how it runs.

python_needs() { have python3; }
python_make() {
  mkdir -p "$build/python/gen"
  [[ -x $build/python/env/bin/python ]] || python3 -m venv "$build/python/env"
  "$build/python/env/bin/pip" install -q --disable-pip-version-check -r "$here/python/requirements.txt"
  "$build/python/env/bin/python" -m grpc_tools.protoc -I "$proto" \
    --python_out="$build/python/gen" --grpc_python_out="$build/python/gen" "${contract[@]}"
}
python_run() {
  PYTHONPATH=$build/python/gen "$build/python/env/bin/python" "$here/python/play.py" "$address" "$config"
}

node_needs() { have node && have npm; }
node_make() {
  mkdir -p "$build/node"
  cp "$here"/node/*.js "$here/node/package.json" "$build/node/"
  (cd "$build/node" && npm install --silent --no-audit --no-fund --no-package-lock --ignore-scripts)
}
node_run() { node "$build/node/play.js" "$address" "$config" "$proto"; }

# The compiler of the contract is protoc where it is installed, else the one that Python's tools hold.
go_needs() { have go && { have protoc || have python3; }; }
go_make() {
  mkdir -p "$build/go/bin"
  cp "$here"/go/{main.go,go.mod,go.sum} "$build/go/"
  local protoc=(protoc)
  if ! have protoc; then
    [[ -x $build/python/env/bin/python ]] || python_make
    protoc=("$build/python/env/bin/python" -m grpc_tools.protoc)
  fi
  cd "$build/go"
  GOBIN=$build/go/bin go install tool
  PATH=$build/go/bin:$PATH "${protoc[@]}" -I "$proto" \
    --go_out=. --go_opt=module=github.com/dicepoker/dicepoker \
    --go-grpc_out=. --go-grpc_opt=module=github.com/dicepoker/dicepoker "${contract[@]}"
  go vet .
  go build -o bin/sample .
}
go_run() { "$build/go/bin/sample" "$address" "$config"; }

java_needs() { have java && have mvn; }
java_make() { mvn -q -B -Dstyle.color=never -f "$here/java/pom.xml" -Dbuild.folder="$build/java" compile; }
java_run() {
  mvn -q -B -Dstyle.color=never -f "$here/java/pom.xml" -Dbuild.folder="$build/java" exec:java \
    -Dexec.args="$address $config"
}

for language in "${languages[@]}"; do
  if ! "${language}_needs"; then
    echo "!!! SKIPPED $language: its tools are not on this machine !!!"
    skipped=$((skipped + 1))
    continue
  fi
  mkdir -p "$build"
  log=$build/$language.log
  printed=$build/$language.txt
  # Not as the condition of an if, where the shell would go on after a command that failed.
  set +e
  (
    set -e
    "${language}_make" >"$log" 2>&1
    "${language}_run" 2>>"$log" | sed 's/\x1b\[[0-9;]*m//g' >"$printed"
    diff -u "$here/expected.txt" "$printed" >>"$log"
  )
  status=$?
  set -e
  if [[ $status -eq 0 ]]; then
    echo "ok      $language: $(tail -n 1 "$printed")"
    passed=$((passed + 1))
  else
    echo "FAILED  $language:"
    sed 's/^/    /' "$log" | tail -n 60
    failed=$((failed + 1))
  fi
done

echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
