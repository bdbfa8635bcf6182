//! Pictures as SVG text: charts and boards. Texts and attributes are escaped by `maud`.

mod board;
mod charts;

pub(crate) use board::picture;
pub(crate) use charts::{BOTTOM, Canvas, Plot, Scale};

/// The colours of all pages.
pub(crate) const COLOURS: &str = include_str!("colours.css");
/// The faces of all pages.
pub(crate) const FONTS: &str = include_str!("fonts.css");
/// The styles of boards and charts.
pub(crate) const BOARD_STYLE: &str = include_str!("board.css");
pub(crate) const CHART_STYLE: &str = include_str!("charts.css");
/// Draws boards in a browser, by their data alone.
pub(crate) const BOARD_MODULE: &str = include_str!("board.js");
/// Pieces: the words by which rulesets call them, and their outlines on a disc of radius 15; as JSON.
pub(crate) const PIECES: &str = include_str!("pieces.json");

/// The style of a picture of a board that stands by itself: in the light colours, written out, because few programs but
/// browsers know variables.
fn board_style() -> String {
    let rule = COLOURS.split('}').next().unwrap_or_default();
    let colours = rule.split(';').filter_map(|line| line[line.find("--")?..].split_once(": "));
    let light = |colour: &'static str| {
        colour.strip_prefix("light-dark(").and_then(|both| both.split(',').next()).unwrap_or(colour)
    };
    let style = BOARD_STYLE.to_owned();
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
