//! The table of all settings: name, kind, default and meaning, from which the flags, the help, the
//! printed configuration and the typed [`Config`] are made.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::fault::Faults;
use super::sources::Given;
use super::value::{AuthExempt, LogFormat, SolveAtStart, Value};

/// What is known of a setting besides its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// The field of [`Config`], from which the flag, variable and key are made.
    pub(super) field: &'static str,
    /// The part of the help it stands in.
    pub(super) section: &'static str,
    /// Its default, as it would be written.
    pub(super) default: &'static str,
    /// What it means.
    pub(super) meaning: &'static [&'static str],
    /// Whether it is a plain number or truth value in TOML.
    pub(super) bare: bool,
    /// Whether its flag may stand alone.
    pub(super) switch: bool,
}

impl Setting {
    /// The word of the flag and of the file.
    pub(super) fn word(&self) -> String {
        self.field.replace('_', "-")
    }

    /// The environment variable.
    pub(super) fn variable(&self) -> String {
        format!("DICEPOKER_{}", self.field.to_uppercase())
    }

    /// What it means, in one line.
    pub(super) fn help(&self) -> String {
        self.meaning.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
    }
}

macro_rules! settings {
    ($($section:literal {$(
        $(#[doc = $meaning:literal])+
        $field:ident: $type:ty = $default:literal,
    )+})+) => {
        /// The settings in force.
        // The same text is the help of the command line, which knows no links.
        #[allow(rustdoc::bare_urls)]
        #[derive(Clone, Debug, PartialEq)]
        pub struct Config {
            $($($(#[doc = $meaning])+ pub $field: $type,)+)+
        }

        /// All settings, in the order in which they are shown.
        pub(super) const SETTINGS: &[Setting] = &[$($(Setting {
            field: stringify!($field),
            section: $section,
            default: $default,
            meaning: &[$($meaning),+],
            bare: <$type as Value>::BARE,
            switch: <$type as Value>::SWITCH,
        },)+)+];

        impl Config {
            /// Reads every setting; one that is at fault gets its default.
            pub(super) fn read(given: &Given, faults: &mut Faults) -> Self {
                Self {
                    $($($field: given.read(stringify!($field), $default, faults),)+)+
                }
            }

            /// Every setting as it would be written, in the order of [`SETTINGS`].
            pub(super) fn write(&self) -> Vec<String> {
                vec![$($(self.$field.write(),)+)+]
            }
        }
    };
}

settings! {
    "Service" {
        /// Address to listen on; port 0 takes a free one, which the log names.
        address: SocketAddr = "127.0.0.1:50051",
        /// Address of the plain HTTP page for operators: /metrics, /livez and /readyz. Empty: none.
        admin_address: Option<SocketAddr> = "",
        /// Built-in rulesets solved before the service is ready: all (but for the few that take
        /// seconds), none, or ids parted by commas. Others are solved when first needed.
        solve_at_start: SolveAtStart = "all",
        /// Memory for solved tables of rulesets that are not built in, in MiB.
        cache_mib: u64 = "256",
        /// How long such a ruleset stays in memory when nobody asks for it.
        cache_idle_seconds: Duration = "3600",
        /// Most memory that solving one ruleset sent as data may take, in MiB.
        solve_mib: u64 = "256",
        /// Longest time that solving one ruleset sent as data may take by its estimate, on one core.
        solve_seconds: Duration = "10",
    }
    "Runtime" {
        /// Threads that serve calls; 0: as many as this process may use cores.
        workers: usize = "0",
        /// Threads for long work such as solving; 0: as many as this process may use cores.
        long_work_threads: usize = "0",
        /// Most pieces of long work that may wait for a thread; more are refused at once.
        long_work_queue: usize = "64",
        /// Added to the nice value of threads for long work once the service is ready, so that they
        /// yield to calls: 0 to 19.
        long_work_nice: u32 = "10",
    }
    "Life" {
        /// How long to go on serving after SIGTERM, already NOT_SERVING, so that balancers notice.
        drain_wait_seconds: Duration = "0",
        /// Longest time to let running calls finish after that.
        drain_seconds: Duration = "10",
    }
    "Limits" {
        /// Longest time a call may take, also where its caller would wait longer; 0: no limit.
        max_call_seconds: Duration = "60",
        /// Longest time a call may wait for its turn on a worker that is never idle; 0: no limit. One
        /// that would wait longer is refused at once.
        max_wait_seconds: Duration = "0.005",
        /// Calls served at a time, over all connections; more are refused at once. Health is not
        /// counted.
        max_calls: usize = "1024",
        /// Calls at a time on one connection; clients hold back more by themselves. A client may send
        /// 100 before it knows this number, so fewer refuse some of its first calls.
        max_calls_per_connection: u32 = "100",
        /// Most games that one Simulate may ask for.
        simulate_games: u32 = "100000",
        /// Connections open at a time; more are closed at once. Each takes up to 56 KiB.
        max_connections: usize = "4096",
        /// Largest request message, in KiB.
        max_request_kib: usize = "256",
        /// Largest list of request headers, in KiB.
        max_header_kib: u32 = "16",
        /// Longest time a connection may take to become one: TLS and the HTTP/2 preface.
        handshake_seconds: Duration = "10",
        /// After so long without a word from a connection, ask whether it lives; 0: never ask.
        keepalive_seconds: Duration = "60",
        /// Close a connection that does not answer so long after being asked, or that takes no
        /// data for so long.
        keepalive_timeout_seconds: Duration = "20",
        /// Age, give or take a tenth, at which a connection is told to go elsewhere, so that
        /// clients spread over new replicas; 0: never.
        connection_age_seconds: Duration = "1800",
        /// Longest time to let calls of such a connection finish.
        connection_grace_seconds: Duration = "30",
        /// Calls a second that one caller (its token, else its IP address) may make; 0: no limit.
        rate_per_second: u32 = "0",
        /// Calls that one caller may make at once beyond that rate; 0: a second's worth.
        rate_burst: u32 = "0",
        /// Calls reset before they were accepted after which a connection is closed.
        max_pending_resets: usize = "50",
        /// Frames for calls that are over here, such as the rest of a message that was answered
        /// before, after which a connection is closed.
        max_local_resets: usize = "1024",
    }
    "Telemetry" {
        /// What to log: a level (error, warn, info, debug, trace) or a filter such as
        /// info,dicepoker_server=debug.
        log: String = "info",
        /// Form of the log lines: text or json.
        log_format: LogFormat = "text",
        /// Share of calls that get an access line in the log, from 0 (none) to 1 (all).
        access_log: f64 = "0",
        /// Where traces, metrics and logs go over OTLP/gRPC, such as http://127.0.0.1:4317 or
        /// https://collector.example:4317. Empty: nowhere.
        otlp_endpoint: Option<String> = "",
        /// Authorities, PEM, one of which must have signed the certificate of an https collector.
        /// Empty: those that this machine trusts.
        otlp_ca: Option<PathBuf> = "",
        /// Share of traces begun here that are kept; traces begun by a caller follow the caller.
        trace_sample: f64 = "1",
    }
    "Security" {
        /// Certificate chain of this server, PEM. With a key, the service speaks TLS only.
        tls_cert: Option<PathBuf> = "",
        /// Private key of that certificate, PEM.
        tls_key: Option<PathBuf> = "",
        /// Authorities, PEM, one of which must have signed the certificate of every client.
        tls_client_ca: Option<PathBuf> = "",
        /// Tokens of which every caller must bring one: a name and a token a line.
        auth_tokens_file: Option<PathBuf> = "",
        /// What needs no token all the same: nothing, health, or health-and-reflection.
        auth_exempt: AuthExempt = "health",
        /// How often the files of certificates and tokens are looked at for changes; 0: never.
        reload_seconds: Duration = "10",
        /// Also serve gRPC-Web, over HTTP/1.1 and HTTP/2.
        grpc_web: bool = "false",
        /// Also serve the explorer, a page for browsers, at /, and gRPC-Web for it.
        web: bool = "false",
        /// Origins whose pages may call over gRPC-Web, such as https://play.example; * for all.
        cors_origins: Vec<String> = "",
    }
}
