//! Scales, axes and the outer element of a drawing.

use std::fmt::Write as _;

use super::{Chart, escaped};

pub(super) const WIDTH: f64 = 480.0;

/// From values to places, linearly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub low: f64,
    pub high: f64,
    /// Places of `low` and `high`.
    pub from: f64,
    pub to: f64,
}

impl Scale {
    /// Over all finite values, a little wider than they are and never empty.
    pub(super) fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) =
            finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let margin = ((high - low) * 0.06).max(0.5);
        Scale { low: low - margin, high: high + margin, from, to }
    }

    pub(super) fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round values for the axis, about `count` of them.
    pub(super) fn ticks(&self, count: f64) -> Vec<f64> {
        let rough = (self.high - self.low) / count;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let first = (self.low / step).ceil();
        let last = (self.high / step).floor();
        (0..=(last - first).max(0.0) as u32).map(|index| (first + f64::from(index)) * step).collect()
    }
}

/// The elements of a drawing under way.
pub(super) struct Canvas {
    body: String,
    height: f64,
}

impl Canvas {
    pub(super) fn new(height: f64) -> Canvas {
        Canvas { body: String::new(), height }
    }

    pub(super) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let _ = write!(self.body, r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#);
    }

    /// A bar; `title` is shown to whoever points at it.
    pub(super) fn bar(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64), title: &str) {
        let title = escaped(title);
        let _ = write!(
            self.body,
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{:.1}" height="{height:.1}"><title>{title}</title></rect>"#,
            width.max(0.0),
        );
    }

    pub(super) fn dot(&mut self, (x, y): (f64, f64)) {
        let _ = write!(self.body, r#"<circle class="mark" cx="{x:.1}" cy="{y:.1}" r="4"/>"#);
    }

    pub(super) fn text(&mut self, class: &str, anchor: &str, (x, y): (f64, f64), text: &str) {
        let text = escaped(text);
        let _ =
            write!(self.body, r#"<text class="{class}" text-anchor="{anchor}" x="{x:.1}" y="{y:.1}">{text}</text>"#);
    }

    pub(super) fn path(&mut self, class: &str, points: &[(f64, f64)], is_closed: bool) {
        let mut path = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" });
        }
        let end = if is_closed { "Z" } else { "" };
        let _ = write!(self.body, r#"<path class="{class}" d="{path}{end}"/>"#);
    }

    /// Values below the drawing, with lines up through it.
    pub(super) fn ticks_below(&mut self, scale: Scale, top: f64, bottom: f64) {
        for tick in scale.ticks(5.0) {
            self.line(if tick == 0.0 { "zero" } else { "axis" }, (scale.at(tick), top), (scale.at(tick), bottom));
            self.text("tick", "middle", (scale.at(tick), bottom + 15.0), &format!("{tick}"));
        }
    }

    /// Values at the left, with lines through the drawing.
    pub(super) fn ticks_left(&mut self, scale: Scale, left: f64, right: f64) {
        for tick in scale.ticks(5.0) {
            self.line(if tick == 0.0 { "zero" } else { "axis" }, (left, scale.at(tick)), (right, scale.at(tick)));
            self.text("tick", "end", (left - 6.0, scale.at(tick) + 4.0), &format!("{}", (tick * 1e6).round() / 1e6));
        }
    }

    pub(super) fn finish(self, caption: &str) -> Chart {
        let label = escaped(caption);
        let svg = format!(
            r#"<svg class="chart" role="img" aria-label="{label}" viewBox="0 0 {WIDTH} {:.0}">{}</svg>"#,
            self.height, self.body
        );
        Chart { caption: caption.to_owned(), svg }
    }
}

/// So much of a name as a drawing has room for.
pub(super) fn short(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return name.to_owned();
    }
    name.chars().take(letters - 1).chain(['…']).collect()
}
