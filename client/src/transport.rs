//! The transport of calls: a connection, a balanced set of them, or a service in this process. Only
//! this module, `connecting` and `balance` use tonic's transport.

use tower::util::BoxCloneSyncService;

use crate::Error;
use crate::balance::{self, Serving};
use crate::connecting::Connecting;
use crate::target::{Kind, Target};

/// The transport of generated stubs: see [`Client::stub`](crate::Client::stub).
pub type Transport = BoxCloneSyncService<
    http::Request<tonic::body::Body>,
    http::Response<tonic::body::Body>,
    tonic::transport::Error,
>;

/// Starts to connect to `target`; a balanced one also has a watch on its serving addresses.
pub(crate) fn open(
    target: &Target,
    connecting: Connecting,
) -> Result<(Transport, Option<Serving>), Error> {
    let (channel, serving) = match &target.0 {
        Kind::One(uri) => (connecting.endpoint(uri.clone(), None)?.connect_lazy(), None),
        Kind::List(_) | Kind::Dns { .. } => {
            let (channel, serving) = balance::channel(target, connecting)?;
            (channel, Some(serving))
        }
    };
    Ok((BoxCloneSyncService::new(channel), serving))
}
