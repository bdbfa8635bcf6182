//! Charts of the HTML page, as SVG that takes its colours from the page's style.

mod bars;
mod curves;

use maud::Markup;

use super::series::Moment;
use crate::tournament::standings::Summary;

/// Every drawing for which there is something to draw.
pub(super) fn charts(summary: &Summary, moments: &[Moment]) -> Vec<Markup> {
    let all = [
        bars::ratings(summary),
        bars::sides(summary),
        curves::elo(summary, moments),
        curves::llr(summary, moments),
        bars::lengths(summary),
        bars::reasons(summary),
        bars::forfeits(summary),
    ];
    all.into_iter().flatten().collect()
}
