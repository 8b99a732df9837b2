//! Shared by the fuzz targets: every method of the contract, called in this process through the
//! generated server and the real service, and the checks of every response. Methods and their
//! messages come from the descriptors of the contract, so a new method is fuzzed as soon as it is
//! served.

#![forbid(unsafe_code)]

mod judge;
pub mod request;

use std::sync::Arc;
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use dicepoker_engine::solve::Budget;
use dicepoker_proto::FILE_DESCRIPTOR_SET;
use dicepoker_proto::v1::dice_poker_service_server::{DicePokerServiceServer, SERVICE_NAME};
use dicepoker_server::rulesets::Rulesets;
use dicepoker_server::runtime::LongWork;
use dicepoker_server::service::Service;
use http::Request;
use http_body_util::{BodyExt, Full};
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MethodDescriptor};
use tokio::runtime::{Builder, Runtime};
use tonic::Status;
use tonic::body::Body;
use tower::ServiceExt;

/// The most messages of a stream that are read; then the call is cancelled.
const MOST_MESSAGES: usize = 4;

/// The most games of one Simulate: each takes milliseconds.
pub const MOST_GAMES: u32 = 4;

/// The service, and the means to call it.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    service: DicePokerServiceServer<Service>,
    methods: Vec<MethodDescriptor>,
}

/// The response to a call.
#[derive(Debug)]
pub struct Answer {
    /// The messages of the response that were read.
    pub messages: Vec<DynamicMessage>,
    /// How the call ended; `None` if it was cancelled.
    pub status: Option<Status>,
}

impl Default for Server {
    fn default() -> Self {
        let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the contract");
        let service = pool.get_service_by_name(SERVICE_NAME).expect("the service of the contract");
        // Rulesets sent as data may not take long.
        let budget = Budget { bytes: 8 << 20, work: 2_000_000 };
        let long_work = LongWork::new(1, 64).expect("a thread");
        let games = Rulesets::new(16 << 20, Duration::from_secs(60), budget, long_work);
        let playing = Service::new(Arc::new(games)).simulating_at_most(MOST_GAMES, None);
        Self {
            runtime: Builder::new_current_thread().enable_all().build().expect("a runtime"),
            service: DicePokerServiceServer::new(playing),
            methods: service.methods().collect(),
        }
    }
}

impl Server {
    /// All methods of the contract.
    #[must_use]
    pub fn methods(&self) -> &[MethodDescriptor] {
        &self.methods
    }

    /// The method of this name.
    #[must_use]
    pub fn method(&self, name: &str) -> MethodDescriptor {
        self.methods.iter().find(|method| method.name() == name).expect("in the contract").clone()
    }

    /// Calls `method`. Panics if the response is not valid.
    pub fn call(&self, method: &MethodDescriptor, message: &[u8]) -> Answer {
        let answer = self.runtime.block_on(self.ask(method, message));
        judge::judge(method, &answer);
        answer
    }

    /// Calls `method`, which must succeed.
    pub fn must(&self, method: &str, request: &DynamicMessage) -> DynamicMessage {
        let mut answer = self.call(&self.method(method), &request.encode_to_vec());
        answer.messages.pop().unwrap_or_else(|| panic!("{method} {request:?}: {:?}", answer.status))
    }

    async fn ask(&self, method: &MethodDescriptor, message: &[u8]) -> Answer {
        let mut framed = BytesMut::with_capacity(5 + message.len());
        framed.put_u8(0);
        framed.put_u32(u32::try_from(message.len()).expect("short"));
        framed.put_slice(message);
        let request = Request::post(format!("/{SERVICE_NAME}/{}", method.name()))
            .header("content-type", "application/grpc")
            .body(Body::new(Full::new(framed.freeze())))
            .expect("a request");
        let (head, mut body) =
            self.service.clone().oneshot(request).await.expect("infallible").into_parts();
        let mut answer = Answer { messages: Vec::new(), status: None };
        let mut received = BytesMut::new();
        answer.status = Status::from_header_map(&head.headers);
        while let Some(frame) = body.frame().await {
            match frame.expect("no broken response").into_data() {
                Ok(data) => received.extend_from_slice(&data),
                Err(frame) => {
                    answer.status = frame.trailers_ref().and_then(Status::from_header_map)
                }
            }
            while let Some(message) = take(&mut received) {
                let decoded = DynamicMessage::decode(method.output(), message);
                answer.messages.push(decoded.expect("a response of the contract"));
            }
            if answer.messages.len() >= MOST_MESSAGES && answer.status.is_none() {
                return answer;
            }
        }
        assert!(answer.status.is_some(), "{} ended without a status", method.name());
        answer
    }
}

/// The next whole message of a response.
fn take(received: &mut BytesMut) -> Option<Bytes> {
    let length = u32::from_be_bytes(received.get(1..5)?.try_into().ok()?) as usize;
    (received.len() >= 5 + length).then(|| received.split_to(5 + length).split_off(5).freeze())
}
