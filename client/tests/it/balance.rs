//! Balancing over replicas, each a real service on a loopback address of its own: calls spread, go
//! to healthy ones only, and survive a replica that is drained or killed.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use dicepoker_client::{Client, Code, Target};
use dicepoker_testkit::InProcess;

const ROLL: [u32; 5] = [1, 3, 2, 4, 4];

/// A replica, and the number of calls that it answered.
fn replica() -> (InProcess, Arc<AtomicU32>) {
    let calls = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&calls);
    let interceptor = move |_: &tonic::Request<()>| {
        seen.fetch_add(1, Ordering::SeqCst);
        Ok(())
    };
    (InProcess::with().intercept(interceptor).start(), calls)
}

async fn score(client: &Client, times: u32) {
    for _ in 0..times {
        client.score("dice-poker-13", ROLL).await.expect("scores");
    }
}

/// Waits until `condition` holds; fails after five seconds.
async fn until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(5), "never happened");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Calls until `replica` has had one more call than now.
async fn until_called(client: &Client, replica: &AtomicU32) {
    let before = replica.load(Ordering::SeqCst);
    for _ in 0..500 {
        score(client, 1).await;
        if replica.load(Ordering::SeqCst) > before {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never called");
}

#[tokio::test]
async fn calls_spread_over_healthy_replicas_and_leave_drained_ones() {
    let (first, first_calls) = replica();
    let (second, second_calls) = replica();
    let both = format!("{},{}", first.url(), second.url());
    let client = Client::connect(both).await.expect("connects");
    until_called(&client, &first_calls).await;
    until_called(&client, &second_calls).await;

    first.set_serving(false);
    // Calls may still be on their way there for a moment.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let before = first_calls.load(Ordering::SeqCst);
    score(&client, 50).await;
    assert_eq!(first_calls.load(Ordering::SeqCst), before, "drained, yet called");

    first.set_serving(true);
    until_called(&client, &first_calls).await;
}

#[tokio::test]
async fn a_killed_replica_costs_no_call_and_rejoins() {
    let (first, first_calls) = replica();
    let (second, _) = replica();
    let address = first.address();
    let both = format!("{},{}", first.url(), second.url());
    let client = Client::connect(both).await.expect("connects");
    until_called(&client, &first_calls).await;

    let caller = tokio::spawn({
        let client = client.clone();
        async move {
            for _ in 0..200 {
                client.score("dice-poker-13", ROLL).await.expect("no call fails");
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    tokio::task::spawn_blocking(move || drop(first)).await.expect("killed");
    caller.await.expect("no call failed");

    let calls = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&calls);
    let start = move || {
        InProcess::with()
            .at(address)
            .intercept(move |_| {
                seen.fetch_add(1, Ordering::SeqCst);
                Ok(())
            })
            .start()
    };
    let _back = tokio::task::spawn_blocking(start).await.expect("started");
    until_called(&client, &calls).await;
}

#[tokio::test]
async fn without_a_serving_replica_calls_wait_and_then_report_why() {
    let (server, _) = replica();
    server.set_serving(false);
    let target = Target::list([server.url()]).expect("an address");
    let client = Client::builder().open(&target).expect("opens");
    let hasty = client.with_deadline(Duration::from_millis(300));
    let error = hasty.score("dice-poker-13", ROLL).await.expect_err("not serving");
    assert_eq!(error.code(), Code::Unavailable);
    assert!(error.message().contains("NOT_SERVING"), "{error}");

    let waiting = tokio::spawn(async move { client.score("dice-poker-13", ROLL).await });
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.set_serving(true);
    waiting.await.expect("joins").expect("served as soon as there is a server");
}

#[tokio::test]
async fn a_name_is_resolved_to_its_replicas() {
    let (server, calls) = replica();
    let target = format!("dns:///localhost:{}", server.address().port());
    let client = Client::connect(target).await.expect("connects");
    score(&client, 3).await;
    until(|| calls.load(Ordering::SeqCst) == 3).await;

    let client = Client::builder().deadline(Duration::from_millis(500));
    let error = client.connect("dns:///no-such-host.invalid:1").await.expect_err("no such host");
    assert!(error.message().contains("no-such-host.invalid cannot be resolved"), "{error}");
}

#[tokio::test]
async fn replicas_join_and_leave_with_the_name_without_a_lost_call() {
    let (first, first_calls) = replica();
    let (second, second_calls) = replica();
    // A registry of the test: the current addresses of the name.
    let registry = Arc::new(Mutex::new(Ok(vec![first.address()])));
    let looked_up = Arc::new(Mutex::new(Vec::new()));
    let (entries, seen) = (Arc::clone(&registry), Arc::clone(&looked_up));
    let client = Client::builder()
        .refresh(Duration::from_millis(20))
        .resolve_by(move |name, port| {
            seen.lock().expect("not poisoned").push((name, port));
            let now = entries.lock().expect("not poisoned").clone();
            async move { now.map_err(|()| std::io::Error::other("the registry is unavailable")) }
        })
        .connect("dns:///dicepoker.test:50051")
        .await
        .expect("connects");
    let register = |addresses| *registry.lock().expect("not poisoned") = addresses;
    until_called(&client, &first_calls).await;
    assert_eq!(second_calls.load(Ordering::SeqCst), 0);
    assert_eq!(looked_up.lock().expect("held")[0], ("dicepoker.test".to_owned(), 50051));

    // One more: it is called, and the earlier one still is.
    register(Ok(vec![first.address(), second.address()]));
    until_called(&client, &second_calls).await;
    until_called(&client, &first_calls).await;

    // The first leaves the name while calls are made; from then on it gets none.
    let caller = tokio::spawn({
        let client = client.clone();
        async move { score(&client, 300).await }
    });
    register(Ok(vec![second.address()]));
    caller.await.expect("no call failed");
    tokio::time::sleep(Duration::from_millis(200)).await;
    let before = first_calls.load(Ordering::SeqCst);
    score(&client, 50).await;
    assert_eq!(first_calls.load(Ordering::SeqCst), before, "gone from the name, yet called");

    // The registry fails: the known addresses are kept. Waits for a number of look-ups, not for a
    // time.
    register(Err(()));
    let lookups = || looked_up.lock().expect("not poisoned").len();
    let begun = lookups();
    until(|| lookups() > begun + 2).await;
    score(&client, 10).await;

    // Back, at an address that it had before.
    register(Ok(vec![first.address(), second.address()]));
    until_called(&client, &first_calls).await;
}

#[tokio::test]
async fn servers_without_a_health_service_count_as_serving() {
    let server = InProcess::with().without_health().start();
    let client = Client::connect(format!("{},", server.url())).await.expect("connects");
    score(&client, 1).await;
}
