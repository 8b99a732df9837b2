//! The explorer: an embedded service on a port, with the page that calls it.

use std::convert::Infallible;

use dicepoker_proto::v1::dice_poker_service_server::DicePokerServiceServer;
use dicepoker_server::service::Service;
use http::{Request, Response};
use tokio::net::TcpListener;
use tonic::body::Body;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_web::GrpcWebLayer;
use tower::layer::layer_fn;
use tower::service_fn;

use crate::Error;
use crate::embedded::rulesets;

/// Serves the explorer's page and a service of its own on `listener`, over gRPC and gRPC-Web, until
/// the future is dropped. The built-in rulesets are solved meanwhile.
///
/// # Errors
/// If no thread for solving can be started, or the listener fails.
pub async fn serve_explorer(listener: TcpListener) -> Result<(), Error> {
    let rulesets = rulesets()?;
    let service = DicePokerServiceServer::new(Service::new(rulesets.clone()));
    let server = Server::builder()
        .accept_http1(true)
        .tcp_nodelay(true)
        .layer(layer_fn(with_page))
        .layer(GrpcWebLayer::new())
        .add_service(service)
        .serve_with_incoming(TcpIncoming::from(listener));
    let (served, _) = tokio::join!(server, rulesets.solve_at_start(false));
    served.map_err(|error| Error::unavailable("the page cannot be served").with_source(error))
}

/// Answers requests for the page; all others go to `inner`, which is always ready.
fn with_page<S>(
    inner: S,
) -> impl tower::Service<
    Request<Body>,
    Response = Response<Body>,
    Error = Infallible,
    Future = impl Future<Output = Result<Response<Body>, Infallible>> + Send,
> + Clone
where
    S: tower::Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send,
    S::Future: Send,
{
    service_fn(move |request: Request<Body>| {
        let page = dicepoker_explorer::response(&request);
        let mut inner = inner.clone();
        async move {
            match page {
                Some(page) => Ok(page.map(Body::new)),
                None => inner.call(request).await,
            }
        }
    })
}
