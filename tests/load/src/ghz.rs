//! The scenarios for ghz, an independent generator: a configuration for each kind of calls, with
//! the same requests as JSON. Mixed calls are left out, since ghz makes one kind only.

use std::io;
use std::path::Path;
use std::time::Duration;

use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::{Value, json};

use crate::drive::Call;
use crate::scenario::Scenario;

/// Requests of a kind, which ghz makes in turn.
const MOST: usize = 64;

/// Callers, and the connections that they share.
const WIDTH: (u32, u32) = (32, 8);

/// Writes a configuration for each of `scenarios` into `folder`, for measurements of `length`.
pub fn write(scenarios: &[Scenario], folder: &Path, length: Duration) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let pool = DescriptorPool::decode(dicepoker_proto::FILE_DESCRIPTOR_SET).map_err(other)?;
    for (number, scenario) in scenarios.iter().enumerate() {
        let first = scenario.calls.first();
        let Some(first) = first.filter(|first| scenario.calls.iter().all(|c| c.path == first.path))
        else {
            continue;
        };
        let calls = scenario.calls.iter().take(MOST);
        let data = calls.map(|call| request(&pool, call)).collect::<io::Result<Vec<_>>>()?;
        let configuration = json!({
            "name": scenario.name,
            "call": first.path.path().trim_start_matches('/'),
            "insecure": true,
            "duration": format!("{}ms", length.as_millis()),
            // Calls in flight at the end are answered, not cancelled and counted as failed.
            "duration-stop": "wait",
            "concurrency": WIDTH.0,
            "connections": WIDTH.1,
            "timeout": "60s",
            "data": data,
        });
        let file = format!("{number:03}-{}.json", scenario.name.replace('/', "-"));
        std::fs::write(folder.join(file), configuration.to_string())?;
    }
    Ok(())
}

/// The request of `call` as JSON; empty for health, which is not in the contract.
fn request(pool: &DescriptorPool, call: &Call) -> io::Result<Value> {
    let method = call.path.path().trim_start_matches('/').replace('/', ".");
    let (service, name) = method.rsplit_once('.').unwrap_or_default();
    let service = pool.get_service_by_name(service);
    let method = service.and_then(|service| service.methods().find(|m| m.name() == name));
    let Some(method) = method else { return Ok(json!({})) };
    let message = DynamicMessage::decode(method.input(), call.body.clone()).map_err(other)?;
    serde_json::to_value(&message).map_err(other)
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario;

    #[test]
    fn requests_are_written_as_json() {
        let pool =
            DescriptorPool::decode(dicepoker_proto::FILE_DESCRIPTOR_SET).expect("a contract");
        let score = request(&pool, &scenario::plain_score()).expect("JSON");
        assert_eq!(score, json!({"ruleset": "dice-poker-13", "dice": [1, 3, 2, 4, 4]}));
        assert_eq!(request(&pool, &scenario::health()).expect("JSON"), json!({}));
    }
}
