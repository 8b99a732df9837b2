# The commands of the project: `just` lists them.

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

# Fuzz every target, or those named, for so many seconds each.
fuzz SECONDS *TARGETS:
    bash .ci/fuzz {{SECONDS}} {{TARGETS}}

# Licences, bans and sources of all dependencies; `just deny advisories` needs the network.
deny *WHAT="licenses bans sources":
    cargo deny --locked check {{WHAT}}

# Build the explorer's page from its sources and the contract; commit dist with the change.
explorer:
    cd client/web && npm install --no-save --no-fund --no-audit && npm run build
