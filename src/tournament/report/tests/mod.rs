//! Reports on journals of random games, read back by other means. What the script of the page does is tested where
//! there is Node: `tests/gui/modules/report.test.mjs`.

pub(crate) mod samples;

use reynard_engine::rules::catalog;
use reynard_engine::session::registry::{self, RulesetChoice};
use samples::NASTY;
use serde_json::Value;
use tempfile::TempDir;

use super::*;
use crate::tournament::journal::Journal;

fn journal(rulesets: &[&str], games: u64) -> (TempDir, Archive) {
    let folder = tempfile::tempdir().expect("a folder");
    samples::write(folder.path(), rulesets, games);
    let archive = Archive::read(folder.path()).expect("a journal");
    (folder, archive)
}

fn subject(archive: &Archive) -> Subject<'_> {
    Subject { archive, known: None, assessor: None, goes_on: Box::new(|_| true) }
}

fn report(archive: &Archive, format: ReportFormat) -> String {
    let mut out = Vec::new();
    write(subject(archive), format, &mut out).expect("a report");
    String::from_utf8(out).expect("text")
}

fn games(archive: &Archive) -> Vec<FinishedGame> {
    archive.games().map(|game| game.expect("a game")).collect()
}

/// What stands between two marks, the first occurrence of each.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(from).unwrap_or_else(|| panic!("no {from}")) + from.len();
    let end = text[start..].find(to).unwrap_or_else(|| panic!("no {to}"));
    &text[start..start + end]
}

#[test]
fn a_likelihood_is_never_quite_none_or_all() {
    for (share, text) in [(1.0, "> 99.9"), (0.9991, "> 99.9"), (0.998, "99.8"), (0.5, "50.0"), (0.0004, "< 0.1")] {
        assert_eq!(figures::likelihood(Some(share)), text);
    }
    assert_eq!(figures::likelihood(None), "n/a");
}

#[test]
fn json_has_every_figure_as_a_number_or_null() {
    let (_folder, archive) = journal(&["masters-15", "bagha-chal"], 40);
    let report: Value = serde_json::from_str(&report(&archive, ReportFormat::Json)).expect("JSON");
    assert_eq!(report["games"], 40);
    assert_eq!(report["pairs"], 20);
    assert_eq!(report["engines"][0]["name"], NASTY);
    let overall = &report["engines"][0]["overall"];
    let results = &overall["results"];
    let count = |key: &str| results[key].as_u64().expect("a count");
    assert_eq!(count("wins") + count("draws") + count("losses"), 40);
    assert!(results["estimate"]["elo"].is_number() && overall["nodes_per_move"].is_number());
    assert!(report["sprt_verdict"]["bounds"]["upper"].is_number());
    assert_eq!(report["rulesets"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["forfeited_games"], 5);
    assert!(report["warnings"][0].as_str().is_some_and(|text| text.starts_with("Forfeits ended 5 of 40 games")));
    assert_eq!(report["rulesets"][0]["split_pairs"]["pairs"], 10);
}

#[test]
fn an_empty_journal_gives_every_report() {
    let (folder, archive) = journal(&["masters-15"], 0);
    for format in [
        ReportFormat::Text { columns: 100 },
        ReportFormat::Json,
        ReportFormat::Csv,
        ReportFormat::Html,
        ReportFormat::Pgn,
    ] {
        let text = report(&archive, format);
        assert!(!text.contains("NaN") && !text.contains("inf,"), "{text}");
    }
    write_all(subject(&archive), MANY_GAMES).expect("games").1.expect("both files");
    assert!(folder.path().join("games.pgn").exists());
}

#[test]
fn of_many_games_the_first_are_on_the_page_and_none_in_files() {
    let (folder, archive) = journal(&["masters-15"], 20);
    write_all(subject(&archive), 5).expect("games").1.expect("a page");
    let page = std::fs::read_to_string(folder.path().join("report.html")).expect("a page");
    assert_eq!(between(&page, "id=\"lines\">\n", "</script>").lines().count(), 5);
    assert!(page.contains("The first 5 of 20 games") && page.contains("20 games in 10 pairs"));
    assert!(!folder.path().join("games.pgn").exists());
    let whole = report(&archive, ReportFormat::Html);
    assert_eq!(between(&whole, "id=\"lines\">\n", "</script>").lines().count(), 20);
    assert!(!between(&whole, "id=\"head\">", "id=\"figures\"").contains("games can be played through here"));
    let (summary, written) = write_all(subject(&archive), 20).expect("games");
    written.expect("all files");
    assert_eq!(summary, subject(&archive).standings().expect("games").summary());
    let pgn = std::fs::read_to_string(folder.path().join("games.pgn")).expect("games");
    assert_eq!(pgn, report(&archive, ReportFormat::Pgn));
    assert!(folder.path().join("games.pgn").exists());
}

#[test]
fn a_report_that_is_given_up_leaves_nothing() {
    let (folder, archive) = journal(&["masters-15"], 20);
    let stopped = |after: u64| Subject { goes_on: Box::new(move |done| done < after), ..subject(&archive) };
    assert!(matches!(write_all(stopped(7), MANY_GAMES), Err(ReportError::Stopped)));
    let page = folder.path().join("page.html");
    assert!(matches!(write_file(stopped(19), ReportFormat::Html, &page), Err(ReportError::Stopped)));
    write_file(stopped(20), ReportFormat::Html, &page).expect("asked before each of 20 games");
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path()).expect("files").map(|entry| entry.expect("a file").file_name()).collect();
    names.sort();
    assert_eq!(names, ["journal.jsonl", "lock", "machines.jsonl", "page.html", "times.jsonl"]);
}

#[test]
fn tables_fit_and_nothing_in_them_moves_the_cursor() {
    let (_folder, archive) = journal(&["masters-15", "two-foxes-24"], 30);
    for columns in [60, 80, 160] {
        let text = report(&archive, ReportFormat::Text { columns });
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|widest| widest <= columns), "{widest:?}\n{text}");
        let ranking: Vec<&str> = between(&text, "\nRanking\n", "Elo: ").lines().collect();
        // As often as the columns need it: a head, a rule, and one line for each of the two engines.
        for part in ranking.split(|line| line.is_empty()) {
            assert!(
                part.len() == 4 && part[1].starts_with('─') && part[2].starts_with("1  "),
                "{columns}: {ranking:?}"
            );
        }
        assert_eq!(ranking.len() > 4, columns < 80, "{ranking:?}");
        assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()));
        for title in [
            "Ranking",
            "Cross table",
            "Pairings",
            "Per side",
            "Side advantage",
            "Same side",
            "Endings",
            "Forfeits",
            "SPRT",
            "Forfeits ended 4 of 30",
        ] {
            assert!(text.contains(title), "no {title} in\n{text}");
        }
    }
}

#[test]
fn sides_of_several_rulesets_are_added_up_where_they_have_the_same_name() {
    let sums = |names: &[&str]| {
        let (_folder, archive) = journal(names, 30);
        let text = report(&archive, ReportFormat::Text { columns: 160 });
        let table = between(&text, "\nPer side\n", "\n\n");
        assert!(table.contains("< and > bounds where all games were lost or won"), "{table}");
        table.lines().filter(|line| line.contains(" all  ")).count()
    };
    assert_eq!(sums(&["masters-15", "bell-13"]), 4);
    assert_eq!(sums(&["masters-15", "hare-and-hounds"]), 0);
}

#[test]
fn csv_has_a_row_for_every_game() {
    let (_folder, archive) = journal(&["masters-15"], 21);
    let text = report(&archive, ReportFormat::Csv);
    let head: Vec<&str> = text.lines().next().expect("a head").split(',').collect();
    assert_eq!(text.lines().count(), 22);
    // The nasty name has quotation marks but no commas.
    for (row, game) in text.lines().skip(1).zip(games(&archive)) {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells.len(), head.len(), "{row}");
        let cell = |name: &str| cells[head.iter().position(|&head| head == name).expect("a column")];
        assert_eq!(cell("game"), game.record.fixture.game.to_string());
        assert_eq!(cell("plies"), (game.record.moves.len() + game.record.opening.moves.len()).to_string());
        let nodes: u64 = game.record.moves.iter().filter_map(|mv| mv.opinion().nodes).sum();
        let of = |name: &str| cell(name).parse::<u64>().unwrap_or(0);
        assert_eq!(of("p1_nodes") + of("p2_nodes"), nodes);
    }
}

fn names_of_games_of_two() -> Vec<&'static str> {
    let seats = |name: &str| registry::open(&RulesetChoice::catalog(name)).expect("rules").game().seats.len();
    catalog::names().filter(|name| seats(name) == 2).collect()
}

#[test]
fn reports_know_who_moved() {
    let names = names_of_games_of_two();
    let (_folder, archive) = journal(&names, 2 * names.len() as u64);
    let mut replays = Replays::new(&archive.header);
    for game in games(&archive) {
        let ruleset = &archive.header.rulesets[game.record.fixture.ruleset].label;
        let mut session = registry::open(&RulesetChoice::catalog(ruleset)).expect("rules");
        session.set_position(None, &[]).expect("the start");
        let movers = replays.movers(&game.record);
        assert_eq!(movers.len(), game.record.plies());
        for (mover, text) in movers.into_iter().zip(game.record.texts()) {
            // The dice move in nobody's name.
            assert_eq!(mover, session.turn().seat().map(|seat| seat.0), "{ruleset} {text}");
            session.play(text).expect("a legal move");
        }
    }
}

/// The moves of a PGN text, comments and numbers left out.
fn pgn_moves(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut depth = 0;
    for letter in text.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            other if depth == 0 => plain.push(other),
            _ => {}
        }
    }
    let words = plain.split_whitespace().filter(|word| !word.ends_with('.'));
    let is_result = |word: &&str| ["1-0", "0-1", "1/2-1/2"].contains(word);
    words.filter(|word| !is_result(word)).map(str::to_owned).collect()
}

#[test]
fn pgn_can_be_replayed_and_keeps_to_its_width() {
    let names = names_of_games_of_two();
    let (_folder, archive) = journal(&names, 2 * names.len() as u64);
    let text = report(&archive, ReportFormat::Pgn);
    let games = games(&archive);
    let mut parts = text.split("\n\n");
    for game in &games {
        let (tags, moves) = (parts.next().expect("tags"), parts.next().expect("moves"));
        assert!(tags.lines().all(|line| line.starts_with('[') && line.ends_with("\"]")), "{tags}");
        assert!(moves.lines().all(|line| line.len() <= 80), "{moves}");
        let variant = between(tags, "[Variant \"", "\"]");
        let moves = pgn_moves(moves);
        assert_eq!(moves, game.record.texts().collect::<Vec<_>>());
        let mut session = registry::open(&RulesetChoice::catalog(variant)).expect("rules");
        session.set_position(None, &moves.iter().map(String::as_str).collect::<Vec<_>>()).expect("legal moves");
        assert!(tags.contains(&format!("[Result \"{}\"]", game.record.result_text())));
        let has_first = game.record.fixture.seats.contains(&0);
        assert_eq!(tags.contains("Limits \"200 nodes a move\"]"), has_first, "{tags}");
    }
    assert_eq!(parts.map(str::trim).collect::<String>(), "");
}

#[test]
fn the_page_loads_nothing_and_names_are_harmless() {
    let (_folder, archive) = journal(&["masters-15", "chess-elsewhere"], 20);
    let page = report(&archive, ReportFormat::Html);
    // Faces and the grain of boards are within the page; the name of SVG is no address.
    let loading = page.replace("url(data:", "").replace("url(\"data:", "").replace("http://www.w3.org/2000/svg", "");
    for forbidden in ["http:", "https:", "src=", "@import", "url(", "<link", "alert(1)</script>", "<script>alert"] {
        assert!(!loading.contains(forbidden), "{forbidden}");
    }
    // Those of the page itself.
    assert_eq!(page.matches("</script").count(), 4);
    assert_eq!(page.matches("<script").count(), 4);
    assert!(!page.contains("<!--"));
    let lines = between(&page, "id=\"lines\">\n", "</script>").lines();
    let games: Vec<Value> = lines.map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(games.len() == 20 && games.iter().all(|game| game["engines"].as_array().unwrap().contains(&NASTY.into())));
}

#[test]
fn a_start_that_many_games_share_stands_in_the_page_once() {
    let names = ["bagha-chal"];
    let page = |start: Option<&str>| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = Journal::create(folder.path(), &samples::header(&names)).expect("a new journal");
        let mut games: Vec<_> = (0..400).map(|number| samples::game(&names, number)).collect();
        games.iter_mut().for_each(|game| game.record.opening.start = start.map(str::to_owned));
        journal.append(&games).expect("written games");
        drop(journal);
        report(&Archive::read(folder.path()).expect("a journal"), ReportFormat::Html)
    };
    let [usual, started] = [None, Some("F3F/5/5/5/F3F g hand=20")].map(page);
    // The start alone has some 500 bytes.
    assert!(started.len() > usual.len() && started.len() < usual.len() + 2000, "{}", started.len() - usual.len());
}

#[test]
fn the_page_states_its_conditions() {
    let (_folder, archive) = journal(&["masters-15"], 4);
    let page = report(&archive, ReportFormat::Html);
    let conditions = between(&page, "id=\"conditions\"", "</section>");
    for stated in ["reynard test", "2026-09-21T14:13:20Z to 2026-09-21T14:13:23Z", "200 nodes a move", "elo1 50"] {
        assert!(conditions.contains(stated), "no {stated} in {conditions}");
    }
    assert!(conditions.contains("1 s on the clock, 0.01 s more with every move"), "{conditions}");
    assert!(page.matches("<details>").count() > 8, "sections are folded");
    let (_folder, archive) = journal(&["masters-15"], 7);
    assert!(report(&archive, ReportFormat::Html).contains("<p>Forfeits ended 1 of 7 games"), "beside the results");
}

#[test]
fn options_at_their_defaults_are_no_condition() {
    let mut header = samples::header(&["masters-15"]);
    let hash = registry::default_options().value("Hash").to_owned();
    let mut spec = serde_json::json!(header.played);
    spec["engines"][0]["options"] = serde_json::json!({"Hash": hash, "Searcher": "mcts"});
    spec["engines"][0]["as"] = serde_json::json!({"fox": {"EvalFoxReach": "77"}});
    spec["engines"][1]["options"] = serde_json::json!({"Hash": hash});
    spec["engines"][1]["program"] = serde_json::json!({"command": "./rival", "crc": "0"});
    header.played = serde_json::from_value(spec).expect("a spec");
    let folder = tempfile::tempdir().expect("a folder");
    drop(Journal::create(folder.path(), &header).expect("a journal"));
    let page = report(&Archive::read(folder.path()).expect("a journal"), ReportFormat::Html);
    assert!(
        page.contains(">Searcher=mcts, as fox: EvalFoxReach=77<"),
        "{}",
        between(&page, "id=\"conditions\"", "</section>")
    );
    assert!(page.contains(">command ./rival, crc 0<") && page.contains(&format!(">Hash={hash}<")));
}

#[test]
fn an_end_of_a_page_replaces_no_report_that_is_whole() {
    let (folder, archive) = journal(&["masters-15"], 2);
    let path = folder.path().join("nowhere").join("report.html");
    let error = write_file(subject(&archive), ReportFormat::Html, &path).expect_err("no such folder");
    assert!(error.to_string().contains("nowhere"), "{error}");
}

#[test]
fn a_report_that_fails_leaves_no_draft_and_the_old_one_as_it_was() {
    let (folder, archive) = journal(&["masters-15"], 2);
    write_all(subject(&archive), MANY_GAMES).expect("games").1.expect("reports");
    let files = || {
        let names = std::fs::read_dir(folder.path()).expect("a folder");
        let mut names: Vec<_> = names.map(|entry| entry.expect("a file").file_name()).collect();
        names.sort();
        names
    };
    let before = files();
    assert!(before.iter().any(|name| name == "report.html"), "{before:?}");
    let page = std::fs::read(folder.path().join("report.html")).expect("a page");
    // The games get shorter under the reader's hands.
    std::fs::write(archive.layout().journal(), "").expect("a journal");
    write_all(subject(&archive), MANY_GAMES).expect_err("no games left");
    write_file(subject(&archive), ReportFormat::Html, &folder.path().join("report.html")).expect_err("no games left");
    assert_eq!(files(), before);
    assert_eq!(std::fs::read(folder.path().join("report.html")).expect("a page"), page);
}
