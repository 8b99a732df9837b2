#!/usr/bin/env bash
# Runs the shell blocks of ../README.md that install the packages of target/dist, one empty environment a
# language, and play a game with each; compares the output with expected.txt. Skips languages without a package.
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

cd "$(dirname "$0")/../.."
here=$PWD/client/examples
build=$PWD/target/examples
mkdir -p "$build"
passed=0 failed=0 skipped=0

# The block of shell whose first line is a comment with the name of the language.
block() { awk -v name="# $1" '$0 == "```" { on = 0 } on { print } $0 == name { on = 1 }' client/README.md; }

declare -A package=([python]=target/dist/*.whl [typescript]=target/dist/*.tgz [go]=target/dist/go [java]=target/dist/java)
# What an earlier build left would be used instead: a package that is built again keeps its version.
python_fresh() { :; }
typescript_fresh() { :; }
java_fresh() { rm -rf "$HOME/.m2/repository/com/dicepoker"; }
go_fresh() {
  # A module cache of its own; what the machine's cache holds is not downloaded again. Nor is the list of
  # the package's files what it was.
  GOPROXY="file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)"
  export GOPROXY GOMODCACHE=$build/go/cache GOFLAGS=-modcacherw GODEBUG=goindex=0
}

# The client for browsers, if the server accepts gRPC-Web.
browser() {
  node --conditions=browser "$build/typescript/play.mjs" "http://$address" | diff "$here/expected.txt" - >&2
}

for language in "${languages[@]}"; do
  # shellcheck disable=SC2086 # a pattern
  if ! compgen -G ${package[$language]} >/dev/null; then
    echo "!! SKIPPED $language: ${package[$language]} is not built (client/packages.sh)"
    skipped=$((skipped + 1))
    continue
  fi
  log=$build/$language.log
  printed=$build/$language.txt
  lines=$(block "$language" | sed "s/localhost:50051/$address/")
  play=$(tail -n 1 <<<"$lines")
  if [[ -n ${INSTALLED:-} ]]; then
    install=$(grep '^cd ' <<<"$lines" || true)
  else
    install=$(head -n -1 <<<"$lines")
    rm -rf "${build:?}/$language"
  fi
  # Not as the condition of an if, where the shell ignores set -e.
  set +e
  (
    set -e
    "${language}_fresh"
    { eval "$install"; } >"$log" 2>&1
    eval "$play" 2>>"$log" | sed 's/\x1b\[[0-9;]*m//g' >"$printed"
    diff -u "$here/expected.txt" "$printed" >>"$log"
    if [[ $language = typescript && -n ${BROWSER:-} ]]; then browser 2>>"$log"; fi
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
