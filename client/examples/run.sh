#!/usr/bin/env bash
# Installs the packages of target/dist, one environment a language, and plays the same game with each
# against a running service. Compares the output with expected.txt. Skips languages without a package.
#
# With INSTALLED=1 it uses what an earlier run installed; with BROWSER=1 it also runs TypeScript's client
# for browsers.
#
# Usage: client/examples/run.sh HOST:PORT [python|typescript|go|java ...]
set -euo pipefail

if [[ $# -lt 1 ]]; then
  sed -n '2,9s/^# \{0,1\}//p' "$0"
  exit 2
fi
address=$1
shift
languages=("$@")
[[ ${#languages[@]} -gt 0 ]] || languages=(python typescript go java)

here=$(cd "$(dirname "$0")" && pwd)
dist=$(cd "$here/../.." && pwd)/target/dist
build=$(cd "$here/../.." && pwd)/target/examples
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -n 1)
passed=0 failed=0 skipped=0

# Each language: its package, an empty environment with it, and the program.

python_package=$dist/dicepoker-$version-py3-none-any.whl
python_install() {
  python3 -m venv --clear "$build/python"
  "$build/python/bin/pip" install -q --disable-pip-version-check "$python_package"
}
python_run() { "$build/python/bin/python" "$here/python/play.py" "$address"; }

typescript_package=$dist/dicepoker-$version.tgz
typescript_install() {
  cp "$here/typescript/play.mjs" "$build/typescript/"
  cd "$build/typescript"
  npm install --silent --no-audit --no-fund "$typescript_package"
}
typescript_run() {
  node "$build/typescript/play.mjs" "$address"
  # The client for browsers, if the server accepts gRPC-Web.
  [[ -z ${BROWSER:-} ]] || node --conditions=browser "$build/typescript/play.mjs" "http://$address" |
    diff "$here/expected.txt" - >&2
}

# shellcheck disable=SC2034 # read by its name
go_package=$dist/go
go_install() {
  # A module cache of its own, since a rebuilt package keeps its version; what the machine's cache
  # holds is not downloaded again. Nor is the list of its files what it was.
  export GOMODCACHE=$build/go/cache GOFLAGS="-mod=mod -modcacherw" GODEBUG=goindex=0
  export GONOSUMDB=github.com/dicepoker
  GOPROXY="file://$dist/go,file://$(env -u GOMODCACHE go env GOMODCACHE)/cache/download,$(go env GOPROXY)"
  export GOPROXY
  cp "$here/go/main.go" "$build/go/"
  cd "$build/go"
  go mod init play
  go get "github.com/dicepoker/dicepoker/client/go@v$version"
  go mod tidy
  go build -o play .
}
go_run() { "$build/go/play" "$address"; }

# shellcheck disable=SC2034 # read by its name
java_package=$dist/java
java_install() {
  cp -r "$here/java/." "$build/java/"
  # The package of an earlier build.
  rm -rf "$HOME/.m2/repository/com/dicepoker"
  java_maven compile
}
java_run() { java_maven exec:java -Dexec.args="$address"; }
java_maven() {
  mvn -q -B -Dstyle.color=never -f "$build/java/pom.xml" -Ddist="$dist/java" \
    -Ddicepoker.version="$version" "$@"
}

for language in "${languages[@]}"; do
  package=${language}_package
  if [[ ! -e ${!package} ]]; then
    echo "!! SKIPPED $language: ${!package} is not built (client/packages.sh)"
    skipped=$((skipped + 1))
    continue
  fi
  log=$build/$language.log
  printed=$build/$language.txt
  if [[ -z ${INSTALLED:-} ]]; then
    rm -rf "${build:?}/$language"
    mkdir -p "$build/$language"
  fi
  # Not as the condition of an if, where the shell ignores set -e.
  set +e
  (
    set -e
    [[ -n ${INSTALLED:-} ]] || (set -e; "${language}_install") >"$log" 2>&1
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
