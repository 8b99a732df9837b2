//! Markdown of the results: the report, and the tables for README.md and CAPACITY.md.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::Path;

use crate::report::{Cost, Measured, Offered};

/// File with the table of README.md.
pub const FIGURES: &str = "figures.md";

/// File with the tables of CAPACITY.md.
pub const COSTS: &str = "costs.md";

/// The kinds of calls on pages, and their titles there.
const TITLES: [(&str, &str); 19] = [
    ("null", "null RPC (health check)"),
    ("apply", "Apply"),
    ("legal-moves", "LegalMoves"),
    ("score", "Score"),
    ("score/custom", "Score, definition sent along"),
    ("suggest/yahtzee/first", "Suggest, `yahtzee`, two throws left"),
    ("suggest/yahtzee/second", "Suggest, `yahtzee`, one throw left"),
    ("suggest/yahtzee/last", "Suggest, `yahtzee`, no throw left"),
    ("suggest/dice-poker-15/first", "Suggest, `dice-poker-15`, two throws left"),
    ("suggest/poquer-tradicional/first", "Suggest, `poquer-tradicional`, two throws left"),
    ("suggest/custom", "Suggest, definition sent along"),
    ("suggest-by-opponent/yahtzee", "Suggest, `yahtzee`, by an opponent"),
    ("suggest-to-win/yahtzee", "Suggest, `yahtzee`, to win"),
    ("suggest-to-reach/yahtzee", "Suggest, `yahtzee`, to reach a target"),
    ("suggest-with-reasons/yahtzee", "Suggest, `yahtzee`, with reasons"),
    ("play-turn/yahtzee", "PlayTurn, `yahtzee`"),
    ("review/yahtzee", "Review of a game of `yahtzee`"),
    ("get-ruleset", "GetRuleset"),
    ("mixed", "mixed: 60 % Score, 15 % Suggest, 15 % Apply, 10 % others"),
];

/// The kinds of calls in README.md.
const FIVE: [&str; 5] = [
    "score",
    "suggest/yahtzee/first",
    "suggest/poquer-tradicional/first",
    "suggest-to-win/yahtzee",
    "review/yahtzee",
];

/// The stages of a turn, in the order of play.
const STAGES: [&str; 3] = ["first", "second", "last"];

/// Failed calls, by code.
fn not_ok(codes: &BTreeMap<String, u64>) -> String {
    let bad = codes.iter().filter(|(code, _)| *code != "Ok");
    let counts: Vec<String> = bad.map(|(code, count)| format!("{count} {code}")).collect();
    if counts.is_empty() { "–".to_owned() } else { counts.join(", ") }
}

/// A table written line by line. Writing to a String cannot fail.
#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.0, "{line}");
    }
}

/// The whole report.
pub fn report(measured: &Measured) -> String {
    let Measured { size, start, memory: [at_rest, most], unseen: [solving, cpu], .. } = measured;
    let (null, drift) = &measured.null;
    let mut text = Text("# Load report\n\n".to_owned());
    text.line(format_args!(
        "Ready {:.2} s after its start. Memory: {at_rest:.0} MiB when ready, {most:.0} MiB at most. \
         A definition never seen before: {solving:.3} s until its answer, {cpu:.3} s of CPU.\n",
        start.as_secs_f64()
    ));
    text.line(format_args!(
        "## What a call costs\n\nClosed loop, {} callers over {} connections, {} s each; server and \
         generator share the machine. CPU is the server's own, from /proc; a core's worth is what \
         one core does if it does nothing else. The null RPC (health Check) was measured first and \
         last; its rates differ by a factor of {drift:.2}, which is how far to trust the rest. Calls \
         that were not answered OK are counted by their gRPC code.\n",
        size.callers,
        size.connections,
        size.length.as_secs_f64()
    ));
    text.line(format_args!(
        "| calls | CPU a call, µs | × null | calls a second and core | calls/s here | not OK |\n\
         |---|--:|--:|--:|--:|---|"
    ));
    for cost in std::iter::once(null).chain(&measured.costs) {
        text.line(format_args!(
            "| {} | {:.1} | {:.2} | {:.0} | {:.0} | {} |",
            cost.name,
            cost.micros_of_cpu,
            cost.micros_of_cpu / null.micros_of_cpu,
            1e6 / cost.micros_of_cpu,
            cost.rate,
            not_ok(&cost.codes)
        ));
    }
    text.line(format_args!(
        "\n## Latency\n\nOpen loop, Poisson, at 30 % of the rate above; from the moment a call was \
         due. `late` is the generator's own share at the 99th percentile.\n\n![latency](latency.svg)\n"
    ));
    text.line(format_args!(
        "| calls | offered/s | p50, µs | p99 | p99.9 | p50 × null | p99 × null | late | not OK |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|---|"
    ));
    for Offered { name, rate, outcome } in &measured.latencies {
        text.line(format_args!(
            "| {name} | {rate:.0} | {} | {} | {} | {} | {} | {} | {} |",
            outcome.micros(0.5),
            outcome.micros(0.99),
            outcome.micros(0.999),
            latency_against_null(measured, name, 0.5),
            latency_against_null(measured, name, 0.99),
            outcome.lateness.value_at_quantile(0.99),
            not_ok(&outcome.codes)
        ));
    }
    text.line(format_args!(
        "\n## Near capacity\n\nMixed calls, open loop, offered in parts of the closed-loop rate.\n\n\
         ![throughput](throughput.svg)\n"
    ));
    text.line(format_args!(
        "| part | offered/s | answered OK/s | p50, µs | p99 | late | not OK |\n\
         |--:|--:|--:|--:|--:|--:|---|"
    ));
    for Offered { name, rate, outcome } in &measured.offered {
        text.line(format_args!(
            "| {name} | {rate:.0} | {:.0} | {} | {} | {} | {} |",
            outcome.goodput(),
            outcome.micros(0.5),
            outcome.micros(0.99),
            outcome.lateness.value_at_quantile(0.99),
            not_ok(&outcome.codes)
        ));
    }
    text.0
}

/// The table of README.md: the cost of five kinds of calls.
pub fn figures(measured: &Measured) -> String {
    let mut text = Text::default();
    text.line(format_args!("| calls | CPU a call, µs | calls a second and core |\n|---|--:|--:|"));
    for (name, title) in TITLES.iter().filter(|(name, _)| FIVE.contains(name)) {
        let Some(cost) = cost(measured, name) else { continue };
        let micros = cost.micros_of_cpu;
        text.line(format_args!("| {title} | {micros:.1} | {} |", rounded(1e6 / micros)));
    }
    text.0
}

/// The tables of CAPACITY.md: the cost of each kind of call, and of advice in each ruleset at each
/// stage of a turn.
pub fn costs(measured: &Measured) -> String {
    let (null, drift) = &measured.null;
    let mut text = Text::default();
    text.line(format_args!(
        "Closed loop, {} callers over {} connections, {} s each. The null RPC was measured first and \
         last; its rates differ by a factor of {drift:.2}.\n",
        measured.size.callers,
        measured.size.connections,
        measured.size.length.as_secs_f64()
    ));
    text.line(format_args!(
        "| calls | CPU a call, µs | × null | calls a second and core |\n|---|--:|--:|--:|"
    ));
    for (name, title) in TITLES {
        let Some(cost) = cost(measured, name) else { continue };
        text.line(format_args!(
            "| {title} | {:.1} | {:.2} | {} |",
            cost.micros_of_cpu,
            cost.micros_of_cpu / null.micros_of_cpu,
            rounded(1e6 / cost.micros_of_cpu)
        ));
    }
    text.line(format_args!(
        "\n| Suggest, CPU × null | two throws left | one | none |\n|---|--:|--:|--:|"
    ));
    let first = |cost: &Cost| {
        let ruleset = cost.name.strip_prefix("suggest/")?.strip_suffix("/first")?;
        Some(ruleset.to_owned())
    };
    for ruleset in measured.costs.iter().filter_map(first) {
        let stages = STAGES.map(|stage| {
            let cost = cost(measured, &format!("suggest/{ruleset}/{stage}"));
            let ratio = cost.map(|cost| cost.micros_of_cpu / null.micros_of_cpu);
            ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"))
        });
        text.line(format_args!("| `{ruleset}` | {} |", stages.join(" | ")));
    }
    text.0
}

/// Puts the tables of the report in `folder` into the pages of the project in `root`, between their
/// comments.
pub fn publish(folder: &Path, root: &Path) -> io::Result<()> {
    for (file, page) in [(FIGURES, "README.md"), (COSTS, "deploy/CAPACITY.md")] {
        let (table, page) = (std::fs::read_to_string(folder.join(file))?, root.join(page));
        let text = std::fs::read_to_string(&page)?;
        let placed = place(&text, file, &table).ok_or_else(|| {
            io::Error::other(format!("no place for {file} in {}", page.display()))
        })?;
        std::fs::write(&page, placed)?;
        println!("{}", page.display());
    }
    Ok(())
}

/// `text` with `table` between its comments `<!-- begin of FILE … -->` and `<!-- end of FILE -->`.
fn place(text: &str, file: &str, table: &str) -> Option<String> {
    let begin = text.find(&format!("<!-- begin of {file}"))?;
    let begin = begin + text[begin..].find("-->\n")? + "-->\n".len();
    let end = begin + text[begin..].find(&format!("<!-- end of {file} -->"))?;
    Some(format!("{}\n{table}\n{}", &text[..begin], &text[end..]))
}

fn cost<'m>(measured: &'m Measured, name: &str) -> Option<&'m Cost> {
    std::iter::once(&measured.null.0).chain(&measured.costs).find(|cost| cost.name == name)
}

/// A quantile of latency as a ratio to that of the null RPC; empty if too few calls are beyond it.
fn latency_against_null(measured: &Measured, name: &str, quantile: f64) -> String {
    let of = |name: &str| {
        let outcome = &measured.latencies.iter().find(|one| one.name == name)?.outcome;
        let beyond = outcome.calls() as f64 * (1.0 - quantile);
        (beyond >= 5.0).then(|| outcome.micros(quantile).max(1) as f64)
    };
    let ratio = of(name).zip(of("null")).map(|(this, null)| this / null);
    ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"))
}

/// Two digits of `value`, with thousands apart.
fn rounded(value: f64) -> String {
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    let whole = ((value / unit).round() * unit) as u64;
    if whole < 1000 { whole.to_string() } else { format!("{},{:03}", whole / 1000, whole % 1000) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_are_not_ok_are_named_and_counted() {
        let codes = |pairs: &[(&str, u64)]| {
            pairs.iter().map(|(code, count)| ((*code).to_owned(), *count)).collect()
        };
        assert_eq!(not_ok(&codes(&[("Ok", 7)])), "–");
        let mixed = codes(&[("Ok", 7), ("Unavailable", 2), ("DeadlineExceeded", 1)]);
        assert_eq!(not_ok(&mixed), "1 DeadlineExceeded, 2 Unavailable");
    }

    #[test]
    fn tables_go_where_the_page_says() {
        let page = "Before\n<!-- begin of figures.md: by a command -->\nold\n<!-- end of figures.md -->\nAfter\n";
        let placed = place(page, FIGURES, "| new |\n").expect("a place");
        assert_eq!(
            placed,
            "Before\n<!-- begin of figures.md: by a command -->\n\n| new |\n\n<!-- end of figures.md -->\nAfter\n"
        );
        assert_eq!(place(&placed, FIGURES, "| new |\n"), Some(placed));
        assert_eq!(place("nothing", FIGURES, ""), None);
    }

    #[test]
    fn rates_have_two_digits() {
        assert_eq!([67_432.0, 4_612.3, 987.0].map(rounded), ["67,000", "4,600", "990"]);
    }
}
