//! The proto3 JSON form of every message, by reflection on the descriptors.

use std::sync::LazyLock;

use prost::{Message, Name};
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(crate::FILE_DESCRIPTOR_SET).expect("the build compiled it")
});

/// A message in its [proto3 JSON](https://protobuf.dev/programming-guides/json/) form: fields in
/// camel case, those with default values left out. Reads camel case and snake case alike, and
/// rejects unknown fields.
///
/// ```
/// use dicepoker_proto::{Json, v1::Position};
///
/// let Json(position): Json<Position> = serde_json::from_str(r#"{"dice": [6], "rolls_left": 1}"#)?;
/// assert_eq!((position.dice[0], position.rolls_left), (6, 1));
/// assert_eq!(serde_json::to_string(&Json(position))?, r#"{"dice":[6],"rollsLeft":1}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<M>(pub M);

fn descriptor<M: Name>() -> MessageDescriptor {
    POOL.get_message_by_name(&M::full_name()).expect("every generated message has a descriptor")
}

impl<M: Message + Name> Serialize for Json<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut message = DynamicMessage::new(descriptor::<M>());
        message.transcode_from(&self.0).map_err(S::Error::custom)?;
        message.serialize(serializer)
    }
}

impl<'de, M: Message + Name + Default> Deserialize<'de> for Json<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let message = DynamicMessage::deserialize(descriptor::<M>(), deserializer)?;
        message.transcode_to().map(Self).map_err(D::Error::custom)
    }
}
