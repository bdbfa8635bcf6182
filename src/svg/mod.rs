//! Pictures as SVG text: charts and boards. Texts and attributes are escaped by `maud`.

mod board;
mod charts;

pub(crate) use board::{has_board, picture};
pub(crate) use charts::{Canvas, Plot, Scale, short};

/// The style of all pages: reports and traces, with their charts and boards.
pub(crate) const STYLE: &str = concat!(
    include_str!("fonts.css"),
    include_str!("colours.css"),
    include_str!("page.css"),
    include_str!("charts.css"),
    include_str!("board.css")
);

/// The colours of all pages, for pages that link them.
#[cfg(feature = "gui")]
pub(crate) const COLOURS: &str = include_str!("colours.css");
/// The faces of all pages, for pages that link them.
#[cfg(feature = "gui")]
pub(crate) const FONTS: &str = include_str!("fonts.css");
/// The style of boards, for pages that link it.
#[cfg(feature = "gui")]
pub(crate) const BOARD_STYLE: &str = include_str!("board.css");

/// Draws boards in a browser, by their data alone: a module for the browser board, a plain script for reports.
pub(crate) const BOARD_MODULE: &str = include_str!("board.js");

/// The pieces of [`BOARD_MODULE`], also of the pictures made here.
pub(crate) const PIECES_MODULE: &str = include_str!("pieces.js");

/// The script of [`BOARD_MODULE`] without what only modules know.
pub(crate) fn board_script() -> String {
    let script = [PIECES_MODULE, BOARD_MODULE].concat().replace("export ", "");
    format!("\"use strict\";\n{}", script.replace("import { PIECES } from \"./pieces.js\";\n", ""))
}

/// The style of a picture of a board that stands by itself: in the light colours, written out, because few programs but
/// browsers know variables.
fn board_style() -> String {
    let rule = include_str!("colours.css").split('}').next().unwrap_or_default();
    let colours = rule.split(';').filter_map(|line| line[line.find("--")?..].split_once(": "));
    let light = |colour: &'static str| {
        colour.strip_prefix("light-dark(").and_then(|both| both.split(',').next()).unwrap_or(colour)
    };
    let style = include_str!("board.css").to_owned();
    colours.fold(style, |style, (name, colour)| style.replace(&format!("var({name})"), light(colour)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_picture_by_itself_needs_no_variables() {
        let style = super::board_style();
        assert!(!style.contains("var(") && style.contains("stroke: #7a5a34"), "{style}");
    }
}
