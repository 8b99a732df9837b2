//! The filter of log lines, as a setting spells it.

use tracing_subscriber::filter::Targets;

/// The filter of a setting such as `info,dicepoker_server=debug`, if it is one.
pub(crate) fn parse(directives: &str) -> Option<Targets> {
    // `Targets` would take the name of a span for a target, which nothing has.
    if directives.contains(['[', '{']) {
        return None;
    }
    let directives: Vec<_> =
        directives.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
    directives.join(",").parse().ok()
}
