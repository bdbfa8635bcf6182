//! Drawings for the page, as SVG that takes its colours from the page's style.

mod bars;
mod curves;
mod frame;

use super::series::Moment;
use crate::tournament::standings::Summary;

/// A drawing with its caption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chart {
    pub caption: String,
    pub svg: String,
}

/// Every drawing for which there is something to draw.
pub(super) fn charts(summary: &Summary, moments: &[Moment]) -> Vec<Chart> {
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

/// Makes a text harmless inside HTML and its attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            control if control.is_control() => safe.push(' '),
            other => safe.push(other),
        }
    }
    safe
}
