//! Charts: values over a horizontal axis, bars, heat maps.

use std::cmp::Ordering;
use std::fmt::Write as _;

use maud::{Markup, PreEscaped, Render, html};

/// A chart of fixed size; what lies outside its scales is drawn at their ends.
pub(crate) struct Plot {
    canvas: Canvas,
    x: Scale,
    y: Scale,
}

const LEFT: f64 = 52.0;
const RIGHT: f64 = Canvas::WIDTH - 14.0;
const TOP: f64 = 10.0;
pub(crate) const BOTTOM: f64 = 200.0;
/// The most points of a curve, about; more cannot be seen apart.
const MOST_POINTS: usize = 600;

impl Plot {
    /// The axes: the horizontal one from end to end under its name, `y` wide enough for all values.
    pub(crate) fn new(ends: [f64; 2], name: &str, y: impl Iterator<Item = f64>) -> Plot {
        let x = Scale { from: LEFT, to: RIGHT, ..Scale::between(ends[0], ends[1]) };
        let y = Scale::over(y, BOTTOM, TOP);
        let mut canvas = Canvas::default();
        canvas.ticks_left(y, LEFT, RIGHT);
        let [first, last] = ends;
        // A single value stands in the middle.
        let name = if first == last { format!("{name} {first}") } else { name.to_owned() };
        canvas.text("tick", "middle", ((LEFT + RIGHT) / 2.0, BOTTOM + 16.0), &name);
        if first < last {
            canvas.text("tick", "start", (LEFT, BOTTOM + 16.0), first.to_string());
            canvas.text("tick", "end", (RIGHT, BOTTOM + 16.0), last.to_string());
        }
        Plot { canvas, x, y }
    }

    fn at(&self, [x, y]: [f64; 2]) -> (f64, f64) {
        (self.x.at(x), self.y.at(y.clamp(self.y.low, self.y.high)))
    }

    /// A horizontal line for comparison, with its name.
    pub(crate) fn level(&mut self, value: f64, name: &str) {
        let height = self.y.at(value);
        self.canvas.line("bound", (LEFT, height), (RIGHT, height));
        self.canvas.text("value", "end", (RIGHT - 2.0, height - 4.0), name);
    }

    pub(crate) fn curve(&mut self, class: &str, points: &[[f64; 2]]) {
        let thinned = points.iter().step_by(points.len().div_ceil(MOST_POINTS).max(1));
        let places: Vec<(f64, f64)> = thinned.chain(points.last()).map(|&point| self.at(point)).collect();
        self.canvas.path(class, places);
    }

    /// The area around a curve; points are `[x, y, half height]`.
    pub(crate) fn band(&mut self, points: &[[f64; 3]]) {
        let upper = points.iter().map(|&[x, y, half]| self.at([x, y + half]));
        let lower = points.iter().rev().map(|&[x, y, half]| self.at([x, y - half]));
        let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
        self.canvas.path("band", outline);
    }

    /// Dots with error bars; points are `[x, y, half height]`.
    pub(crate) fn dots(&mut self, points: &[[f64; 3]]) {
        for &[x, y, half] in points {
            self.canvas.line("whisker", self.at([x, y - half]), self.at([x, y + half]));
            self.canvas.dot(self.at([x, y]), 2.5);
        }
    }

    pub(crate) fn figure(self, caption: &str) -> Markup {
        self.canvas.figure(BOTTOM + 24.0, caption)
    }
}

/// Horizontal and vertical distance from the upper left corner.
type XY = (f64, f64);

/// Collects shapes, the first at the back; classes take their colours from [`CHART_STYLE`](super::CHART_STYLE).
#[derive(Default)]
pub(crate) struct Canvas {
    shapes: String,
}

impl Canvas {
    /// The width of every chart.
    pub(crate) const WIDTH: f64 = 480.0;

    pub(crate) fn add(&mut self, shape: Markup) {
        self.shapes.push_str(&shape.0);
    }

    pub(crate) fn line(&mut self, class: &str, (x1, y1): XY, (x2, y2): XY) {
        self.add(html! { line class=(class) x1=(tenths(x1)) y1=(tenths(y1)) x2=(tenths(x2)) y2=(tenths(y2)) {} });
    }

    /// A square of a heat map, the deeper the stronger; `title` is shown where the pointer rests.
    pub(crate) fn cell(&mut self, (x, y): XY, (width, height): (f64, f64), strength: f64, title: &str) {
        self.add(html! {
            rect class="heat" x=(tenths(x)) y=(tenths(y)) width=(tenths(width)) height=(tenths(height))
                fill-opacity=(format!("{strength:.2}")) { title { (title) } }
        });
    }

    pub(crate) fn dot(&mut self, (x, y): XY, radius: f64) {
        self.add(html! { circle class="mark" cx=(tenths(x)) cy=(tenths(y)) r=(radius) {} });
    }

    /// `anchor` is `start`, `middle` or `end`.
    pub(crate) fn text(&mut self, class: &str, anchor: &str, (x, y): XY, text: impl Render) {
        self.add(html! { text class=(class) text-anchor=(anchor) x=(tenths(x)) y=(tenths(y)) { (text) } });
    }

    /// Straight lines from point to point; a `band` is filled, a `curve` is not.
    pub(crate) fn path(&mut self, class: &str, points: impl IntoIterator<Item = XY>) {
        let mut path = String::new();
        for (x, y) in points {
            let _ = write!(path, "{}{x:.1} {y:.1}", if path.is_empty() { "M" } else { "L" });
        }
        self.add(html! { path class=(class) d=(path) {} });
    }

    /// Values below the drawing, with lines up through it.
    pub(crate) fn ticks_below(&mut self, scale: Scale, top: f64, bottom: f64) {
        self.ticks(scale, "middle", |at| [(at, top), (at, bottom), (at, bottom + 15.0)]);
    }

    /// Values at the left, with lines through the drawing.
    pub(crate) fn ticks_left(&mut self, scale: Scale, left: f64, right: f64) {
        self.ticks(scale, "end", |at| [(left, at), (right, at), (left - 6.0, at + 4.0)]);
    }

    /// `places` are the ends of the line of a value, and where its text stands.
    fn ticks(&mut self, scale: Scale, anchor: &str, places: impl Fn(f64) -> [XY; 3]) {
        for (tick, text) in scale.ticks(5.0) {
            let [from, to, name] = places(scale.at(tick));
            self.line(if tick == 0.0 { "zero" } else { "axis" }, from, to);
            self.text("tick", anchor, name, &text);
        }
    }

    /// The chart under its caption; the same shapes give the same text.
    pub(crate) fn figure(self, height: f64, caption: &str) -> Markup {
        let view = format!("0 0 {} {height:.0}", Self::WIDTH);
        html! {
            figure {
                figcaption { (caption) }
                svg class="chart" role="img" aria-label=(caption) viewBox=(view) { (PreEscaped(self.shapes)) }
            }
        }
    }
}

fn tenths(number: f64) -> String {
    format!("{number:.1}")
}

/// A linear axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub low: f64,
    pub high: f64,
    /// Places of `low` and `high`.
    pub from: f64,
    pub to: f64,
}

impl Scale {
    /// Over all finite values, a little wider than they are and never empty.
    pub(crate) fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) =
            finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let margin = ((high - low) * 0.06).max(0.0);
        Scale { from, to, ..Scale::between(low - margin, high + margin) }
    }

    /// A scale from 0 to 1; a single value is given room, and of no values at all (`low` above `high`) none matters.
    pub(crate) fn between(low: f64, high: f64) -> Scale {
        let (low, high) = match low.partial_cmp(&high) {
            Some(Ordering::Less) => (low, high),
            Some(Ordering::Equal) => (low - 0.5, high + 0.5),
            _ => (0.0, 1.0),
        };
        Scale { low, high, from: 0.0, to: 1.0 }
    }

    pub(crate) fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round values for the axis, about `count` of them, with their texts, of which none comes twice.
    pub(crate) fn ticks(&self, count: f64) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / count;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let first = (self.low / step).ceil();
        let last = (self.high / step).floor();
        // As many decimals as the step has: multiples of it are not exact.
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let ticks = (0..=(last - first).max(0.0) as u32).map(|index| (first + f64::from(index)) * step);
        let mut ticks: Vec<(f64, String)> = ticks.map(|tick| (tick, format!("{tick:.decimals$}"))).collect();
        ticks.dedup_by(|a, b| a.1 == b.1);
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: &[[f64; 3]]) -> Plot {
        let ends =
            points.iter().fold([f64::MAX, f64::MIN], |[low, high], point| [low.min(point[0]), high.max(point[0])]);
        Plot::new(ends, "n", points.iter().map(|point| point[1]))
    }

    #[test]
    fn empty_and_flat_charts_have_no_nan() {
        for points in [vec![], vec![[1.0, 2.0, 0.0]], vec![[1.0, 2.0, 0.0], [2.0, 2.0, 0.0]]] {
            let mut dots = plot(&points);
            dots.dots(&points);
            let mut curve = plot(&points);
            curve.curve("curve", &points.iter().map(|&[x, y, _]| [x, y]).collect::<Vec<_>>());
            for svg in [dots, curve].map(|plot| plot.figure("a<b").0) {
                assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("a&lt;b"), "{svg}");
            }
        }
    }

    #[test]
    fn long_lines_are_thinned_but_end_where_they_end() {
        let points: Vec<[f64; 2]> = (0..10_000).map(|n| [f64::from(n), f64::from(n % 7)]).collect();
        let mut plot = Plot::new([0.0, 9_999.0], "", points.iter().map(|point| point[1]));
        plot.curve("curve", &points);
        let svg = plot.figure("").0;
        assert!(svg.len() < 20_000, "{}", svg.len());
        assert!(svg.contains(&format!("L{RIGHT:.1} ")));
    }

    fn texts(low: f64, high: f64) -> Vec<String> {
        Scale::between(low, high).ticks(5.0).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_short_and_none_comes_twice() {
        assert_eq!(texts(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(-0.3, 0.3), ["-0.2", "0.0", "0.2"]);
        assert_eq!(texts(0.0, 3000.0), ["0", "1000", "2000", "3000"]);
        for (low, high) in [(0.1, 0.7), (1e-9, 3e-9), (-7e5, 1e6), (5.0, 5.0), (1e15, 1e15 + 2.0)] {
            let texts = texts(low, high);
            let different: std::collections::BTreeSet<&String> = texts.iter().collect();
            assert!(texts.len() == different.len() && texts.iter().all(|text| text.len() < 20), "{texts:?}");
        }
    }
}
