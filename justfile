# The one entry for people and CI: `just` lists what there is.

default:
    @just --list

# Run the service on 127.0.0.1:50051.
run *ARGS:
    cargo run --release -p dicepoker-server -- {{ARGS}}

# Everything CI checks.
ci:
    bash .ci/run

# All tests.
test:
    cargo test --workspace

# Format, lint and document, warnings denied.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Solve times, decision times, scoring times.
bench:
    cargo bench -p dicepoker-engine

# Fuzz every target for so many seconds, or those that are named.
fuzz SECONDS *TARGETS:
    bash .ci/fuzz {{SECONDS}} {{TARGETS}}

# Licences, bans and sources of everything that is built in; `just deny advisories` needs the network.
deny *WHAT="licenses bans sources":
    cargo deny --locked check {{WHAT}}

# The explorer's page, built anew from its sources and the contract; commit dist with what changed it.
explorer:
    cd client/web && npm install --no-save --no-fund --no-audit && npm run build
