//! Pictures as SVG text: charts for reports. Texts and attributes are escaped by `maud`.

mod canvas;
mod plot;
mod scale;

pub(crate) use canvas::{Canvas, short};
pub(crate) use plot::Plot;
pub(crate) use scale::Scale;

/// The style of charts and of the figures around them, with the colours of the pages that have them.
pub(crate) const STYLE: &str = include_str!("charts.css");
