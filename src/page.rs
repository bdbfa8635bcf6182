//! The page: its modules, styles and texts, compiled in. The board's server hands them out one by one; a report is the
//! same page as one file, with its data in it.

use maud::{Markup, PreEscaped, html};
use reynard_engine::protocol::ugi::query;
use reynard_engine::rules::Seat;
use reynard_engine::session::{Options, Session};
use serde_json::{Value, json};

use crate::svg;

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("gui/assets/", $name))),)*]
    };
}

/// The files of `gui/assets`, by their names.
const ASSETS: [(&str, &str); 47] = assets!(
    "analysis.js",
    "app.js",
    "board-parts.js",
    "board-view.js",
    "builds.js",
    "choose.js",
    "clock.js",
    "dom.js",
    "editor.js",
    "engine.js",
    "entry.js",
    "example.json",
    "files.js",
    "foreign.js",
    "game-files.js",
    "game-list.js",
    "games.js",
    "icons.json",
    "index.html",
    "judge.js",
    "own.js",
    "packed.js",
    "page.css",
    "page.js",
    "play.js",
    "record.js",
    "report.js",
    "review.js",
    "rules-text.js",
    "run-form.js",
    "search-view.js",
    "server.js",
    "setup.js",
    "share.js",
    "shelf.js",
    "shelf.json",
    "situation.js",
    "store.js",
    "strengths.js",
    "table.js",
    "telling.js",
    "texts.js",
    "texts.json",
    "tree-view.js",
    "tree.js",
    "truth.js",
    "watch.js",
);

/// The files that pictures and charts share with the page.
const SHARED: [(&str, &str); 6] = [
    ("fonts.css", svg::FONTS),
    ("colours.css", svg::COLOURS),
    ("charts.css", svg::CHART_STYLE),
    ("board.css", svg::BOARD_STYLE),
    ("board.js", svg::BOARD_MODULE),
    ("pieces.json", svg::PIECES),
];

/// What a report needs of the page, besides what these modules import.
const ROOTS: [&str; 3] = ["app.js", "packed.js", "watch.js"];

/// Of a page in one file: nothing is loaded, and nothing is sent.
pub(crate) const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' data:; \
                      connect-src data:; font-src data:; img-src data:";

/// The text of an asset or a shared file.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    ASSETS.iter().chain(&SHARED).find(|(known, _)| *known == name).map(|&(_, text)| text)
}

/// The media type of a file, by the end of its name.
pub(crate) fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("json") => "application/json",
        Some("css") => "text/css",
        _ => "text/plain",
    }
}

/// The text of one that is there; empty where none is.
fn known(name: &str) -> &'static str {
    text(name).unwrap_or_default()
}

/// The page in one file, which needs neither a server nor a network.
pub(crate) struct OneFile<'a> {
    pub title: &'a str,
    /// What stands above all else, and the tables and charts; both are seen without scripts, too.
    pub head: Markup,
    pub figures: Markup,
    /// The data of `packed.js`.
    pub facts: &'a Value,
    pub lines: &'a str,
}

impl OneFile<'_> {
    pub(crate) fn text(&self) -> String {
        let styles = ["fonts.css", "colours.css", "charts.css", "board.css", "page.css"].map(known).concat();
        let [before, after] = frame();
        let page = html! {
            (PreEscaped("<!doctype html>\n"))
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    title { (self.title) }
                    style { (PreEscaped(styles)) }
                    script type="importmap" { (harmless(&json!({"imports": modules()}))) }
                }
                body {
                    (PreEscaped(before))
                    main id="main" tabindex="-1" class="sheet report" {
                        div id="head" { (self.head) }
                        div id="figures" { (self.figures) }
                    }
                    (PreEscaped(after))
                    script type="text/plain" id="lines" { "\n" (PreEscaped(self.lines.replace('<', "\\u003c"))) }
                    script type="application/json" id="facts" { (harmless(self.facts)) }
                    script type="module" { (PreEscaped("import \"app.js\";")) }
                }
            }
        };
        page.0
    }
}

/// What stands in the page before and behind its main part.
fn frame() -> [&'static str; 2] {
    let body = known("index.html").split_once("<body>").and_then(|(_, rest)| rest.split_once("</body>"));
    let main = body.and_then(|(body, _)| body.split_once("<main"));
    main.map_or(["", ""], |(before, main)| [before, main.split_once("</main>").map_or("", |(_, after)| after)])
}

/// The facts of a page that a [`OneFile`] has written.
#[cfg(feature = "gui")]
pub(crate) fn facts(page: &str) -> Option<Value> {
    let (_, facts) = page.rsplit_once("<script type=\"application/json\" id=\"facts\">")?;
    serde_json::from_str(facts.split_once("</script>")?.0).ok()
}

/// JSON in which nothing ends or begins a script element.
fn harmless(data: &Value) -> Markup {
    PreEscaped(data.to_string().replace('<', "\\u003c"))
}

/// The modules of a report as addresses with their text in them, by names of which all their imports are.
fn modules() -> Value {
    let mut names = ROOTS.to_vec();
    let mut at = 0;
    while at < names.len() {
        let imports = known(names[at]).split(" from \"./").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0));
        for name in imports.collect::<Vec<_>>() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        at += 1;
    }
    let address = |name: &str| {
        let text = known(name).replace("\"./", "\"").replace("`./", "`");
        let escaped = text.replace('%', "%25").replace('#', "%23").replace('\n', "%0A").replace(':', "%3A");
        format!("data:{},{escaped}", media_type(name))
    };
    names
        .into_iter()
        .map(|name| (name.to_owned(), Value::from(address(name))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The queries of the protocol whose answers describe each game at its start.
const QUERIES: [&str; 4] = ["rules", "board", "pieces", "game"];

/// A game at its start, as the page draws it.
pub(crate) fn game(session: &dyn Session, options: &Options) -> Value {
    let game = session.game();
    let seats = (0..game.seats.len()).map(|index| game.seat_name(Seat(index as u8)));
    let mut data = json!({"name": game.ruleset, "seats": seats.collect::<Vec<_>>(), "text": {}});
    for query in QUERIES {
        data[query] = query_answer(query, session, options);
    }
    for key in ["title", "family", "about", "source"] {
        data[key] = data["rules"][key].clone();
    }
    data["start"] = json!(query::answer(&["fen"], session, options));
    for searcher in ["alphabeta", "mcts"] {
        let mut options = options.clone();
        data["weights"][searcher] =
            json!(options.set("Searcher", Some(searcher)).ok().and_then(|()| session.weights(&options)));
    }
    data
}

/// The answer of the protocol to a query, as data.
pub(crate) fn query_answer(query: &str, session: &dyn Session, options: &Options) -> Value {
    serde_json::from_str(&query::answer(&[query], session, options)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_compiled_in() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/gui/assets");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().into_owned();
        let mut files: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
        let mut names: Vec<&str> = ASSETS.iter().map(|&(name, _)| name).collect();
        files.sort();
        names.sort_unstable();
        assert_eq!(names, files);
    }

    #[test]
    fn a_report_has_every_module_that_its_modules_import() {
        let modules = modules();
        let modules = modules.as_object().unwrap();
        assert!(
            modules.contains_key("table.js")
                && modules.contains_key("pieces.json")
                && !modules.contains_key("choose.js")
        );
        assert!(modules.values().all(|address| address.as_str().unwrap().len() > 200), "a module is empty");
    }
}
