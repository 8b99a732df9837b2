//! Encrypted connections to a real service.
#![cfg(feature = "tls")]

use dicepoker_client::{Client, Target, Tls};
use dicepoker_testkit::{Certificate, InProcess};

const ROLL: [u32; 5] = [1, 3, 2, 4, 4];

#[tokio::test]
async fn a_trusted_server_is_called_and_an_unknown_one_is_not() {
    let certificate = Certificate::generate();
    let server = InProcess::with().encrypted(&certificate).start();
    let trusting = Client::builder().tls(Tls::trusting(certificate.pem()));
    let client = trusting.bearer_token("t").connect(server.url()).await.expect("connects");
    client.score("dice-poker-13", ROLL).await.expect("scores");

    let other = Certificate::generate();
    let distrusting = Client::builder().tls(Tls::trusting(other.pem()));
    let error = distrusting.connect(server.url()).await.expect_err("unknown certificate");
    assert!(error.message().contains("certificate"), "{error}");
}

#[tokio::test]
async fn replicas_found_by_name_are_checked_against_that_name() {
    let certificate = Certificate::generate();
    let server = InProcess::with().encrypted(&certificate).start();
    let target = format!("dnss:///localhost:{}", server.address().port());
    let trusting = Client::builder().tls(Tls::trusting(certificate.pem()));
    let client = trusting.connect(target).await.expect("connects");
    client.score("dice-poker-13", ROLL).await.expect("scores");
}

#[tokio::test]
async fn tls_for_an_address_in_plain_text_is_an_error() {
    let target: Target = "http://localhost:1".parse().expect("an address");
    let error = Client::builder().tls(Tls::new()).open(&target).expect_err("a mistake");
    assert!(error.message().contains("plain text"), "{error}");
}
