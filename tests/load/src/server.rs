//! The server under load: started here, watched through /proc, stopped by SIGTERM.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};

use crate::drive::{Call, Connections};
use crate::scenario;

/// Longest wait for a server to be ready.
const READY: Duration = Duration::from_secs(300);

/// A running server.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Where it is.
    pub url: String,
    /// From its start to its being ready.
    pub start: Duration,
}

impl Server {
    /// Starts `program` on a free port of 127.0.0.1 and waits until it is ready.
    pub async fn start(program: &Path) -> io::Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        Self::start_at(program, address, &[]).await
    }

    /// As [`Server::start`], with `settings` and confined to one core of the machine. What is solved
    /// for the positions to call about need not hurry, but must come.
    pub async fn start_on(
        core: usize,
        program: &Path,
        settings: &[(&str, &str)],
    ) -> io::Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", &core.to_string()]).arg(program);
        let patient = [("DICEPOKER_LONG_WORK_NICE", "0"), ("DICEPOKER_MAX_CALL_SECONDS", "300")];
        Self::spawn(command, program, address, &[&patient, settings].concat()).await
    }

    /// Starts `program` at `address`, with `settings`, and waits until it is ready.
    pub async fn start_at(
        program: &Path,
        address: SocketAddr,
        settings: &[(&str, &str)],
    ) -> io::Result<Self> {
        Self::spawn(Command::new(program), program, address, settings).await
    }

    async fn spawn(
        mut command: Command,
        program: &Path,
        address: SocketAddr,
        settings: &[(&str, &str)],
    ) -> io::Result<Self> {
        let begin = Instant::now();
        let child = command
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("DICEPOKER_ADDRESS", address.to_string())
            .env("DICEPOKER_LOG", "warn")
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let mut server = Self { child, url: format!("http://{address}"), start: READY };
        let check: Call = scenario::health();
        while begin.elapsed() < READY {
            if let Some(status) = server.child.try_wait()? {
                return Err(io::Error::other(format!("{} ended: {status}", program.display())));
            }
            if let Ok(connections) = Connections::open(&server.url, 1).await
                && connections.call(&check).await.is_ok_and(|answer| answer == scenario::SERVING)
            {
                server.start = begin.elapsed();
                return Ok(server);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err(io::Error::other(format!("{} is not ready", program.display())))
    }

    /// Time that it has spent on processors so far.
    pub fn cpu(&self) -> io::Result<Duration> {
        const TICKS_PER_SECOND: f64 = 100.0;
        let stat = std::fs::read_to_string(self.proc("stat")?)?;
        // The name, in brackets, may hold spaces; user and system time are fields 14 and 15.
        let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
        let ticks: f64 =
            after.split_whitespace().skip(11).take(2).flat_map(str::parse::<f64>).sum();
        Ok(Duration::from_secs_f64(ticks / TICKS_PER_SECOND))
    }

    /// Memory that it holds (`VmRSS`) or has held at most (`VmHWM`), in MiB.
    pub fn memory(&self, line: &str) -> io::Result<f64> {
        let status = std::fs::read_to_string(self.proc("status")?)?;
        let kib = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':'));
        let kib = kib.and_then(|text| text.trim().trim_end_matches(" kB").parse::<f64>().ok());
        kib.map(|kib| kib / 1024.0).ok_or_else(|| io::Error::other(format!("no {line}")))
    }

    /// Tells it to stop; it must end well.
    pub async fn stop(mut self) -> io::Result<()> {
        let id = self.id()?.to_string();
        Command::new("kill").args(["-TERM", &id]).status().await?;
        let status = self.child.wait().await?;
        if status.success() {
            Ok(())
        } else {
            Err(io::Error::other(format!("ended with {status}")))
        }
    }

    /// Ends it at once, as a machine that fails does.
    #[cfg(feature = "rehearsal")]
    pub async fn kill(mut self) -> io::Result<()> {
        self.child.kill().await
    }

    fn id(&self) -> io::Result<u32> {
        self.child.id().ok_or_else(|| io::Error::other("the server has ended"))
    }

    fn proc(&self, file: &str) -> io::Result<String> {
        Ok(format!("/proc/{}/{file}", self.id()?))
    }
}
