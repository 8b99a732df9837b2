//! gRPC-Web, for pages in browsers, and which pages may use it.

use std::time::Duration;

use http::{HeaderName, HeaderValue, Method, header};
use tonic::body::Body;
use tonic_web::{GrpcWebLayer, GrpcWebService};
use tower::layer::util::{Identity, Stack};
use tower::util::{MapResponse, MapResponseLayer};
use tower::{Layer, ServiceBuilder};
use tower_http::cors::{AllowOrigin, Cors, CorsLayer};

use super::stack::{Answer, Calls};

/// How long a browser may remember what it may do.
const REMEMBER: Duration = Duration::from_secs(2 * 3600);

const ALLOWED: [HeaderName; 6] = [
    header::CONTENT_TYPE,
    header::AUTHORIZATION,
    HeaderName::from_static("x-grpc-web"),
    HeaderName::from_static("x-user-agent"),
    HeaderName::from_static("grpc-timeout"),
    HeaderName::from_static("traceparent"),
];

const EXPOSED: [HeaderName; 5] = [
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status-details-bin"),
    HeaderName::from_static("grpc-retry-pushback-ms"),
    HeaderName::from_static("trace-id"),
];

type ToBody = fn(Answer) -> http::Response<Body>;

/// Calls whose answers have the type that gRPC-Web takes.
type Boxed = MapResponse<Calls, ToBody>;

/// What makes a service for browsers of one for gRPC clients, who are served as before.
#[derive(Clone)]
pub(super) struct Web {
    cors: CorsLayer,
    inner: Stack<MapResponseLayer<ToBody>, Stack<GrpcWebLayer, Identity>>,
}

impl Web {
    /// For pages of these origins; `*` is all.
    pub(super) fn new(origins: &[String]) -> Self {
        let origins = if origins.iter().any(|origin| origin == "*") {
            AllowOrigin::any()
        } else {
            let origins = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
            AllowOrigin::list(origins)
        };
        let cors = CorsLayer::new()
            .allow_origin(origins)
            .allow_methods([Method::POST])
            .allow_headers(ALLOWED)
            .expose_headers(EXPOSED)
            .max_age(REMEMBER);
        let boxing: ToBody = |answer| answer.map(Body::new);
        let inner = ServiceBuilder::new().layer(GrpcWebLayer::new()).map_response(boxing);
        Self { cors, inner: inner.into_inner() }
    }

    /// The service of one connection.
    pub(super) fn serve(&self, calls: Calls) -> Cors<GrpcWebService<Boxed>> {
        self.cors.layer(self.inner.layer(calls))
    }
}
