//! Balancing over healthy replicas by the power of two choices on calls in flight (tonic's balanced
//! channel). One task keeps the set: it resolves the addresses (a list, or a name looked up
//! periodically), starts a [`health`] watcher for each, adds an address when it serves, and removes it
//! when it drains, fails or disappears.

mod health;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use http::Uri;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tonic::transport::channel::Change;
use tonic::transport::{Channel, Endpoint};
use tracing::{debug, warn};

use crate::Error;
use crate::connecting::Connecting;
use crate::target::{Kind, Target};

/// Capacity of the queue of changes.
const CHANGES: usize = 64;

/// The number of addresses that serve.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) serving: usize,
    /// Why the last address failed.
    pub(crate) last_failure: Option<String>,
}

/// A watch on [`State`].
pub(crate) type Serving = watch::Receiver<State>;

/// The report of a watcher on its address.
#[derive(Debug)]
pub(crate) enum Health {
    /// It serves.
    Up,
    /// It does not serve, and why.
    Down(String),
}

/// The channel over the addresses of `target`, and how many of them serve.
pub(crate) fn channel(
    target: &Target,
    connecting: Connecting,
) -> Result<(Channel, Serving), Error> {
    let (channel, changes) = Channel::balance_channel(CHANGES);
    let (state, serving) = watch::channel(State::default());
    let (reports, inbox) = mpsc::channel(CHANGES);
    let mut set = Set {
        target: target.clone(),
        connecting,
        changes,
        state,
        reports,
        members: BTreeMap::new(),
    };
    if let Kind::List(uris) = &target.0 {
        // Fails here for invalid addresses, since the task below has no caller.
        for uri in uris {
            set.connecting.endpoint(uri.clone(), None)?;
        }
    }
    tokio::spawn(async move { set.keep(inbox).await });
    Ok((channel, serving))
}

struct Set {
    target: Target,
    connecting: Connecting,
    changes: mpsc::Sender<Change<Uri, Endpoint>>,
    state: watch::Sender<State>,
    reports: mpsc::Sender<(Uri, Health)>,
    members: BTreeMap<String, Member>,
}

struct Member {
    uri: Uri,
    endpoint: Endpoint,
    serving: bool,
    watcher: AbortHandle,
}

impl Drop for Member {
    fn drop(&mut self) {
        self.watcher.abort();
    }
}

impl Set {
    /// Keeps the set until the channel is dropped.
    async fn keep(&mut self, mut inbox: mpsc::Receiver<(Uri, Health)>) {
        let mut refresh = tokio::time::interval(self.connecting.refresh);
        refresh.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let changes = self.changes.clone();
        loop {
            tokio::select! {
                () = changes.closed() => return,
                _ = refresh.tick() => self.resolve().await,
                Some((uri, health)) = inbox.recv() => self.apply(&uri, health).await,
            }
        }
    }

    /// Resolves the addresses; keeps the current ones if that fails.
    async fn resolve(&mut self) {
        let (uris, name) = match &self.target.0 {
            Kind::One(uri) => (BTreeSet::from([uri.to_string()]), None),
            Kind::List(uris) => (uris.iter().map(Uri::to_string).collect(), None),
            Kind::Dns { name, port, encrypted } => {
                match self.connecting.resolver.look_up(name, *port).await {
                    Ok(found) => {
                        let scheme = if *encrypted { "https" } else { "http" };
                        let uris = found
                            .into_iter()
                            .map(|address| format!("{scheme}://{address}/"))
                            .collect();
                        (uris, Some(name.clone()))
                    }
                    Err(error) => {
                        warn!(%name, %error, "cannot resolve the service's name");
                        self.failed(format!("{name} cannot be resolved: {error}"));
                        return;
                    }
                }
            }
        };
        let removed: Vec<String> =
            self.members.keys().filter(|uri| !uris.contains(*uri)).cloned().collect();
        for uri in removed {
            if let Some(member) = self.members.remove(&uri) {
                debug!(%uri, "address removed");
                self.remove(&member).await;
            }
        }
        for uri in uris {
            if !self.members.contains_key(&uri) {
                self.join(uri, name.as_deref());
            }
        }
    }

    fn join(&mut self, key: String, name: Option<&str>) {
        let Ok(uri) = key.parse::<Uri>() else { return };
        match self.connecting.endpoint(uri.clone(), name) {
            Ok(endpoint) => {
                debug!(%uri, "address found");
                let watcher = health::watch(uri.clone(), endpoint.clone(), self.reports.clone());
                let watcher = tokio::spawn(watcher).abort_handle();
                self.members.insert(key, Member { uri, endpoint, serving: false, watcher });
            }
            Err(error) => self.failed(error.to_string()),
        }
    }

    async fn apply(&mut self, uri: &Uri, health: Health) {
        let Some(member) = self.members.get_mut(&uri.to_string()) else { return };
        let was = std::mem::replace(&mut member.serving, matches!(health, Health::Up));
        match health {
            Health::Up if !was => {
                debug!(%uri, "serving");
                let insert = Change::Insert(member.uri.clone(), member.endpoint.clone());
                let _ = self.changes.send(insert).await;
                self.state.send_modify(|state| state.serving += 1);
            }
            Health::Up => {}
            Health::Down(why) => {
                debug!(%uri, %why, "not serving");
                self.failed(format!("{uri} {why}"));
                if was {
                    self.state.send_modify(|state| state.serving -= 1);
                    let _ = self.changes.send(Change::Remove(uri.clone())).await;
                }
            }
        }
    }

    async fn remove(&self, member: &Member) {
        if member.serving {
            self.state.send_modify(|state| state.serving -= 1);
            let _ = self.changes.send(Change::Remove(member.uri.clone())).await;
        }
    }

    fn failed(&self, why: String) {
        self.state.send_modify(|state| state.last_failure = Some(why));
    }
}

/// Waits until an address serves; `None` if the set has ended.
pub(crate) async fn ready(serving: &mut Serving) -> Option<()> {
    serving.wait_for(|state| state.serving > 0).await.ok().map(drop)
}

/// The pause between two checks of an address that does not serve.
pub(crate) const RECHECK: Duration = Duration::from_millis(500);
