//! The table of all settings (name, type, default, meaning), from which flags, help, the printed
//! configuration and the typed [`Config`] are generated.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::fault::Faults;
use super::given::Given;
use super::value::{AuthExempt, LogFormat, SolveAtStart, Value};

/// A setting without its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// Field of [`Config`], from which flag, variable and key are derived.
    pub(super) field: &'static str,
    /// Section of the help.
    pub(super) section: &'static str,
    /// Default, as text.
    pub(super) default: &'static str,
    /// Meaning.
    pub(super) meaning: &'static [&'static str],
    /// Whether TOML writes it without quotes.
    pub(super) bare: bool,
    /// Whether its flag needs no value.
    pub(super) switch: bool,
}

impl Setting {
    /// Name in flags and in the file.
    pub(super) fn word(&self) -> String {
        self.field.replace('_', "-")
    }

    /// The environment variable.
    pub(super) fn variable(&self) -> String {
        format!("DICEPOKER_{}", self.field.to_uppercase())
    }

    /// Meaning, in one line.
    pub(super) fn help(&self) -> String {
        self.meaning.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
    }
}

macro_rules! settings {
    ($($section:literal {$(
        $(#[doc = $meaning:literal])+
        $field:ident: $type:ty = $default:literal,
    )+})+) => {
        /// The effective settings.
        // The same text is the help of the command line, where links have no meaning.
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
            /// Reads every setting; an invalid one gets its default.
            pub(super) fn read(given: &Given, faults: &mut Faults) -> Self {
                Self {
                    $($($field: given.read(stringify!($field), $default, faults),)+)+
                }
            }

            /// Every setting as text, in the order of [`SETTINGS`].
            pub(super) fn write(&self) -> Vec<String> {
                vec![$($(self.$field.write(),)+)+]
            }
        }
    };
}

settings! {
    "Service" {
        /// Address to listen on; with port 0 a free port, which the log names.
        address: SocketAddr = "127.0.0.1:50051",
        /// Address of the admin page over plain HTTP: /metrics, /livez and /readyz. Empty: none.
        admin_address: Option<SocketAddr> = "",
        /// Built-in rulesets to solve before the service is ready: all (except the few that take
        /// seconds), none, or ids separated by commas. Others are solved on first use. With objectives
        /// among them (all,objectives), also their tables for objectives and explanations.
        solve_at_start: SolveAtStart = "all",
        /// Cache for tables of rulesets that are not built in, in MiB.
        cache_mib: u64 = "256",
        /// Time after which such a ruleset is dropped from the cache if it is not used.
        cache_idle_seconds: Duration = "3600",
        /// Limit on the memory for solving one ruleset sent as data, in MiB.
        solve_mib: u64 = "256",
        /// Limit on the estimated time of solving one ruleset sent as data, on one core.
        solve_seconds: Duration = "10",
    }
    "Runtime" {
        /// Threads that serve calls; 0: one for each core that the process may use.
        workers: usize = "0",
        /// Threads for long work such as solving; 0: one for each core that the process may use.
        long_work_threads: usize = "0",
        /// Limit on pieces of long work that wait for a thread; more are rejected at once.
        long_work_queue: usize = "64",
        /// Added to the nice value of threads for long work once the service is ready, so that they
        /// yield to calls: 0 to 19.
        long_work_nice: u32 = "10",
    }
    "Life" {
        /// Time to serve after SIGTERM with health NOT_SERVING, so that load balancers notice.
        drain_wait_seconds: Duration = "0",
        /// Limit on the time for running calls to finish after that.
        drain_seconds: Duration = "10",
    }
    "Limits" {
        /// Limit on the time of a call, also if its deadline is later; 0: no limit.
        max_call_seconds: Duration = "60",
        /// Limit on the time that a call waits for a busy worker; 0: no limit. A call that would wait
        /// longer is rejected at once.
        max_wait_seconds: Duration = "0.005",
        /// Limit on concurrent calls over all connections, health excepted; more are rejected at once.
        max_calls: usize = "1024",
        /// Limit on concurrent calls of one connection; clients hold back further calls. A client may send
        /// 100 before it knows this limit, so a lower one rejects some of its first calls.
        max_calls_per_connection: u32 = "100",
        /// Limit on the games of one Simulate or Analyze.
        simulate_games: u32 = "100000",
        /// Limit on open connections; more are closed at once. Each takes up to 56 KiB.
        max_connections: usize = "4096",
        /// Limit on a request message, in KiB.
        max_request_kib: usize = "256",
        /// Limit on the headers of a request, in KiB.
        max_header_kib: u32 = "16",
        /// Timeout of TLS and the HTTP/2 preface of a new connection.
        handshake_seconds: Duration = "10",
        /// Idle time after which a connection gets an HTTP/2 PING; 0: never.
        keepalive_seconds: Duration = "60",
        /// Time after which a connection is closed that does not answer a PING, or takes no data.
        keepalive_timeout_seconds: Duration = "20",
        /// Age, plus or minus a tenth, at which a connection gets GOAWAY, so that clients connect to new
        /// replicas; 0: never.
        connection_age_seconds: Duration = "1800",
        /// Limit on the time for the calls of such a connection to finish.
        connection_grace_seconds: Duration = "30",
        /// Limit on calls per second of one caller (its token, else its IP address); 0: no limit.
        rate_per_second: u32 = "0",
        /// Calls that one caller may make at once beyond that rate; 0: those of one second.
        rate_burst: u32 = "0",
        /// Calls reset before they were accepted, after which a connection is closed.
        max_pending_resets: usize = "50",
        /// Frames for calls that have ended here, such as the rest of a rejected message, after which a
        /// connection is closed.
        max_local_resets: usize = "1024",
    }
    "Telemetry" {
        /// Log level (error, warn, info, debug, trace) or filter, such as
        /// info,dicepoker_server=debug.
        log: String = "info",
        /// Format of log lines: text or json.
        log_format: LogFormat = "text",
        /// Share of calls with an access line in the log, from 0 (none) to 1 (all).
        access_log: f64 = "0",
        /// Endpoint for traces, metrics and logs over OTLP/gRPC, such as http://127.0.0.1:4317 or
        /// https://collector.example:4317. Empty: none.
        otlp_endpoint: Option<String> = "",
        /// PEM file of the certificate authorities of an https collector. Empty: those that this machine
        /// trusts.
        otlp_ca: Option<PathBuf> = "",
        /// Share of traces begun here that are sampled; traces begun by a caller follow its decision.
        trace_sample: f64 = "1",
    }
    "Security" {
        /// PEM file of the certificate chain. With a key, the service speaks TLS only.
        tls_cert: Option<PathBuf> = "",
        /// PEM file of the private key of that certificate.
        tls_key: Option<PathBuf> = "",
        /// PEM file of the certificate authorities of clients, which then need a certificate.
        tls_client_ca: Option<PathBuf> = "",
        /// File of tokens, a name and a token per line; every call must carry one.
        auth_tokens_file: Option<PathBuf> = "",
        /// Services that need no token: nothing, health, or health-and-reflection.
        auth_exempt: AuthExempt = "health",
        /// Interval at which files of certificates and tokens are checked for changes; 0: never.
        reload_seconds: Duration = "10",
        /// Also serve gRPC-Web, over HTTP/1.1 and HTTP/2.
        grpc_web: bool = "false",
        /// Also serve the explorer, a page for browsers, at /, and gRPC-Web for it.
        web: bool = "false",
        /// Origins whose pages may call over gRPC-Web, such as https://play.example; * for all.
        cors_origins: Vec<String> = "",
    }
}
