//! From values to places.

use std::cmp::Ordering;

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

    /// From 0 to 1; a single value is given room, and of no values at all (`low` above `high`) none matters.
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
        let mut ticks: Vec<(f64, String)> = ticks.map(|tick| (tick, text(tick, decimals))).collect();
        ticks.dedup_by(|a, b| a.1 == b.1);
        ticks
    }
}

/// Without a sign on zero.
fn text(tick: f64, decimals: usize) -> String {
    let text = format!("{tick:.decimals$}");
    if text.trim_matches(['-', '0', '.']).is_empty() { text.replace('-', "") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

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
