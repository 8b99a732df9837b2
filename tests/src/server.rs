//! The service as a process: started on a free port, found by its log, ended by its id.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

use tonic::transport::{Channel, Endpoint};

use crate::Client;

/// How long anything may take that should take no time to speak of: past it a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The process that the tests of this program share, while one of them holds it.
static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());

/// A running service. Dropping it ends the process.
#[derive(Debug)]
pub struct Server {
    child: Mutex<Child>,
    guard: Child,
    address: String,
    log: Arc<Log>,
}

/// What the process wrote to standard error, line by line.
#[derive(Debug, Default)]
struct Log {
    lines: Mutex<(VecDeque<String>, bool)>,
    more: Condvar,
}

impl Server {
    /// Starts `program` on a free port with `flags`, and waits until it listens. It may not be
    /// ready yet: see [`Server::line`].
    ///
    /// # Panics
    /// If it does not start to listen.
    #[must_use]
    pub fn start(program: &str, flags: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(["--address", "127.0.0.1:0"])
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the service starts");
        let guard = guard(&child);
        let log = Arc::new(Log::default());
        let stderr = child.stderr.take().expect("piped");
        let writer = Arc::clone(&log);
        std::thread::spawn(move || {
            // Reading goes on to the end: a full pipe would stop the service.
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                writer.push(line);
            }
            writer.end();
        });
        let mut server = Self { child: Mutex::new(child), guard, address: String::new(), log };
        let line = server.line("listening");
        let address = line.split("address=").nth(1).and_then(|rest| rest.split(' ').next());
        server.address = address.expect("the log names the address").to_owned();
        server
    }

    /// The process that the tests of this program share: started for the first that asks, ended
    /// when the last one lets go.
    ///
    /// # Panics
    /// If it does not start to listen.
    #[must_use]
    pub fn shared(program: &str) -> Arc<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let server = Arc::new(Self::start(program, &[]));
            *shared = Arc::downgrade(&server);
            server
        })
    }

    /// The first log line with `text` in it, waited for.
    ///
    /// # Panics
    /// If there is none within [`PATIENCE`], or the process ends without it.
    #[must_use]
    pub fn line(&self, text: &str) -> String {
        self.log.wait_for(text)
    }

    /// Where it listens, such as `127.0.0.1:41234`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A new connection to it. Calls that take longer than five seconds fail.
    ///
    /// # Panics
    /// If it cannot be made.
    pub async fn channel(&self) -> Channel {
        self.endpoint().timeout(Duration::from_secs(5)).connect().await.expect("it listens")
    }

    /// A client with a connection of its own, patient enough for a ruleset to be solved.
    ///
    /// # Panics
    /// If it cannot connect.
    pub async fn client(&self) -> Client {
        Client::new(self.endpoint().timeout(PATIENCE).connect().await.expect("it listens"))
    }

    fn endpoint(&self) -> Endpoint {
        Endpoint::try_from(format!("http://{}", self.address)).expect("an address")
    }

    /// Sends it a signal, such as `TERM`.
    ///
    /// # Panics
    /// If there is no process to send it to.
    pub fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// How it ended; waited for.
    ///
    /// # Panics
    /// If it has not ended within [`PATIENCE`].
    #[must_use]
    pub fn ended(&self) -> ExitStatus {
        // The log ends with the process, after which waiting takes no time.
        self.log.wait_for_end();
        self.child.lock().expect("not poisoned").wait().expect("a child of ours")
    }

    /// Whether it still runs.
    ///
    /// # Panics
    /// If it is no child of this process.
    #[must_use]
    pub fn runs(&self) -> bool {
        self.child.lock().expect("not poisoned").try_wait().expect("a child of ours").is_none()
    }

    /// Its resident memory in MiB, as Linux counts it.
    ///
    /// # Panics
    /// If there is no such process, or no `/proc`.
    #[must_use]
    pub fn resident_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()));
        let status = status.expect("a running process");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
        let kib = line.split_whitespace().nth(1).expect("a number of KiB");
        kib.parse::<u64>().expect("a number") / 1024
    }

    fn id(&self) -> u32 {
        self.child.lock().expect("not poisoned").id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.guard.kill();
        let _ = self.guard.wait();
        if let Ok(child) = self.child.get_mut() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Ends `child` when this program is gone, however it ended: its end of the pipe closes with it.
fn guard(child: &Child) -> Child {
    Command::new("sh")
        .args(["-c", &format!("cat > /dev/null; kill -9 {}", child.id())])
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell")
}

impl Log {
    fn push(&self, line: String) {
        self.lines.lock().expect("not poisoned").0.push_back(line);
        self.more.notify_all();
    }

    fn end(&self) {
        self.lines.lock().expect("not poisoned").1 = true;
        self.more.notify_all();
    }

    fn wait_for(&self, text: &str) -> String {
        let mut lines = self.lines.lock().expect("not poisoned");
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(line) = lines.0.iter().find(|line| line.contains(text)) {
                return line.clone();
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!lines.1 && !left.is_zero(), "no \"{text}\" in the log: {:?}", lines.0);
            lines = self.more.wait_timeout(lines, left).expect("not poisoned").0;
        }
    }

    fn wait_for_end(&self) {
        let mut lines = self.lines.lock().expect("not poisoned");
        let until = Instant::now() + PATIENCE;
        while !lines.1 {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "still running: {:?}", lines.0);
            lines = self.more.wait_timeout(lines, left).expect("not poisoned").0;
        }
    }
}
