//! Known methods by path. Metrics are kept per method, so all unknown methods count as `_OTHER`.

use std::collections::HashMap;
use std::sync::Arc;

use dicepoker_proto::FILE_DESCRIPTOR_SET;
use prost::Message;
use prost_types::FileDescriptorSet;

/// OpenTelemetry's name for unknown methods.
pub(super) const OTHER: &str = "_OTHER";

/// All methods of all services, `package.Service/Method` by path.
#[derive(Clone, Debug)]
pub(super) struct Methods(Arc<HashMap<String, &'static str>>);

impl Methods {
    /// The methods of the contract, health and reflection. Their names are never freed.
    pub(super) fn new() -> Self {
        let sets = [
            FILE_DESCRIPTOR_SET,
            tonic_health::pb::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
        ];
        let sets = sets.into_iter().filter_map(|set| FileDescriptorSet::decode(set).ok());
        let mut methods = HashMap::new();
        for file in sets.flat_map(|set| set.file) {
            for service in &file.service {
                for method in &service.method {
                    let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                    let name: &'static str = path[1..].to_owned().leak();
                    methods.insert(path, name);
                }
            }
        }
        Self(Arc::new(methods))
    }

    pub(super) fn find(&self, path: &str) -> &'static str {
        self.0.get(path).copied().unwrap_or(OTHER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_all_services_are_known_and_no_others() {
        let methods = Methods::new();
        for name in ["dicepoker.v1.DicePokerService/Score", "grpc.health.v1.Health/Watch"] {
            assert_eq!(methods.find(&format!("/{name}")), name);
        }
        for path in ["/dicepoker.v1.DicePokerService/Cheat", "/", "", "/x/y/z"] {
            assert_eq!(methods.find(path), OTHER);
        }
    }
}
