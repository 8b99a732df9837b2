//! gRPC-Web for pages in browsers, and the origins that may use it.

use std::time::Duration;

use http::{HeaderName, HeaderValue, Method, header};
use tonic_web::GrpcWebLayer;
use tower::ServiceBuilder;
use tower::layer::util::{Identity, Stack};
use tower_http::cors::{AllowOrigin, CorsLayer};

/// Time for which a browser may cache the permissions.
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

/// The layer that translates gRPC-Web calls to gRPC; others pass.
pub(super) type Web = Stack<GrpcWebLayer, Stack<CorsLayer, Identity>>;

/// For pages of these origins; `*` is all.
pub(super) fn web(origins: &[String]) -> Web {
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
    ServiceBuilder::new().layer(cors).layer(GrpcWebLayer::new()).into_inner()
}
