//! The services beside the game: health and reflection.

use futures_util::future::FutureExt;
use prost::DecodeError;
use tonic::Status;
use tonic::server::NamedService;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::HealthService;
use tower::{Service as _, service_fn};

use crate::limits::{Calls, Request};
use crate::reflection::{self, v1, v1alpha};

/// Largest message to these services in bytes: their requests contain names.
pub(crate) const NAMES: usize = 4 << 10;

/// Health and reflection.
#[derive(Clone)]
pub(crate) struct Others {
    health: HealthServer<HealthService>,
    v1: v1::ServerReflectionServer<v1::Reflection>,
    v1alpha: v1alpha::ServerReflectionServer<v1alpha::Reflection>,
}

impl Others {
    /// The given health service, and reflection; an error if the descriptors cannot be decoded.
    pub(crate) fn new(health: HealthServer<HealthService>) -> Result<Self, DecodeError> {
        let (v1, v1alpha) = reflection::services()?;
        Ok(Self {
            health: health.max_decoding_message_size(NAMES),
            v1: v1.max_decoding_message_size(NAMES),
            v1alpha: v1alpha.max_decoding_message_size(NAMES),
        })
    }

    /// The service of all their methods.
    pub(crate) fn calls(mut self) -> impl Calls + Clone {
        service_fn(move |request: Request| match service_of(request.uri().path()) {
            Some(HealthServer::<HealthService>::NAME) => self.health.call(request),
            Some(v1::ServerReflectionServer::<v1::Reflection>::NAME) => self.v1.call(request),
            Some(v1alpha::ServerReflectionServer::<v1alpha::Reflection>::NAME) => {
                self.v1alpha.call(request)
            }
            _ => async { Ok(Status::unimplemented("").into_http()) }.boxed(),
        })
    }
}

/// The service in the path of a call, `/package.Service/Method`.
pub(crate) fn service_of(path: &str) -> Option<&str> {
    Some(path.strip_prefix('/')?.split_once('/')?.0)
}
