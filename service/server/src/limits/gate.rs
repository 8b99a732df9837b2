//! A layer that accepts or rejects a call when its headers arrive, and discards the message of a rejected one.

use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;

use bytes::Buf;
use futures_util::future::Either;
use http_body_util::BodyExt;
use tokio::time::timeout;
use tonic::body::Body;
use tower::layer::layer_fn;
use tower::{Layer, service_fn};

use super::{Calls, Request, Response};
use crate::error::Error;

/// How long the rest of a message is read whose call is refused. Most messages arrive with their headers.
pub(crate) const REST: Duration = Duration::from_millis(100);

/// The bytes of such a message that are read: the default limit of other gRPC servers.
const REST_BYTES: usize = 4 << 20;

/// Refuses the calls for which `admit` returns an error.
pub(crate) fn gate<S: Calls>(
    admit: impl Fn(&mut Request) -> Result<(), Error> + Clone + Send + 'static,
) -> impl Layer<S, Service = impl Calls> {
    layer_fn(move |mut inner: S| {
        let admit = admit.clone();
        service_fn(move |mut request: Request| match admit(&mut request) {
            Ok(()) => Either::Left(inner.call(request)),
            Err(error) => Either::Right(refuse(request.into_body(), error)),
        })
    })
}

/// The response to a call that is refused, once its message has been discarded.
pub(super) async fn refuse(message: Body, error: Error) -> Result<Response, Infallible> {
    discard(message, REST).await;
    Ok(error.answer())
}

/// Reads the rest of a message, for `patience` at most, and drops it. A response before the end of the
/// request makes HTTP/2 reset the stream; what arrives after that counts as an error of the client, and
/// many of those close its connection.
pub(crate) async fn discard(message: Body, patience: Duration) {
    let mut message = pin!(message);
    let rest = async {
        let mut left = REST_BYTES;
        while left > 0
            && let Some(Ok(frame)) = message.frame().await
        {
            left = left.saturating_sub(frame.data_ref().map_or(0, Buf::remaining));
        }
    };
    // A later rest fails the client's call.
    let _ = timeout(patience, rest).await;
}
