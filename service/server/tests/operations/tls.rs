//! TLS and mutual TLS: which clients are accepted, and that no call is lost when certificates change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use dicepoker_proto::v1::dice_poker_service_client::DicePokerServiceClient;
use dicepoker_testkit::Signal;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    date_time_ymd,
};
use tempfile::TempDir;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};

use crate::server::{Client, PATIENCE, Server, command, score, score_retrying, start};

pub(crate) type Authority = CertifiedIssuer<'static, KeyPair>;

pub(crate) fn authority() -> Authority {
    let mut params = CertificateParams::new(Vec::new()).expect("sound");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("signed")
}

/// A certificate and its key, PEM.
pub(crate) struct Pair {
    pub(crate) cert: String,
    pub(crate) key: String,
}

pub(crate) fn signed(
    by: &Authority,
    name: &str,
    usage: ExtendedKeyUsagePurpose,
    last_year: i32,
) -> Pair {
    let mut params = CertificateParams::new(vec![name.to_owned()]).expect("sound");
    params.extended_key_usages = vec![usage];
    params.not_before = date_time_ymd(2001, 1, 1);
    params.not_after = date_time_ymd(last_year, 1, 1);
    let key = KeyPair::generate().expect("a key");
    let cert = params.signed_by(&key, by).expect("signed");
    Pair { cert: cert.pem(), key: key.serialize_pem() }
}

fn client_pair(by: &Authority, last_year: i32) -> Pair {
    signed(by, "player", ExtendedKeyUsagePurpose::ClientAuth, last_year)
}

/// The files of a server.
pub(crate) struct Files {
    folder: TempDir,
}

impl Files {
    pub(crate) fn new(authority: &Authority) -> Self {
        let files = Self { folder: tempfile::tempdir().expect("a folder") };
        files.put_server(authority);
        files
    }

    fn put_server(&self, authority: &Authority) {
        let pair = signed(authority, "localhost", ExtendedKeyUsagePurpose::ServerAuth, 2999);
        self.put("key.pem", &pair.key);
        self.put("cert.pem", &pair.cert);
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn start(&self, more: &[&str]) -> Server {
        let (cert, key) = (self.path("cert.pem"), self.path("key.pem"));
        let flags = ["--tls-cert", text(&cert), "--tls-key", text(&key)];
        start(&[&flags, more].concat())
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn endpoint(server: &Server, trusted: &Authority, own: Option<&Pair>) -> Endpoint {
    let mut tls = ClientTlsConfig::new()
        .domain_name("localhost")
        .ca_certificate(Certificate::from_pem(trusted.pem()));
    if let Some(own) = own {
        tls = tls.identity(Identity::from_pem(&own.cert, &own.key));
    }
    let url = server.url().replace("http:", "https:");
    Endpoint::new(url).expect("an address").tls_config(tls).expect("sound")
}

async fn call(server: &Server, trusted: &Authority, own: Option<&Pair>) -> bool {
    let Ok(channel) = endpoint(server, trusted, own).connect().await else { return false };
    DicePokerServiceClient::new(channel).score(score()).await.is_ok()
}

#[tokio::test]
async fn a_client_checks_the_server_and_the_server_speaks_tls_only() {
    let (ours, other) = (authority(), authority());
    let server = Files::new(&ours).start(&[]);
    assert!(call(&server, &ours, None).await);
    assert!(!call(&server, &other, None).await);
    let plain = Endpoint::new(server.url()).expect("an address").connect().await;
    let served = match plain {
        Ok(channel) => DicePokerServiceClient::new(channel).score(score()).await.is_ok(),
        Err(_) => false,
    };
    assert!(!served);
}

#[tokio::test]
async fn only_clients_with_a_valid_certificate_are_accepted() {
    let (ours, other) = (authority(), authority());
    let files = Files::new(&ours);
    files.put("clients.pem", &ours.pem());
    let server = files.start(&["--tls-client-ca", text(&files.path("clients.pem"))]);
    assert!(call(&server, &ours, Some(&client_pair(&ours, 2999))).await, "sound");
    assert!(!call(&server, &ours, None).await, "none");
    assert!(!call(&server, &ours, Some(&client_pair(&other, 2999))).await, "of another authority");
    assert!(!call(&server, &ours, Some(&client_pair(&ours, 2002))).await, "expired");
    assert!(call(&server, &ours, Some(&client_pair(&ours, 2999))).await, "still valid");
}

#[test]
fn unusable_files_are_faults_of_the_configuration() {
    let (ours, other) = (authority(), authority());
    let files = Files::new(&ours);
    let unsigned = signed(&other, "localhost", ExtendedKeyUsagePurpose::ServerAuth, 2999);
    files.put("key.pem", &unsigned.key);
    files.put("tokens", "player short");
    let output = command()
        .args(["--check-config", "--tls-cert", text(&files.path("cert.pem"))])
        .args(["--tls-key", text(&files.path("key.pem"))])
        .args(["--auth-tokens-file", text(&files.path("tokens"))])
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(64));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("2 faults") && message.contains("key.pem"), "{message}");
    assert!(!message.contains("short"), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_is_replaced_under_load_and_no_call_is_lost() {
    let (old, new) = (authority(), authority());
    let files = Files::new(&old);
    let server = Arc::new(files.start(&["--reload-seconds", "0.1"]));
    let (stop, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));

    // One connection that stays open.
    let channel = endpoint(&server, &old, None).connect().await.expect("connects");
    let steady = tokio::spawn(call_until(channel, Arc::clone(&stop), Arc::clone(&calls)));
    // New connections all the time, which trust either certificate.
    let either = format!("{}{}", old.pem(), new.pem());
    let tls = ClientTlsConfig::new()
        .domain_name("localhost")
        .ca_certificate(Certificate::from_pem(either));
    let url = server.url().replace("http:", "https:");
    let both = Endpoint::new(url).expect("an address").tls_config(tls).expect("sound");
    let fresh = tokio::spawn({
        let (stop, calls) = (Arc::clone(&stop), Arc::clone(&calls));
        async move {
            while !stop.load(Relaxed) {
                let channel = both.connect().await.expect("connects whichever is in force");
                DicePokerServiceClient::new(channel).score(score()).await.expect("served");
                calls.fetch_add(1, Relaxed);
            }
        }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!call(&server, &new, None).await, "the new one is not in force yet");
    files.put_server(&new);
    let begin = std::time::Instant::now();
    while !call(&server, &new, None).await {
        assert!(begin.elapsed() < PATIENCE, "the new certificate is not in force");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    files.put("cert.pem", "nonsense");
    server.signal(Signal::HUP);
    server.logged(&["reload failed"]);
    assert!(call(&server, &new, None).await, "what was in force stays");
    stop.store(true, Relaxed);
    steady.await.expect("no call of the old connection was lost");
    fresh.await.expect("no call of a new connection was lost");
    assert!(calls.load(Relaxed) > 10);
}

async fn call_until(channel: Channel, stop: Arc<AtomicBool>, calls: Arc<AtomicUsize>) {
    let mut client: Client = DicePokerServiceClient::new(channel);
    while !stop.load(Relaxed) {
        client.score(score()).await.expect("served");
        calls.fetch_add(1, Relaxed);
    }
    score_retrying(&mut client).await.expect("served");
}
