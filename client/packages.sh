#!/usr/bin/env bash
# Builds the packages for Python, TypeScript, Go and Java into target/dist, each with a bill of
# materials (CycloneDX) and all with checksums (SHA256SUMS). Skips languages without tools.
#
# Usage: client/packages.sh [python|typescript|go|java ...]
#
# Work folder: target/packages. Tools: ~/.cache/dicepoker-ci/packages. Needs npm, for buf, and Python.
set -euo pipefail
cd "$(dirname "$0")/.."

languages=("$@")
[[ ${#languages[@]} -gt 0 ]] || languages=(python typescript go java)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
root=$PWD
dist=$root/target/dist
work=$root/target/packages
tools=${XDG_CACHE_HOME:-$HOME/.cache}/dicepoker-ci/packages
export PATH="$tools/python/bin:$tools/node_modules/.bin:$tools/bin:$PATH"

have() { command -v "$1" >/dev/null 2>&1; }

install_tools() {
  mkdir -p "$tools/bin" "$dist" "$work"
  npm install --silent --no-audit --no-fund --no-save --prefix "$tools" \
    @bufbuild/buf@1.75.0 @bufbuild/protoc-gen-es@2.17.0
  [[ -x $tools/python/bin/python ]] || python3 -m venv "$tools/python"
  "$tools/python/bin/pip" install -q --disable-pip-version-check \
    grpcio-tools==1.85.1 build==1.6.1 hatchling==1.33.0 cyclonedx-bom==7.5.0
  # For methods.py: the contract with its comments.
  buf build proto --path proto/dicepoker -o "$work/contract.binpb"
}

# Copies the sources of a package into an empty work folder.
stage() {
  rm -rf "${work:?}/$1"
  mkdir -p "$work/$1"
  cp -r "client/$1/." "$work/$1/"
  cp LICENSE "$work/$1/"
}

generate() { buf generate --template "client/$1/buf.gen.yaml" -o "$2"; }

python_needs() { have python3; }
python_build() {
  local folder=$work/python package=$work/python/dicepoker
  stage python
  generate python "$folder"
  python client/methods.py "$work/contract.binpb" python >"$package/_methods.py"
  python client/methods.py "$work/contract.binpb" aio >"$package/aio.py"
  cp client/service-config.json "$package/"
  printf '__version__ = "%s"\n' "$version" >"$package/_version.py"
  python -m build --wheel --no-isolation --outdir "$dist" "$folder"
  # The bill of materials of what an installation consists of.
  python3 -m venv --clear "$folder/installed"
  "$folder/installed/bin/pip" install -q --disable-pip-version-check \
    "$dist/dicepoker-$version-py3-none-any.whl"
  cyclonedx-py environment --output-reproducible "$folder/installed" \
    -o "$dist/dicepoker-python-$version.cdx.json"
}

typescript_needs() { have node && have npm; }
typescript_build() {
  local folder=$work/typescript
  stage typescript
  generate typescript "$folder/src/gen"
  printf '/** The service config. Generated. */\nexport const SERVICE_CONFIG = %s;\n' \
    "$(cat client/service-config.json)" >"$folder/src/service-config.ts"
  # All messages in one module.
  (cd "$folder/src" && printf 'export * from "./%s.js";\n' $(find gen/dicepoker -name '*_pb.ts' | sort | sed 's/\.ts$//')) \
    >"$folder/src/messages.ts"
  (
    cd "$folder"
    npm pkg set version="$version"
    npm install --silent --no-audit --no-fund --ignore-scripts
    npx tsc
    npm pack --silent --pack-destination "$dist"
    npm sbom --omit dev --sbom-format cyclonedx >"$dist/dicepoker-typescript-$version.cdx.json"
  )
}

go_needs() { have go; }
go_build() {
  local folder=$work/go
  stage go
  (cd "$folder" && GOBIN=$tools/bin go install tool)
  generate go "$folder"
  cp client/service-config.json "$folder/"
  (
    cd "$folder"
    go mod tidy -e >/dev/null
    go vet ./...
    GOBIN=$tools/bin go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
    cyclonedx-gomod mod -json -output "$dist/dicepoker-go-$version.cdx.json" .
  )
  # In the layout of a module proxy, from which `go get` installs it.
  python client/go/proxy.py "$folder" "v$version" "$dist/go"
}

java_needs() { have java && have mvn; }
java_build() {
  local folder=$work/java
  stage java
  mkdir -p "$folder/src/main/resources/com/dicepoker/client"
  python client/methods.py "$work/contract.binpb" java \
    >"$folder/src/main/java/com/dicepoker/client/Methods.java"
  cp client/service-config.json "$folder/src/main/resources/com/dicepoker/client/"
  mvn -q -B -Dstyle.color=never -f "$folder/pom.xml" -Drevision="$version" -Dproto="$root/proto" \
    -Ddist="file://$dist/java" deploy
  cp "$folder/target/bom.json" "$dist/dicepoker-java-$version.cdx.json"
}

if ! have npm || ! have python3; then
  echo "!! SKIPPED: packages: no npm or no Python" >&2
  exit 0
fi
install_tools
for language in "${languages[@]}"; do
  if ! "${language}_needs"; then
    echo "!! SKIPPED: the package for $language: its tools are not on this machine" >&2
    continue
  fi
  log=$work/$language.log
  # Not as the condition of an if, where the shell ignores set -e.
  set +e
  (set -e; "${language}_build") >"$log" 2>&1
  status=$?
  set -e
  if [[ $status -ne 0 ]]; then
    tail -n 60 "$log" >&2
    echo "FAILED: the package for $language" >&2
    exit 1
  fi
  echo "built   $language"
done
(cd "$dist" && find . -type f ! -name SHA256SUMS -printf '%P\0' | sort -z | xargs -0 sha256sum >SHA256SUMS)
