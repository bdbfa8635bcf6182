//! A drawing under way.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};

use super::Scale;

/// Horizontal and vertical distance from the upper left corner.
type XY = (f64, f64);

/// Collects shapes, the first at the back; classes take their colours from [`STYLE`](super::STYLE).
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

    /// A bar; `title` is shown to whoever points at it.
    pub(crate) fn bar(&mut self, class: &str, (x, y): XY, (width, height): (f64, f64), title: &str) {
        let (width, height) = (tenths(width.max(0.0)), tenths(height));
        self.add(html! {
            rect class=(class) x=(tenths(x)) y=(tenths(y)) width=(width) height=(height) { title { (title) } }
        });
    }

    /// A square of a heat map, the deeper the stronger; `title` as for a bar.
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
    pub(crate) fn text(&mut self, class: &str, anchor: &str, (x, y): XY, text: &str) {
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
        for (tick, text) in scale.ticks(5.0) {
            self.line(if tick == 0.0 { "zero" } else { "axis" }, (scale.at(tick), top), (scale.at(tick), bottom));
            self.text("tick", "middle", (scale.at(tick), bottom + 15.0), &text);
        }
    }

    /// Values at the left, with lines through the drawing.
    pub(crate) fn ticks_left(&mut self, scale: Scale, left: f64, right: f64) {
        for (tick, text) in scale.ticks(5.0) {
            self.line(if tick == 0.0 { "zero" } else { "axis" }, (left, scale.at(tick)), (right, scale.at(tick)));
            self.text("tick", "end", (left - 6.0, scale.at(tick) + 4.0), &text);
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

/// So much of a name as a drawing has room for.
pub(crate) fn short(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return name.to_owned();
    }
    name.chars().take(letters - 1).chain(['…']).collect()
}
