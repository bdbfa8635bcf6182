//! Pictures as SVG text: charts, boards and what a terminal shows. Texts and attributes are escaped by `maud`.

mod board;
mod canvas;
mod plot;
mod scale;
mod terminal;

pub(crate) use board::{BoardPicture, glyph, glyphs, picture};
pub(crate) use canvas::{Canvas, short};
pub(crate) use plot::Plot;
pub(crate) use scale::Scale;
pub(crate) use terminal::terminal;

/// The style of all pages: reports and traces, with their charts and boards.
pub(crate) const STYLE: &str = concat!(
    include_str!("colours.css"),
    include_str!("page.css"),
    include_str!("charts.css"),
    include_str!("board.css")
);

/// The style of a picture of a board that stands by itself: in the light colours, written out, because few programs but
/// browsers know variables.
fn board_style() -> String {
    let light = include_str!("colours.css").split('}').next().unwrap_or_default();
    let colours = light.split(';').filter_map(|line| line[line.find("--")?..].split_once(": "));
    let style = include_str!("board.css").to_owned();
    colours.fold(style, |style, (name, colour)| style.replace(&format!("var({name})"), colour))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_picture_by_itself_needs_no_variables() {
        let style = super::board_style();
        assert!(!style.contains("var(") && style.contains("stroke: #24211d"), "{style}");
    }
}
