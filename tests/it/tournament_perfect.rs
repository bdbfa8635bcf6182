//! Tables of perfect play in tournaments: adjudication, openings, mistakes, labels.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use reynard::testing::tournament::spec::LoadedSpec;
use reynard::testing::tournament::{
    Assessor, Cause, Conversion, Ending, Fixture, GameRecord, MistakeCount, Opening, Opinion, Plan, PlayedMove,
};
use reynard_engine::rules::Seat;
use reynard_engine::session::Options;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::tablebase::Metric;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::tournament_run::Stage;

fn reynard(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_reynard")).current_dir(folder).args(words).output().unwrap()
}

/// Tables of fox-and-hounds in `hounds`, and of masters-15 up to 3 geese in `three` and up to 4 in `four`.
fn tables(name: &str) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        let builds: [&[&str]; 3] = [
            &["fox-and-hounds", "--dir", "hounds"],
            &["masters-15", "--geese", "3", "--dir", "three"],
            &["masters-15", "--geese", "4", "--dir", "four"],
        ];
        for build in builds {
            let output = reynard(folder.path(), &[&["table", "build"], build].concat());
            assert!(output.status.success(), "{build:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        folder
    });
    folder.path().join(name)
}

fn random_players() -> Value {
    json!([
        {"name": "A", "options": {"Searcher": "random"}, "limits": {"nodes": 1}},
        {"name": "B", "options": {"Searcher": "random"}, "limits": {"nodes": 1}}
    ])
}

/// Random players at fox-and-hounds, where every position is won by one side.
fn hounds(changes: &[(&str, Value)]) -> Stage {
    let keys = [
        ("rulesets", json!(["fox-and-hounds"])),
        ("engines", random_players()),
        ("tables", json!(tables("hounds"))),
        ("max_plies", json!(200)),
    ];
    Stage::with(&[&keys, changes].concat())
}

/// The few geese of a game that tables of 3 and of 4 geese both have something to say about.
fn four_geese() -> Value {
    json!([{"name": "masters-15", "set": {"geese": ["a3", "c3", "e3", "g3"]}}])
}

fn games(stage: &Stage, dir: &str) -> Vec<GameRecord> {
    stage.journal(dir).lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn resolved(spec: Value) -> Plan {
    let spec = serde_json::from_value(spec).unwrap();
    LoadedSpec::new(spec, Path::new("/"), "spec").unwrap().resolve().unwrap()
}

fn hounds_spec(openings: Value) -> Value {
    json!({
        "rulesets": ["fox-and-hounds"], "engines": random_players(), "format": "match", "pairs": 30,
        "openings": openings, "tables": tables("hounds")
    })
}

/// The role that wins after an opening, as the tables say.
fn winner_after(opening: &Opening) -> Option<&'static str> {
    let mut session = registry::open(&RulesetChoice::catalog("fox-and-hounds")).unwrap();
    let moves: Vec<&str> = opening.moves.iter().map(String::as_str).collect();
    session.set_position(opening.start.as_deref(), &moves).unwrap();
    let verdict =
        session.table_value(&hounds_options(), Metric::Conversion).unwrap().expect("tables cover every position");
    verdict.winner.map(|seat| session.game().role(seat))
}

/// What a seat plays.
fn role(seat: u8) -> &'static str {
    registry::open(&RulesetChoice::catalog("fox-and-hounds")).unwrap().game().role(Seat(seat))
}

fn hounds_options() -> Options {
    let mut options = registry::default_options();
    options.set("TablePath", tables("hounds").to_str()).unwrap();
    options
}

/// A game from this position, with the seats of its moves in turn from `first` on.
fn played(start: &str, first: u8, moves: &[&str]) -> GameRecord {
    GameRecord {
        fixture: Fixture { game: 0, pair: 0, ruleset: 0, opening: 0, seats: [0, 1] },
        opening: Opening { start: Some(start.to_owned()), moves: Vec::new() },
        moves: moves.iter().map(|&text| PlayedMove::new(text.to_owned(), Opinion::default())).collect(),
        movers: (0..moves.len()).map(|index| char::from(b'0' + (first + index as u8) % 2)).collect(),
        ending: Ending { winner: None, cause: Cause::PlyLimit, reason: String::new() },
    }
}

#[test]
fn a_known_mistake_is_counted_once_and_for_the_side_that_made_it() {
    let header = resolved(hounds_spec(json!({"kind": "none"}))).header;
    let seat = |role: &str| header.rulesets[0].seats.iter().position(|seat| seat.role == role).unwrap();
    let (fox, geese) = (seat("fox"), seat("geese"));
    let mut assessor = Assessor::new(&header, &tables("hounds")).unwrap();
    // The fox in the corner has one way out, which f6g7 closes. Any other move lets it run past every hound.
    let start = "GG1F/4/2G1/1G2/4/4/4/4 g";
    let good = assessor.assess(&played(start, geese as u8, &["f6g7"])).unwrap().unwrap();
    assert!(good.mistakes.is_empty());
    let figures = |count: MistakeCount| (count.games, count.judged(), count.at_stake(), count.by_kind());
    assert_eq!(figures(good.counts[geese]), (1, 1, 1, [0, 0, 0]));
    let blunder = played(start, geese as u8, &["f6e7", "h8g7", "e7f8", "g7f6"]);
    let found = assessor.assess(&blunder).unwrap().unwrap();
    assert_eq!((figures(found.counts[geese]), &found.mistakes[..]), ((1, 2, 1, [0, 1, 0]), &[1][..]));
    assert_eq!(figures(found.counts[fox]), (1, 2, 2, [0, 0, 0]));
}

#[test]
fn a_won_game_is_converted_or_given_away_at_a_known_ply_or_never() {
    let header = resolved(hounds_spec(json!({"kind": "none"}))).header;
    let seat = |role: &str| header.rulesets[0].seats.iter().position(|seat| seat.role == role).unwrap();
    let (fox, geese) = (seat("fox"), seat("geese"));
    let mut assessor = Assessor::new(&header, &tables("hounds")).unwrap();
    let mut conversions = |start: &str, first: usize, moves: &[&str], winner: Option<usize>| {
        let mut record = played(start, first as u8, moves);
        record.ending.winner = winner.map(|seat| seat as u8);
        let found = assessor.assess(&record).unwrap().unwrap();
        [geese, fox].map(|player| found.conversions[player])
    };
    let start = "GG1F/4/2G1/1G2/4/4/4/4 g";
    let end = |won_after, half_points, given_away| Some(Conversion { won_after, half_points, given_away });
    assert_eq!(conversions(start, geese, &["f6g7"], Some(geese)), [end(0, 2, None), None]);
    let blunder = ["f6e7", "h8g7", "e7f8", "g7f6"];
    assert_eq!(conversions(start, geese, &blunder, Some(fox)), [end(0, 0, Some(1)), end(1, 2, None)]);
    // The limit of plies comes before either side has moved again: the fox had it won and gave nothing away.
    assert_eq!(conversions(start, geese, &blunder[..1], None), [end(0, 1, Some(1)), end(1, 1, None)]);
    assert_eq!(conversions(start, geese, &[], None), [end(0, 1, None), None]);
}

#[test]
fn reports_tell_what_became_of_won_games() {
    let stage = hounds(&[("pairs", json!(40))]);
    stage.run("out", &["--quiet"]);
    let report = |format: &str| stage.good(&["report", "out", "--format", format]);
    assert!(!report("text").contains("Conversion"));
    let folder = tables("hounds").display().to_string();
    let report = |format: &str| stage.good(&["report", "out", "--tables", &folder, "--format", format]);
    let data: Value = serde_json::from_str(&report("json")).unwrap();
    let (games, rows) = (games(&stage, "out"), report("csv"));
    let names: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    let cell = |row: &str, name: &str| {
        row.split(',').nth(names.iter().position(|known| *known == name).unwrap()).unwrap().to_owned()
    };
    let mut counts = [[0; 4]; 2];
    let mut wasted = Vec::new();
    for (game, row) in games.iter().zip(rows.lines().skip(1)) {
        for (player, &engine) in game.fixture.seats.iter().enumerate() {
            let of_player = |name: &str| cell(row, &format!("p{}_{name}", player + 1));
            let result = of_player("conversion");
            let Some(place) = ["won", "drawn", "lost"].iter().position(|known| *known == result) else {
                assert!(result.is_empty() && game.ending.winner != Some(player as u8), "{row}");
                continue;
            };
            counts[engine][place] += 1;
            let moves: Vec<&str> =
                game.opening.moves.iter().map(String::as_str).chain(game.moves.iter().map(|mv| mv.text())).collect();
            let ply = of_player("given_away_ply").parse::<usize>().ok();
            if let Some(ply) = ply {
                // The tables of this game know no draws: before the move the player wins, behind it the other one.
                let winner = |plies: &[&str]| {
                    let moves = plies.iter().map(|&mv| mv.to_owned()).collect();
                    winner_after(&Opening { start: None, moves })
                };
                assert_eq!(of_player("given_away_move"), moves[ply - 1]);
                assert_eq!(winner(&moves[..ply - 1]), Some(role(player as u8)), "{row}");
                assert_ne!(winner(&moves[..ply]), Some(role(player as u8)), "{row}");
            }
            counts[engine][3] += u64::from(place > 0 && ply.is_none());
            if place > 0 {
                wasted.push((game.fixture.game, engine as u64, ply.map(|ply| (ply, moves[ply - 1].to_owned()))));
            }
        }
    }
    for (engine, [won, drawn, lost, not_given_away]) in counts.into_iter().enumerate() {
        let found = &data["engines"][engine]["overall"]["conversion"];
        let share = won as f64 / (won + drawn + lost) as f64;
        let expected = json!({"games": won + drawn + lost, "won": won, "drawn": drawn, "lost": lost, "share": share,
                              "not_given_away": not_given_away});
        assert_eq!(*found, expected);
        assert!(won > 10 && lost > 10, "{found}");
    }
    let listed: Vec<_> = data["unconverted"].as_array().unwrap().iter().collect();
    let told = |game: &Value| {
        let mv = game["ply"].as_u64().map(|ply| (ply as usize, game["move"].as_str().unwrap().to_owned()));
        (game["game"].as_u64().unwrap(), game["engine"].as_u64().unwrap(), mv)
    };
    assert_eq!(listed.into_iter().map(told).collect::<Vec<_>>(), wasted);
    let page = report("html");
    for text in [report("text"), page] {
        assert!(
            text.contains("Conversion") && text.contains("Won by tables") && text.contains("Given away at"),
            "{text}"
        );
    }
}

#[test]
fn an_engine_with_tables_makes_no_mistake_and_a_random_one_does() {
    let perfect = json!({"Searcher": "alphabeta", "Hash": 1, "TablePath": tables("hounds")});
    let engines = json!([
        {"name": "perfect", "options": perfect, "limits": {"nodes": 20}},
        {"name": "random", "options": {"Searcher": "random"}, "limits": {"nodes": 1}}
    ]);
    let stage = hounds(&[("engines", engines), ("pairs", json!(10))]);
    stage.run("out", &["--quiet"]);
    assert!(!stage.journal("out").contains("\"tables\""), "the games do not depend on the key");
    let folder = tables("hounds").display().to_string();
    let report = |format: &str| stage.good(&["report", "out", "--tables", &folder, "--format", format]);
    let data: Value = serde_json::from_str(&report("json")).unwrap();
    let found = |engine: usize| data["engines"][engine]["overall"]["mistakes"].clone();
    assert_eq!((found(0)["mistakes"].as_u64(), found(0)["games"].as_u64()), (Some(0), Some(20)), "{}", found(0));
    assert!(found(0)["judged"].as_u64() > Some(20) && found(1)["mistakes"].as_u64() > Some(4), "{data}");
    let text = report("text");
    assert!(text.contains("Mistakes/game") && text.contains("At stake"), "{text}");
    // The page that the run wrote has them too, and that of a run which was joined.
    let page = fs::read_to_string(stage.path("out/report.html")).unwrap();
    assert!(page.contains("Mistakes/game") && page == report("html"));
    let mut parts = vec!["merge"];
    for shard in ["0/2", "1/2"] {
        stage.run(&shard[..1], &["--quiet", "--shard", shard]);
        parts.push(&shard[..1]);
    }
    stage.good(&[&parts[..], &["--out", "joined", "--tables", &folder]].concat());
    assert_eq!(stage.journal("joined"), stage.journal("out"));
    let joined = fs::read_to_string(stage.path("joined/report.html")).unwrap();
    assert!(joined.contains("Mistakes/game"));
    // Every mistake hands the win over: their number is odd where the opening was won by the other side.
    let rows = report("csv");
    let lines = page.split("id=\"lines\">\n").nth(1).unwrap().lines();
    for ((row, game), line) in rows.lines().skip(1).zip(games(&stage, "out")).zip(lines) {
        let mistakes: u64 = [23, 28].iter().map(|&at| row.split(',').nth(at).unwrap().parse::<u64>().unwrap()).sum();
        let marked = serde_json::from_str::<Value>(line).unwrap()["mistakes"].as_array().unwrap().len() as u64;
        assert_eq!(marked, mistakes, "the marks ?? of {line}");
        let winner = game.ending.winner.map(role);
        assert_eq!(mistakes % 2 == 1, winner_after(&game.opening) != winner, "{row}");
    }
}

/// Without the keys that only judged moves bring.
fn without_mistakes(value: &mut Value) {
    match value {
        Value::Object(object) => {
            ["mistakes", "conversion", "unconverted"].iter().for_each(|key| drop(object.remove(*key)));
            object.values_mut().for_each(without_mistakes);
        }
        Value::Array(items) => items.iter_mut().for_each(without_mistakes),
        _ => {}
    }
}

#[test]
fn reports_without_tables_are_what_they_were() {
    let stage = hounds(&[]);
    stage.run("judged", &["--quiet"]);
    let mut spec: Value = serde_json::from_str(&fs::read_to_string(stage.path("spec.json")).unwrap()).unwrap();
    spec.as_object_mut().unwrap().remove("tables");
    fs::write(stage.path("spec.json"), spec.to_string()).unwrap();
    stage.run("plain", &["--quiet"]);
    assert_eq!(stage.journal("plain"), stage.journal("judged"));
    let folder = tables("hounds").display().to_string();
    let plain = |format: &str| stage.good(&["report", "plain", "--format", format]);
    let judged = |format: &str| stage.good(&["report", "plain", "--format", format, "--tables", &folder]);
    assert!(!plain("text").contains("Mistakes") && !plain("html").contains(">Mistakes"));
    let data = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let (plain_data, mut judged_data) = (data(&plain("json")), data(&judged("json")));
    assert_ne!(plain_data, judged_data);
    without_mistakes(&mut judged_data);
    assert_eq!(plain_data, judged_data);
    for (plain, judged) in plain("csv").lines().zip(judged("csv").lines()) {
        let more = judged.strip_prefix(plain).unwrap();
        assert_eq!(more.matches(',').count(), 10, "{more}");
    }
    assert_eq!(plain("pgn"), judged("pgn"));
}

#[test]
fn games_end_by_table_with_the_result_of_perfect_play() {
    let adjudication = json!({"table": true, "table_after_plies": 7});
    let balanced = json!({"kind": "random", "plies": 3, "balance": {"by": "table", "value": "geese"}});
    let stage = hounds(&[("openings", balanced), ("adjudication", adjudication)]);
    stage.run("out", &["--quiet"]);
    let games = games(&stage, "out");
    let by_table: Vec<&GameRecord> =
        games.iter().filter(|game| game.ending.cause == Cause::TableAdjudication).collect();
    assert!(by_table.len() > 6, "{} of {}", by_table.len(), games.len());
    for game in by_table {
        let mut moves = game.opening.moves.clone();
        moves.extend(game.moves.iter().map(|mv| mv.text().to_owned()));
        assert_eq!(moves.len(), 7);
        let winner = winner_after(&Opening { start: None, moves });
        assert_eq!(game.ending.winner.map(role), winner);
        assert_eq!(game.ending.reason, "won by table");
    }
    let whole = stage.journal("out");
    let kept: Vec<&str> = whole.lines().take(5).collect();
    fs::create_dir(stage.path("torn")).unwrap();
    fs::write(stage.path("torn").join("journal.jsonl"), kept.join("\n") + "\n").unwrap();
    stage.run("torn", &["--quiet", "--resume", "--concurrency", "2"]);
    assert_eq!(stage.journal("torn"), whole);
    let at_once = hounds(&[("adjudication", json!({"table": true}))]);
    at_once.run("out", &["--quiet"]);
    assert!(self::games(&at_once, "out").iter().all(|game| game.moves.is_empty()), "every position is covered");
}

#[test]
fn other_tables_are_another_tournament() {
    let spec = |folder: &str| {
        let keys = [
            ("rulesets", four_geese()),
            ("engines", random_players()),
            ("adjudication", json!({"table": true})),
            ("tables", json!(tables(folder))),
        ];
        Stage::with(&keys)
    };
    let (three, four) = (spec("three"), spec("four"));
    three.run("out", &["--quiet"]);
    let head: Value = serde_json::from_str(three.journal("out").lines().next().unwrap()).unwrap();
    let text = head.to_string();
    assert!(text.contains("\"geese\":[3]") && !text.contains("three"), "{text}");
    let out = three.path("out").display().to_string();
    let refusal = four.refused(&["run", "spec.json", "--quiet", "--resume", "--out", &out]);
    assert!(refusal.contains("tables[0].geese"), "{refusal}");
}

#[test]
fn openings_are_chosen_by_their_value() {
    for value in ["fox", "geese"] {
        let balance = json!({"by": "table", "value": value});
        let resolved = resolved(hounds_spec(json!({"kind": "random", "plies": 7, "balance": balance})));
        let openings: Vec<Opening> =
            (0..30).map(|number| resolved.openings.opening(0, number, &Default::default()).unwrap()).collect();
        assert!(openings.iter().all(|opening| winner_after(opening) == Some(value)), "{value}");
        let different = openings.iter().enumerate().all(|(index, opening)| !openings[..index].contains(opening));
        assert!(different, "{value}");
        assert_eq!(resolved.openings.distinct(0, 0..30), 30);
    }
}

/// The open positions after so many plies that the fox wins, found without any help of the book.
fn won_by_the_fox(plies: usize) -> usize {
    let mut session = registry::open(&RulesetChoice::catalog("fox-and-hounds")).unwrap();
    let mut lines: Vec<Vec<String>> = vec![Vec::new()];
    for _ in 0..plies {
        let (mut next, mut keys) = (Vec::new(), HashSet::new());
        for line in lines {
            let texts: Vec<&str> = line.iter().map(String::as_str).collect();
            session.set_position(None, &texts).unwrap();
            for text in session.legal_moves() {
                session.play(&text).unwrap();
                if session.turn().outcome().is_none() && keys.insert(session.key()) {
                    next.push([&line[..], &[text]].concat());
                }
                session.undo();
            }
        }
        lines = next;
    }
    let is_won = |moves: Vec<String>| winner_after(&Opening { start: None, moves }) == Some("fox");
    lines.into_iter().filter(|line| is_won(line.clone())).count()
}

#[test]
fn all_openings_of_a_value_are_found_and_no_more() {
    let count = won_by_the_fox(5);
    let balance = json!({"by": "table", "value": "fox"});
    let openings = json!({"kind": "random", "plies": 5, "balance": balance});
    let stage = hounds(&[("openings", openings.clone()), ("pairs", json!(count + 1))]);
    let refusal = stage.refused(&["check", "spec.json"]);
    assert!(refusal.contains(&format!("only {count} opening(s) of 5 plies")), "{refusal}");
    hounds(&[("openings", openings), ("pairs", json!(count))]).good(&["check", "spec.json"]);
}

#[test]
fn too_few_openings_and_missing_tables_are_refused_before_the_first_game() {
    let drawn = json!({"kind": "random", "plies": 2, "balance": {"by": "table"}});
    let refusal = hounds(&[("openings", drawn)]).refused(&["run", "spec.json", "--quiet"]);
    assert!(refusal.contains("openings") && refusal.contains("only 0 opening(s)"), "{refusal}");
    let none = hounds(&[("rulesets", json!(["bell-13"]))]).refused(&["check", "spec.json"]);
    assert!(none.contains("tables: ") && none.contains("no tables of 'bell-13'"), "{none}");
    let the_game = hounds(&[("rulesets", json!(["the-game"])), ("openings", json!({"kind": "none"}))]);
    assert!(the_game.refused(&["check", "spec.json"]).contains("'the-game' has no tables"));
    let stage = hounds(&[]);
    stage.run("out", &["--quiet"]);
    let folder = tables("four").display().to_string();
    let foreign = stage.refused(&["report", "out", "--tables", &folder]);
    assert!(foreign.contains("no tables of 'fox-and-hounds'"), "{foreign}");
    assert!(stage.refused(&["report", "out", "--tables", "nowhere"]).contains("nowhere: no such folder"));
}

#[test]
fn a_damaged_table_is_named_and_nothing_is_reported_by_it() {
    let stage = hounds(&[]);
    stage.run("out", &["--quiet"]);
    fs::create_dir(stage.path("damaged")).unwrap();
    for entry in fs::read_dir(tables("hounds")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "table") {
            let mut bytes = fs::read(&path).unwrap();
            let (from, to) = (bytes.len() / 8, bytes.len() * 3 / 4);
            bytes[from..to].iter_mut().for_each(|byte| *byte = !*byte);
            fs::write(stage.path("damaged").join(path.file_name().unwrap()), bytes).unwrap();
        }
    }
    let output = stage.output(&["report", "out", "--tables", "damaged"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(error.contains(".table") && output.stdout.is_empty(), "{error}");
}

#[test]
fn a_match_counts_mistakes_too() {
    let folder = tables("hounds");
    let b = format!("Searcher=alphabeta,Hash=1,TablePath={}", folder.display());
    let words = ["match", "--ruleset", "fox-and-hounds", "--games", "4", "--nodes", "20", "--a", "Searcher=random"];
    let more = ["--b", &b, "--tables", folder.to_str().unwrap()];
    let output = reynard(&folder, &[&words[..], &more[..], &["--json"]].concat());
    let data: Value = serde_json::from_slice(&output.stdout).unwrap();
    let [a, b] = [0, 1].map(|engine| &data["engines"][engine]["overall"]);
    assert_eq!(b["mistakes"]["mistakes"], json!(0), "{data}");
    let found = &a["mistakes"];
    assert!(found["games"] == json!(4) && found["mistakes"].as_u64() > Some(0), "{data}");
    assert!(a["roles"][0]["mistakes"]["judged"].as_u64() > Some(0), "{data}");
    let output = reynard(&folder, &[&words[..], &more[..]].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Mistakes") && text.contains("Conversion"), "{text}");
    assert_eq!(b["conversion"]["share"], json!(1.0), "{data}");
}
