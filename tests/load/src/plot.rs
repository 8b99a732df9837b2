//! Line plots as SVG: two axes, a grid, a legend. Enough for latency curves, without a dependency.

use std::fmt::Write;

/// A named line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its title.
    pub name: String,
    /// Its points, in the units of the axes.
    pub points: Vec<(f64, f64)>,
}

/// A tick of an axis: its position and its label.
pub type Tick = (f64, String);

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its title.
    pub title: String,
    /// Its ticks; the first and last are its ends.
    pub ticks: Vec<Tick>,
    /// Whether it is logarithmic.
    pub log: bool,
}

impl Axis {
    /// Where `value` is on the axis, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.log { value.max(f64::MIN_POSITIVE).ln() } else { value };
        let (first, last) = (scale(self.ticks[0].0), scale(self.ticks[self.ticks.len() - 1].0));
        ((scale(value) - first) / (last - first)).clamp(0.0, 1.0)
    }

    /// From 0 to beyond `most`, in round steps.
    pub fn linear(title: &str, most: f64) -> Self {
        let rough = (most / 5.0).max(f64::MIN_POSITIVE);
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|f| f * power).into_iter().find(|s| *s >= rough);
        let step = step.unwrap_or(10.0 * power);
        let count = (most / step).ceil() as u32;
        let ticks = (0..=count).map(|n| (f64::from(n) * step, short(f64::from(n) * step)));
        Self { title: title.to_owned(), ticks: ticks.collect(), log: false }
    }

    /// Decades from below `least` to beyond `most`.
    pub fn decades(title: &str, least: f64, most: f64) -> Self {
        let (first, last) = (least.log10().floor() as i32, most.log10().ceil() as i32);
        let ticks = (first..=last.max(first + 1)).map(|n| (10f64.powi(n), short(10f64.powi(n))));
        Self { title: title.to_owned(), ticks: ticks.collect(), log: true }
    }
}

fn short(value: f64) -> String {
    if value >= 1000.0 { format!("{}k", value / 1000.0) } else { format!("{value}") }
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 230.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 55.0;
/// Distinguishable without red and green.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// The plot as an SVG file.
pub fn svg(title: &str, x: &Axis, y: &Axis, lines: &[Line]) -> String {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let at_x = |value| LEFT + x.place(value) * (right - LEFT);
    let at_y = |value| bottom - y.place(value) * (bottom - TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{}</text>\n",
        escape(title)
    );
    // Writing to a String cannot fail.
    for (value, label) in &x.ticks {
        let at = at_x(*value);
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 18.0,
            escape(label)
        );
    }
    for (value, label) in &y.ticks {
        let at = at_y(*value);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            at + 4.0,
            escape(label)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        (LEFT + right) / 2.0,
        HEIGHT - 12.0,
        escape(&x.title),
        (TOP + bottom) / 2.0,
        escape(&y.title)
    );
    for (number, line) in lines.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        // A colour that repeats is dashed.
        let dashes = if number < COLOURS.len() { "" } else { " stroke-dasharray=\"6 3\"" };
        let points: Vec<String> =
            line.points.iter().map(|(a, b)| format!("{:.1},{:.1}", at_x(*a), at_y(*b))).collect();
        let legend = TOP + 14.0 + 20.0 * number as f64;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <path d=\"M{} {legend}h20\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            points.join(" "),
            right + 12.0,
            right + 38.0,
            legend + 4.0,
            escape(&line.name)
        );
    }
    svg += "</svg>\n";
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
