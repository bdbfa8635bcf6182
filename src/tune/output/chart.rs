//! Plain charts as SVG text.

/// A chart with a line or single marks over a horizontal axis.
pub(super) struct Chart {
    pub title: String,
    pub horizontal: String,
    pub series: Vec<Series>,
    /// A horizontal line for comparison, with its name.
    pub level: Option<(f64, String)>,
}

/// Points from left to right.
pub(super) struct Series {
    pub marks: Marks,
    /// Horizontal, vertical, half the height of an error bar.
    pub points: Vec<[f64; 3]>,
    /// A CSS class of the page.
    pub class: &'static str,
}

/// How points are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marks {
    Line,
    /// Dots with error bars.
    Dots,
}

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 28.0;
const TOP: f64 = 24.0;
const RIGHT: f64 = 10.0;
/// A line has at most so many points; more cannot be told apart.
const MAX_POINTS: usize = 600;

/// From values to places on the paper.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        match low < high {
            true => Scale { low, high, from, to },
            false if low == high => Scale { low: low - 1.0, high: high + 1.0, from, to },
            false => Scale { low: 0.0, high: 1.0, from, to },
        }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }
}

impl Chart {
    /// The chart as an `<svg>` element; the same chart gives the same text.
    pub(super) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = Scale::new(points().map(|point| point[0]), LEFT, WIDTH - RIGHT);
        let heights = points().flat_map(|point| [point[1] - point[2], point[1] + point[2]]);
        let levels = self.level.iter().map(|level| level.0);
        let y = Scale::new(heights.chain(levels), HEIGHT - BOTTOM, TOP);
        let label = escape(&self.title);
        let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">\n");
        svg += &text(LEFT, 14.0, "start", &self.title, "title");
        svg += &frame(&x, &y, &self.horizontal);
        if let Some((value, name)) = &self.level {
            let height = y.place(*value);
            svg += &line(LEFT, height, WIDTH - RIGHT, height, "level");
            svg += &text(WIDTH - RIGHT, height - 3.0, "end", name, "note");
        }
        self.series.iter().for_each(|series| svg += &series.svg(&x, &y));
        svg + "</svg>\n"
    }
}

impl Series {
    fn svg(&self, x: &Scale, y: &Scale) -> String {
        match self.marks {
            Marks::Line => {
                let thinned = self.points.iter().step_by(self.points.len().div_ceil(MAX_POINTS).max(1));
                let places: Vec<String> = thinned.chain(self.points.last()).map(|p| place(x, y, p)).collect();
                format!("<polyline class=\"{}\" points=\"{}\"/>\n", self.class, places.join(" "))
            }
            Marks::Dots => self.points.iter().map(|point| self.dot(x, y, point)).collect(),
        }
    }

    fn dot(&self, x: &Scale, y: &Scale, &[across, up, error]: &[f64; 3]) -> String {
        let (place_x, place_y) = (x.place(across), y.place(up));
        let bar = line(place_x, y.place(up - error), place_x, y.place(up + error), "bar");
        format!("{bar}<circle class=\"{}\" cx=\"{place_x:.1}\" cy=\"{place_y:.1}\" r=\"2.5\"/>\n", self.class)
    }
}

fn place(x: &Scale, y: &Scale, point: &[f64; 3]) -> String {
    format!("{:.1},{:.1}", x.place(point[0]), y.place(point[1]))
}

fn frame(x: &Scale, y: &Scale, horizontal: &str) -> String {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let mut svg = line(LEFT, bottom, right, bottom, "axis") + &line(LEFT, TOP, LEFT, bottom, "axis");
    for value in [y.low, (y.low + y.high) / 2.0, y.high] {
        svg += &text(LEFT - 4.0, y.place(value) + 4.0, "end", &number(value), "tick");
    }
    svg += &text(LEFT, bottom + 14.0, "start", &number(x.low), "tick");
    svg += &text(right, bottom + 14.0, "end", &number(x.high), "tick");
    svg + &text((LEFT + right) / 2.0, bottom + 22.0, "middle", horizontal, "tick")
}

fn line(x1: f64, y1: f64, x2: f64, y2: f64, class: &str) -> String {
    format!("<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>\n")
}

fn text(x: f64, y: f64, anchor: &str, words: &str, class: &str) -> String {
    let words = escape(words);
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>\n")
}

/// As many digits as its size asks for.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 || value == value.trunc() => format!("{value:.0}"),
        size if size >= 1.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

/// Text that may stand in HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_flat_charts_have_no_nan() {
        for points in [vec![], vec![[1.0, 2.0, 0.0]], vec![[1.0, 2.0, 0.0], [2.0, 2.0, 0.0]]] {
            for marks in [Marks::Line, Marks::Dots] {
                let series = vec![Series { marks, points: points.clone(), class: "line" }];
                let chart = Chart { title: "a<b".into(), horizontal: "n".into(), series, level: None };
                let svg = chart.svg();
                assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("a&lt;b"), "{svg}");
            }
        }
    }

    #[test]
    fn long_lines_are_thinned_but_end_where_they_end() {
        let points = (0..10_000).map(|n| [f64::from(n), f64::from(n % 7), 0.0]).collect();
        let series = vec![Series { marks: Marks::Line, points, class: "line" }];
        let svg = Chart { title: String::new(), horizontal: String::new(), series, level: None }.svg();
        assert!(svg.len() < 20_000, "{}", svg.len());
        assert!(svg.contains(&format!("{:.1},", WIDTH - RIGHT)));
    }
}
