//! Validation of settings beyond their syntax.

use std::time::Duration;

use super::fault::Faults;
use super::settings::Config;
use super::value::AtStart;
use crate::log_filter;
use crate::rulesets::ids::built_in_ids;

/// Adds the faults of `config` to `faults`.
pub(super) fn check(config: &Config, faults: &mut Faults) {
    if log_filter::parse(&config.log).is_none() {
        faults.push(format!(
            "log is {:?}; it must be levels (off, error, warn, info, debug, trace) or target=level, with commas",
            config.log
        ));
    }
    if let AtStart::Rulesets(ids) = &config.solve_at_start.rulesets {
        let known = built_in_ids();
        for id in ids.iter().filter(|id| !known.contains(id)) {
            faults.push(format!(
                "solve-at-start is {id:?}; valid are all, none, objectives, or ids of {}",
                known.join(", ")
            ));
        }
    }
    limits(config, faults);
    security(config, faults);
    let encrypted = |endpoint: &String| endpoint.starts_with("https:");
    if config.otlp_ca.is_some() && !config.otlp_endpoint.as_ref().is_some_and(encrypted) {
        faults.push("otlp-ca is set; it requires an https:// otlp-endpoint");
    }
    if let Some(endpoint) = &config.otlp_endpoint {
        // A password in a URL would end up in logs.
        let sound = endpoint.parse::<http::Uri>().is_ok_and(|uri| {
            matches!(uri.scheme_str(), Some("http" | "https"))
                && uri.authority().is_some_and(|authority| !authority.as_str().contains('@'))
        });
        if !sound {
            faults
                .push("otlp-endpoint must be an http:// or https:// URL without user and password");
        }
    }
}

fn limits(config: &Config, faults: &mut Faults) {
    let mut at_least_one = |word: &str, value: u64| {
        if value == 0 {
            faults.push(format!("{word} is 0; it must be at least 1"));
        }
    };
    at_least_one("max-calls", config.max_calls as u64);
    at_least_one("max-calls-per-connection", config.max_calls_per_connection.into());
    at_least_one("max-connections", config.max_connections as u64);
    at_least_one("max-request-kib", config.max_request_kib as u64);
    at_least_one("max-header-kib", config.max_header_kib.into());
    let mut positive = |word: &str, value: Duration| {
        if value.is_zero() {
            faults.push(format!("{word} is 0; it must be more than 0"));
        }
    };
    positive("handshake-seconds", config.handshake_seconds);
    positive("keepalive-timeout-seconds", config.keepalive_timeout_seconds);
    let mut at_most = |word: &str, value: u64, most: u64| {
        if value > most {
            faults.push(format!("{word} is {value}; it must be at most {most}"));
        }
    };
    at_most("workers", config.workers as u64, 1024);
    at_most("long-work-threads", config.long_work_threads as u64, 1024);
    at_most("long-work-nice", config.long_work_nice.into(), 19);
    at_most("max-request-kib", config.max_request_kib as u64, 1 << 20);
    at_most("max-header-kib", config.max_header_kib.into(), 1 << 10);
    at_most("cache-mib", config.cache_mib, 1 << 24);
    at_most("solve-mib", config.solve_mib, 1 << 24);
}

fn security(config: &Config, faults: &mut Faults) {
    match (&config.tls_cert, &config.tls_key) {
        (Some(_), None) => faults.push("tls-key is missing; tls-cert requires it"),
        (None, Some(_)) => faults.push("tls-cert is missing; tls-key requires it"),
        (None, None) if config.tls_client_ca.is_some() => {
            faults.push("tls-client-ca is set; it requires tls-cert and tls-key");
        }
        _ => {}
    }
    if !config.cors_origins.is_empty() && !config.grpc_web && !config.web {
        faults.push("cors-origins is set; it requires grpc-web or web");
    }
    for origin in config.cors_origins.iter().filter(|origin| *origin != "*") {
        let sound = origin.parse::<http::Uri>().is_ok_and(|uri| {
            uri.scheme().is_some() && uri.authority().is_some() && !origin.ends_with('/')
        });
        if !sound {
            faults.push(format!(
                "cors-origins has {origin:?}; valid are * and origins such as https://play.example"
            ));
        }
    }
}
