//! Values over a horizontal axis.

use maud::Markup;

use super::{Canvas, Scale};

/// A chart of fixed size; what lies outside its scales is drawn at their ends.
pub(crate) struct Plot {
    canvas: Canvas,
    x: Scale,
    y: Scale,
}

const LEFT: f64 = 52.0;
const RIGHT: f64 = Canvas::WIDTH - 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 200.0;
/// A curve has at most about so many points; more cannot be told apart.
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
            canvas.text("tick", "start", (LEFT, BOTTOM + 16.0), &first.to_string());
            canvas.text("tick", "end", (RIGHT, BOTTOM + 16.0), &last.to_string());
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
}
