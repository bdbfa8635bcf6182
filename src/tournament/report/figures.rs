//! How figures are written: every number of a report, once.

use crate::tournament::standings::{EngineSummary, Summary};
use crate::tournament::stats::Estimate;

/// Text of a figure that does not exist.
pub(super) const UNKNOWN: &str = "n/a";

/// A number with `decimals` decimals and no sign on zero. Halves go to the even digit: shares stay a hundred together.
pub(crate) fn number(value: Option<f64>, decimals: usize) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return UNKNOWN.to_owned() };
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}

/// A count.
pub(super) fn whole(value: Option<u64>) -> String {
    value.map_or(UNKNOWN.to_owned(), |value| value.to_string())
}

/// A share as per cent with one decimal, without the sign.
pub(crate) fn percent(share: Option<f64>) -> String {
    number(share.map(|share| 100.0 * share), 1)
}

/// A likelihood as per cent, which is never quite none or all.
pub(super) fn likelihood(share: Option<f64>) -> String {
    match share {
        Some(share) if share > 0.999 => "> 99.9".to_owned(),
        Some(share) if share < 0.001 => "< 0.1".to_owned(),
        _ => percent(share),
    }
}

/// Half points written out: `12.5`, `12`.
pub(super) fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

/// One decimal and a sign: `+12.3`, `-4.0`, `0.0`.
pub(super) fn signed(value: Option<f64>) -> String {
    let text = number(value, 1);
    let is_positive = value.is_some_and(|value| value.is_finite() && value > 0.0) && text != "0.0";
    if is_positive { format!("+{text}") } else { text }
}

/// `+12.3 ± 4.5`.
pub(super) fn with_error(value: Option<f64>, error: Option<f64>) -> String {
    value.map_or(UNKNOWN.to_owned(), |_| format!("{} ± {}", signed(value), number(error, 1)))
}

/// `+12.3 ± 4.5`; of a perfect score the bound, `> +147.0`.
pub(crate) fn elo(estimate: &Estimate) -> String {
    elo_bound(estimate).unwrap_or_else(|| with_error(estimate.elo, estimate.elo_error))
}

/// The side on which the Elo of a perfect score lies, with 95 % confidence; `None` of any other score.
pub(super) fn elo_bound(estimate: &Estimate) -> Option<String> {
    let (Estimate { elo: None, .. }, low, high) = (estimate, estimate.wilson_elo_low, estimate.wilson_elo_high) else {
        return None;
    };
    low.map(|low| format!("> {}", signed(Some(low)))).or(high.map(|high| format!("< {}", signed(Some(high)))))
}

/// The bound that stands for the Elo of an engine in a ranking without ratings.
pub(super) fn ranked_bound(summary: &Summary, engine: &EngineSummary) -> Option<String> {
    elo_bound(&engine.overall.results.estimate).filter(|_| !summary.has_ratings())
}

/// `+12.3 ± 4.5`.
pub(super) fn nelo(estimate: &Estimate) -> String {
    with_error(estimate.nelo, estimate.nelo_error)
}
