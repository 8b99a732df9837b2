//! The service as a process, on a free port that its log names.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use dicepoker_proto::v1::dice_poker_service_client::DicePokerServiceClient;
use rustix::process::{Pid, Signal, kill_process};
use tonic::transport::{Channel, Endpoint};

/// The timeout of everything that usually takes no time.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The timeout of starting, logging and ending, which take long on an overloaded machine.
const LONGEST: Duration = Duration::from_secs(300);

/// A generated client with a connection.
pub type Client = DicePokerServiceClient<Channel>;

/// A running service. Dropping it kills the process.
#[derive(Debug)]
pub struct Server {
    child: Mutex<Child>,
    guard: Child,
    pid: Pid,
    log: Arc<Log>,
    /// The address that it listens on.
    pub address: SocketAddr,
}

/// The lines that the process wrote to standard error.
#[derive(Debug, Default)]
struct Log {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: Vec<String>,
    ended: bool,
}

/// A command for `program` that inherits no variable of the environment but `PATH`.
#[must_use]
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command
}

impl Server {
    /// Starts `program` with these flags, without the environment of the test, and waits until it
    /// listens; [`logged`](Self::logged) waits until it is ready.
    ///
    /// # Panics
    /// If it does not listen within five minutes.
    #[must_use]
    pub fn start(program: impl AsRef<OsStr>, flags: &[&str]) -> Self {
        let mut command = command(program);
        command.args(flags);
        Self::spawn(command)
    }

    /// Runs a command that starts the service, such as one of `taskset`, and waits until it
    /// listens. Unless the command sets them, the address is a free port of 127.0.0.1 and the log
    /// is JSON, which this type reads.
    ///
    /// # Panics
    /// If it does not listen within five minutes.
    #[must_use]
    pub fn spawn(mut command: Command) -> Self {
        let usual = [("DICEPOKER_ADDRESS", "127.0.0.1:0"), ("DICEPOKER_LOG_FORMAT", "json")];
        for (variable, value) in usual {
            if !command.get_envs().any(|(set, _)| set == variable) {
                command.env(variable, value);
            }
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let guard = guard(&child);
        let log = Arc::new(Log::default());
        let stderr = child.stderr.take().expect("piped");
        std::thread::spawn({
            let log = Arc::clone(&log);
            move || {
                // Reads to the end: a full pipe would block the service.
                for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                    log.change(|state| state.lines.push(line));
                }
                log.change(|state| state.ended = true);
            }
        });
        let address = log.address("listening");
        Self { pid: Pid::from_child(&child), child: Mutex::new(child), guard, log, address }
    }

    /// The URL that it listens on.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A new connection to it.
    ///
    /// # Panics
    /// If it does not accept one.
    pub async fn channel(&self) -> Channel {
        Endpoint::new(self.url()).expect("an address").connect().await.expect("connects")
    }

    /// A client with a connection of its own.
    ///
    /// # Panics
    /// If the service does not accept the connection.
    pub async fn client(&self) -> Client {
        Client::new(self.channel().await)
    }

    /// The address of the page for operators.
    ///
    /// # Panics
    /// If it has none.
    #[must_use]
    pub fn admin(&self) -> SocketAddr {
        self.log.address("listening for operators")
    }

    /// The first log line that contains all of `parts`; waits for it.
    ///
    /// # Panics
    /// If there is none within five minutes, or the process ends without it.
    pub fn logged(&self, parts: &[&str]) -> String {
        self.log.wait(parts)
    }

    /// The log lines written so far.
    ///
    /// # Panics
    /// Never: no thread panics while it holds the log.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.log.state.lock().expect("no panic").lines.clone()
    }

    /// Sends a signal to the process.
    ///
    /// # Panics
    /// If the process has ended.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid, signal).expect("signalled");
    }

    /// Waits until the process ends by itself; its status, and how long that took.
    ///
    /// # Panics
    /// If it still runs after five minutes.
    pub fn ended(&self) -> (ExitStatus, Duration) {
        let begin = Instant::now();
        // The log ends with the process.
        self.log.wait_for_end();
        let status = self.child.lock().expect("no panic").wait().expect("a child");
        (status, begin.elapsed())
    }

    /// Whether it still runs.
    ///
    /// # Panics
    /// Never: the process is a child of this one.
    #[must_use]
    pub fn runs(&self) -> bool {
        self.child.lock().expect("no panic").try_wait().expect("a child").is_none()
    }

    /// Its resident memory in bytes.
    ///
    /// # Panics
    /// If the process has ended, or there is no `/proc`.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.bytes("VmRSS:")
    }

    /// The most resident memory that it has had, in bytes.
    ///
    /// # Panics
    /// If the process has ended, or there is no `/proc`.
    #[must_use]
    pub fn peak_memory(&self) -> u64 {
        self.bytes("VmHWM:")
    }

    /// The processor time that it has used.
    ///
    /// # Panics
    /// If the process has ended, or there is no `/proc`.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        const TICKS_PER_SECOND: f64 = 100.0;
        let stat = self.proc("stat");
        // The name, in brackets, may contain spaces; user and system time are fields 14 and 15.
        let (_, fields) = stat.rsplit_once(')').expect("a name");
        let times = fields.split_whitespace().skip(11).take(2);
        let ticks: f64 = times.map(|time| time.parse::<f64>().expect("a number")).sum();
        Duration::from_secs_f64(ticks / TICKS_PER_SECOND)
    }

    fn bytes(&self, name: &str) -> u64 {
        let status = self.proc("status");
        let line = status.lines().find(|line| line.starts_with(name)).expect("its memory");
        let kib = line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok());
        kib.expect("a number of KiB") << 10
    }

    fn proc(&self, file: &str) -> String {
        let path = format!("/proc/{}/{file}", self.pid.as_raw_nonzero());
        std::fs::read_to_string(path).expect("a running process of Linux")
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

/// Kills `child` when the test's process ends, however it ends, which closes this one's standard
/// input.
fn guard(child: &Child) -> Child {
    Command::new("sh")
        .args(["-c", &format!("cat > /dev/null; kill -9 {}", child.id())])
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell")
}

impl Log {
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().expect("no panic"));
        self.changed.notify_all();
    }

    fn wait(&self, parts: &[&str]) -> String {
        let line = self.until(|state| {
            let mut lines = state.lines.iter();
            let found = lines.find(|line| parts.iter().all(|part| line.contains(part)));
            (found.is_some() || state.ended).then(|| found.cloned())
        });
        line.flatten().unwrap_or_else(|| panic!("{parts:?} was not logged: {self:?}"))
    }

    fn wait_for_end(&self) {
        let ended = self.until(|state| state.ended.then_some(()));
        ended.unwrap_or_else(|| panic!("the process does not end: {self:?}"));
    }

    /// The first result of `look`, which is called after each change; `None` after [`LONGEST`].
    fn until<T>(&self, mut look: impl FnMut(&State) -> Option<T>) -> Option<T> {
        let end = Instant::now() + LONGEST;
        let mut state = self.state.lock().expect("no panic");
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match look(&state) {
                None if left.is_zero() => return None,
                None => state = self.changed.wait_timeout(state, left).expect("no panic").0,
                found => return found,
            }
        }
    }

    fn address(&self, message: &str) -> SocketAddr {
        let line = self.wait(&[&format!("\"message\":\"{message}\"")]);
        let (_, rest) = line.split_once("\"address\":\"").expect("an address");
        rest.split('"').next().expect("closed").parse().expect("an address")
    }
}
