//! The explorer: a page for browsers, served beside the calls that it makes.

use std::future::ready;

use futures_util::future::Either;
use tonic::body::Body;
use tower::layer::layer_fn;
use tower::{Layer, service_fn};

use crate::limits::{Calls, Request};

/// Answers GET and HEAD with the files of the page; calls pass.
pub(super) fn page<S: Calls>() -> impl Layer<S, Service = impl Calls> {
    layer_fn(|mut inner: S| {
        service_fn(move |request: Request| match dicepoker_explorer::response(&request) {
            Some(file) => Either::Left(ready(Ok(file.map(Body::new)))),
            None => Either::Right(inner.call(request)),
        })
    })
}
