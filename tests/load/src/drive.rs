//! Makes calls, and measures them. In an open loop calls are due at given times, whether or not
//! earlier ones have been answered, and their latency counts from then: a server that stalls is
//! charged for every call that it delayed (no coordinated omission).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::{Buf, BufMut, Bytes};
use hdrhistogram::Histogram;
use http::uri::PathAndQuery;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tokio::sync::{Semaphore, watch};
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};

/// The most calls in flight. Others wait, and their time counts.
const MOST_UNDER_WAY: usize = 4096;

/// Latencies up to a minute, to three digits.
const LONGEST_MICROS: u64 = 60_000_000;

/// A call, ready to be sent.
#[derive(Clone, Debug)]
pub struct Call {
    /// `/package.Service/Method`.
    pub path: PathAndQuery,
    /// The request, encoded.
    pub body: Bytes,
}

/// Connections over which calls are spread in turn.
#[derive(Clone, Debug)]
pub struct Connections {
    channels: Arc<[Channel]>,
    next: Arc<AtomicUsize>,
}

impl Connections {
    /// Opens `count` connections to `url`.
    pub async fn open(url: &str, count: usize) -> Result<Self, tonic::transport::Error> {
        let mut channels = Vec::with_capacity(count);
        for _ in 0..count {
            channels.push(Endpoint::new(url.to_owned())?.tcp_nodelay(true).connect().await?);
        }
        Ok(Self { channels: channels.into(), next: Arc::default() })
    }

    /// [`open_loop`] of `calls` in turn.
    pub async fn offer(&self, calls: &Arc<[Call]>, rate: f64, length: Duration) -> Outcome {
        let (connections, calls) = (self.clone(), Arc::clone(calls));
        open_loop(rate, length, move |turn| {
            let (connections, calls) = (connections.clone(), Arc::clone(&calls));
            async move {
                let answer = connections.call(&calls[turn % calls.len()]).await;
                answer.map_or_else(|status| status.code(), |_| Code::Ok)
            }
        })
        .await
    }

    /// Makes a call and returns the response, encoded.
    pub async fn call(&self, call: &Call) -> Result<Bytes, Status> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.channels.len();
        let mut grpc = Grpc::new(self.channels[turn].clone());
        grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        let request = Request::new(call.body.clone());
        Ok(grpc.unary(request, call.path.clone(), Plain).await?.into_inner())
    }
}

/// The outcome of a load.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Microseconds from the moment a call was due (open loop) or begun (closed loop) to its answer.
    pub latency: Histogram<u64>,
    /// The same of successful calls alone.
    pub good: Histogram<u64>,
    /// Microseconds by which the generator itself was late; 0 in a closed loop.
    pub lateness: Histogram<u64>,
    /// Calls by code.
    pub codes: BTreeMap<String, u64>,
    /// From the first call due to the last answer.
    pub took: Duration,
}

impl Outcome {
    pub(crate) fn new() -> Self {
        let histogram = || Histogram::new_with_max(LONGEST_MICROS, 3).expect("sound bounds");
        Self {
            latency: histogram(),
            good: histogram(),
            lateness: histogram(),
            codes: BTreeMap::new(),
            took: Duration::ZERO,
        }
    }

    pub(crate) fn record(&mut self, latency: Duration, lateness: Duration, code: Code) {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.latency.saturating_record(micros(latency));
        if code == Code::Ok {
            self.good.saturating_record(micros(latency));
        }
        self.lateness.saturating_record(micros(lateness));
        *self.codes.entry(format!("{code:?}")).or_default() += 1;
    }

    /// Number of calls.
    pub fn calls(&self) -> u64 {
        self.latency.len()
    }

    /// Number of failed calls.
    pub fn failed(&self) -> u64 {
        self.codes.iter().filter(|(code, _)| *code != "Ok").map(|(_, count)| count).sum()
    }

    /// Calls answered a second.
    pub fn rate(&self) -> f64 {
        self.calls() as f64 / self.took.as_secs_f64()
    }

    /// Successful calls a second.
    pub fn goodput(&self) -> f64 {
        self.good.len() as f64 / self.took.as_secs_f64()
    }

    /// A quantile of latency, in microseconds.
    pub fn micros(&self, quantile: f64) -> u64 {
        self.latency.value_at_quantile(quantile)
    }
}

/// Calls due at random moments (Poisson), `rate` a second on average; `make` makes the call of a
/// number and returns its code.
pub async fn open_loop<F>(
    rate: f64,
    length: Duration,
    make: impl Fn(usize) -> F + Send + Sync + 'static,
) -> Outcome
where
    F: Future<Output = Code> + Send + 'static,
{
    let (_keep, stopped) = watch::channel(false);
    open_loop_until(rate, length, stopped, make).await
}

/// As [`open_loop`], ended before its length when `stopped` says so.
pub async fn open_loop_until<F>(
    rate: f64,
    length: Duration,
    stopped: watch::Receiver<bool>,
    make: impl Fn(usize) -> F + Send + Sync + 'static,
) -> Outcome
where
    F: Future<Output = Code> + Send + 'static,
{
    let outcome = Arc::new(Mutex::new(Outcome::new()));
    let places = Arc::new(Semaphore::new(MOST_UNDER_WAY));
    let runtime = tokio::runtime::Handle::current();
    let begin = Instant::now();
    let pace = {
        let (outcome, places) = (Arc::clone(&outcome), Arc::clone(&places));
        let make = Arc::new(make);
        // A thread of its own: the runtime's timer has a resolution of a millisecond.
        move || {
            let mut random = ChaCha8Rng::seed_from_u64(1);
            let mut due = begin;
            for turn in 0.. {
                due += pause(&mut random, rate);
                if due - begin >= length || *stopped.borrow() {
                    return turn as u64;
                }
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                let make = Arc::clone(&make);
                let (outcome, places) = (Arc::clone(&outcome), Arc::clone(&places));
                runtime.spawn(async move {
                    let _place = places.acquire().await;
                    let lateness = due.elapsed();
                    let code = make(turn).await;
                    let mut outcome = outcome.lock().expect("no panic while held");
                    outcome.record(due.elapsed(), lateness, code);
                });
            }
            unreachable!("turns do not end")
        }
    };
    let sent = tokio::task::spawn_blocking(pace).await.expect("the pace maker does not panic");
    let patience = Instant::now() + Duration::from_secs(30);
    loop {
        let answered = outcome.lock().expect("no panic while held").calls();
        if answered == sent || Instant::now() > patience {
            break;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let mut outcome = outcome.lock().expect("no panic while held").clone();
    outcome.took = begin.elapsed();
    if outcome.calls() < sent {
        outcome.codes.insert("Unanswered".to_owned(), sent - outcome.calls());
    }
    outcome
}

/// `callers` who each make the next call when the last is answered: this measures capacity; its
/// latencies mean little.
pub async fn closed_loop(
    connections: &Connections,
    calls: &Arc<[Call]>,
    callers: usize,
    length: Duration,
) -> Outcome {
    let stop = Arc::new(AtomicBool::new(false));
    let begin = Instant::now();
    let tasks: Vec<_> = (0..callers)
        .map(|first| {
            let (connections, calls) = (connections.clone(), Arc::clone(calls));
            let stop = Arc::clone(&stop);
            tokio::spawn(async move {
                let mut outcome = Outcome::new();
                let mut turn = first * calls.len() / callers;
                while !stop.load(Ordering::Relaxed) {
                    let begun = Instant::now();
                    let answer = connections.call(&calls[turn % calls.len()]).await;
                    let code = answer.map_or_else(|status| status.code(), |_| Code::Ok);
                    outcome.record(begun.elapsed(), Duration::ZERO, code);
                    turn += 1;
                }
                outcome
            })
        })
        .collect();
    tokio::time::sleep(length).await;
    stop.store(true, Ordering::Relaxed);
    let mut all = Outcome::new();
    for task in tasks {
        let outcome = task.await.expect("a caller does not panic");
        all.latency += &outcome.latency;
        all.good += &outcome.good;
        for (code, count) in outcome.codes {
            *all.codes.entry(code).or_default() += count;
        }
    }
    all.took = begin.elapsed();
    all
}

/// From one random moment to the next, of `rate` a second.
pub fn pause(random: &mut ChaCha8Rng, rate: f64) -> Duration {
    Duration::from_secs_f64(-(1.0 - unit(random)).ln() / rate)
}

/// From 0 to below 1.
fn unit(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Messages as encoded bytes: the generator does not decode responses.
#[derive(Clone, Copy, Debug)]
struct Plain;

impl Codec for Plain {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;
    fn encoder(&mut self) -> Self {
        Self
    }
    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Plain {
    type Item = Bytes;
    type Error = Status;
    fn encode(&mut self, item: Bytes, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put(item);
        Ok(())
    }
}

impl Decoder for Plain {
    type Item = Bytes;
    type Error = Status;
    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining())))
    }
}
