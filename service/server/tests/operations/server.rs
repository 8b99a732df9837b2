//! A service process to test, ended when its test is over.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::dice_poker_service_client::DicePokerServiceClient;
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::timeout;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

pub(crate) type Client = DicePokerServiceClient<Channel>;

/// Longer than anything here takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A running service.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    log: Log,
    pub(crate) address: SocketAddr,
}

#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Server {
    /// Starts a service with these flags that solves nothing at start and takes a free port.
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::start_at("127.0.0.1:0", flags)
    }

    pub(crate) fn start_at(address: &str, flags: &[&str]) -> Self {
        let mut process = command()
            .args(["--address", address, "--solve-at-start", "none", "--log-format", "json"])
            .args(flags)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let log = Log::default();
        let stderr = process.stderr.take().expect("piped");
        std::thread::spawn({
            let log = log.clone();
            move || {
                for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                    log.0.lock().expect("no panic").push(line);
                }
            }
        });
        let address = log.address("listening");
        Self { process, log, address }
    }

    /// The address of the page for operators.
    pub(crate) fn admin(&self) -> SocketAddr {
        self.log.address("listening for operators")
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) async fn channel(&self) -> Channel {
        Endpoint::new(self.url()).expect("an address").connect().await.expect("connects")
    }

    pub(crate) async fn client(&self) -> Client {
        DicePokerServiceClient::new(self.channel().await)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.process);
        kill_process(pid, signal).expect("signalled");
    }

    /// The status with which the process ends by itself, and how long that took.
    pub(crate) fn ended(&mut self) -> (ExitStatus, Duration) {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait().expect("waited for") {
                return (status, begin.elapsed());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("the process does not end: {:?}", self.log)
    }

    /// The first log line that contains all of `parts`, once it is there.
    pub(crate) fn logged(&self, parts: &[&str]) -> String {
        self.log.wait(parts)
    }

    /// Bytes of memory that the process holds.
    pub(crate) fn memory(&self) -> u64 {
        let path = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(path).expect("a process of Linux");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("told");
        let kib = line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok());
        kib.expect("a number") << 10
    }

    /// All log lines there are now.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.0.lock().expect("no panic").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Log {
    fn wait(&self, parts: &[&str]) -> String {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let lines = self.0.lock().expect("no panic");
            if let Some(line) = lines.iter().find(|line| parts.iter().all(|p| line.contains(p))) {
                return line.clone();
            }
            drop(lines);
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("{parts:?} was not logged: {:?}", self.0.lock().expect("no panic"))
    }

    fn address(&self, message: &str) -> SocketAddr {
        let line = self.wait(&[&format!("\"message\":\"{message}\"")]);
        let (_, rest) = line.split_once("\"address\":\"").expect("an address");
        rest.split('"').next().expect("closed").parse().expect("an address")
    }
}

/// A number from the environment, for longer runs by hand.
pub(crate) fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Lets this process hold as many sockets as it may.
pub(crate) fn raise_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("raised");
}

/// The program, with nothing of this process's environment.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dicepoker-server"));
    command.env_clear();
    command
}

/// A request that every service answers in microseconds.
pub(crate) fn score() -> pb::ScoreRequest {
    pb::ScoreRequest {
        ruleset: "dice-poker-13".to_owned(),
        dice: vec![1, 3, 2, 4, 4],
        ..Default::default()
    }
}

/// Calls until the service has answered, as a client does that retries calls which never reached
/// it: those a closing connection did not take any more, and those answered UNAVAILABLE.
pub(crate) async fn score_retrying(client: &mut Client) -> Result<(), Status> {
    let mut last = Ok(());
    for _ in 0..400 {
        let answer = timeout(PATIENCE, client.score(score())).await;
        match answer.expect("a call is answered, or told that it is not") {
            Ok(_) => return Ok(()),
            Err(status) if never_served(&status) => last = Err(status),
            Err(status) => return Err(status),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    last
}

/// tonic's client says CANCELLED or UNKNOWN of a call that its connection did not take, and INTERNAL
/// of one that came after the last that a closing connection serves (GOAWAY).
fn never_served(status: &Status) -> bool {
    let mut source = std::error::Error::source(status);
    match status.code() {
        Code::Unavailable => true,
        Code::Cancelled | Code::Unknown => source.is_some(),
        _ => {
            while let Some(error) = source {
                if let Some(h2) = error.downcast_ref::<h2::Error>() {
                    return h2.is_go_away() && h2.reason() == Some(h2::Reason::NO_ERROR);
                }
                source = error.source();
            }
            false
        }
    }
}

/// What the page for operators answers: status code and body.
pub(crate) async fn get(address: SocketAddr, path: &str) -> (u16, String) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connects");
    let request = format!("GET {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    (status.expect("a status"), body.to_owned())
}

/// Whether health says that the service is well.
pub(crate) async fn is_well(server: &Server) -> bool {
    let mut health = HealthClient::new(server.channel().await);
    health.check(HealthCheckRequest { service: String::new() }).await.is_ok()
}
