//! `dicepoker explore`: the explorer in a browser, with a service of its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};

use tokio::net::TcpListener;

use crate::failure::Failure;

/// Where the page is served.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Port on this machine; 0 for any free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Print the address only, without opening a browser.
    #[arg(long)]
    no_open: bool,
}

/// Serves until Ctrl-C.
pub(crate) async fn run(args: Args) -> Result<(), Failure> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let listener = TcpListener::bind(address).await.map_err(Failure::Io)?;
    let url = format!("http://{}/", listener.local_addr().map_err(Failure::Io)?);
    println!("{url}");
    if !args.no_open {
        open(&url);
    }
    tokio::select! {
        served = dicepoker_client::serve_explorer(listener) => Ok(served?),
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}

/// Opens `url` on the desktop. Without one, the printed address remains.
fn open(url: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else {
        Command::new("xdg-open")
    };
    let _ =
        command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
