//! Pictures as SVG text: charts, boards and what a terminal shows. Texts and attributes are escaped by `maud`.

mod board;
mod canvas;
mod plot;
mod scale;
mod terminal;

pub(crate) use board::{BoardPicture, glyphs, picture};
pub(crate) use canvas::{Canvas, short};
pub(crate) use plot::Plot;
pub(crate) use scale::Scale;
pub(crate) use terminal::terminal;

/// The style of pages with charts and boards, which has the colours of both.
pub(crate) const STYLE: &str =
    concat!(include_str!("colours.css"), include_str!("charts.css"), include_str!("board.css"));

/// The style of a picture of a board that stands by itself.
const BOARD_STYLE: &str = concat!(include_str!("colours.css"), include_str!("board.css"));
