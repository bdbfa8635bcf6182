//! The picture of a terminal.

use maud::{Markup, html};

const LETTER_WIDTH: f64 = 8.43;
const LINE_HEIGHT: f64 = 18.0;
const MARGIN: f64 = 16.0;

/// The lines of a text in letters of one width, as an SVG file of its own.
pub(crate) fn terminal(text: &str) -> Markup {
    let lines: Vec<String> =
        text.lines().map(|line| line.chars().filter(|letter| !letter.is_control()).collect()).collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = (2.0 * MARGIN + LETTER_WIDTH * columns as f64).ceil();
    let height = 2.0 * MARGIN + LINE_HEIGHT * lines.len() as f64;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height)
            font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" {
            rect width="100%" height="100%" rx="8" fill="#1d1f21" {}
            @for (number, line) in lines.iter().enumerate() {
                text xml:space="preserve" fill="#e6e1d8" x=(MARGIN) y=(MARGIN + LINE_HEIGHT * (number as f64 + 0.8)) {
                    (line)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::terminal;

    #[test]
    fn texts_are_escaped_and_controls_dropped() {
        let picture = terminal("> go <depth 3> & \"wait\"\u{7}\n\x1b[1mbestmove d4\n").0;
        assert!(picture.contains("&gt; go &lt;depth 3&gt; &amp; ") && !picture.contains('\u{7}'), "{picture}");
        assert_eq!(picture.matches("<text").count(), 2);
        assert!(!picture.contains('\x1b') && picture.contains("[1mbestmove d4"), "{picture}");
    }
}
