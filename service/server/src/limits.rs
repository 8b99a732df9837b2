//! The layers that protect calls from other calls and callers. A layer here is a function
//! that wraps a service in another one ([`tower::layer::layer_fn`]); `serve::stack` puts them in order.
//!
//! [`rate`] limits the calls of one caller, [`admission`] how long a call waits for its worker and how
//! often a worker reports errors, [`deadline`] how long a call takes, [`message`] what it may send.

pub(crate) mod admission;
pub(crate) mod deadline;
pub(crate) mod gate;
pub(crate) mod message;
pub(crate) mod rate;
pub(crate) mod unread;

use std::convert::Infallible;

use tonic::body::Body;
use tower::Service;

pub(crate) type Request = http::Request<Body>;
pub(crate) type Response = http::Response<Body>;

/// A service of calls. It is always ready, so `poll_ready` is never called, and called when the headers
/// of a call arrive; its future first runs when the worker polls it.
pub(crate) trait Calls:
    Service<Request, Response = Response, Error = Infallible, Future: Send + 'static> + Send + 'static
{
}

impl<S> Calls for S where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send + 'static>
        + Send
        + 'static
{
}
