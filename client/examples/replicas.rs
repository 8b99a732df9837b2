//! The settings of a client in production: replicas, deadlines, retries, a token, a trace.
//! `cargo run --example replicas [TARGET]`, where the target is a list such as
//! `http://127.0.0.1:50051,http://127.0.0.2:50051` or a name such as `dns:///dicepoker:50051`.

use std::time::Duration;

use dicepoker_client::{Client, Code, Error, Retries, TraceContext};

/// Calls the replicas at `target`.
///
/// # Errors
/// If none of them serves.
pub(crate) async fn run(target: &str) -> Result<(), Error> {
    let client = Client::builder()
        .deadline(Duration::from_secs(2))
        .retries(Retries::default().attempts(5).budget(0.1, 5))
        // Called for each call, since tokens expire.
        .bearer_token_from(|| std::env::var("DICEPOKER_TOKEN").ok())
        .connect(target)
        .await?;

    // The trace of the request that this call serves, from its traceparent header.
    let trace: Option<TraceContext> =
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".parse().ok();
    let traced = trace.map_or_else(|| client.clone(), |trace| client.with_trace(trace));
    let quick = traced.with_deadline(Duration::from_millis(500));

    match quick.score("dice-poker-13", [6, 6, 6, 6, 7]).await {
        Ok(scores) => println!("{scores:?}"),
        Err(error) if error.code() == Code::InvalidArgument => {
            for wrong in error.field_violations() {
                println!("{}: {}", wrong.field, wrong.description);
            }
        }
        Err(error) if error.is_retryable() => println!("retry later: {error}"),
        Err(error) => return Err(error),
    }
    Ok(())
}

#[allow(dead_code)]
#[tokio::main]
async fn main() -> Result<(), Error> {
    run(&std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:50051".to_owned())).await
}
