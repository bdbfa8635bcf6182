//! `reynard table`, through the real program.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use reynard_engine::rules::catalog::{Language, rule_text, text_of_keys};
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::tablebase::format::{EncodedBlock, LayerFile, LayerWriter, TableHeader};
use reynard_engine::tablebase::table_files;
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::client::Client;

const DONE: i32 = 0;
const NEGATIVE: i32 = 1;
const USAGE: i32 = 2;

/// `reynard table` with these arguments and a folder: exit code, standard output and standard error.
fn table(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    command.arg("table").args(arguments).env("REYNARD_TABLES", folder);
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let (code, out, error) = table(folder, arguments);
    assert_eq!(code, DONE, "{arguments:?}: {error}");
    out
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&succeed(folder, arguments)).unwrap()
}

/// Fails with this code and an error that holds all the words.
fn refused(folder: &Path, arguments: &[&str], code: i32, words: &[&str]) {
    let (got, _, error) = table(folder, arguments);
    assert_eq!(got, code, "{arguments:?}: {error}");
    for word in words {
        assert!(error.contains(word), "{arguments:?}: '{word}' is missing in: {error}");
    }
}

fn built(ruleset: &str, geese: &str) -> TempDir {
    let folder = tempdir().unwrap();
    succeed(folder.path(), &["build", ruleset, "--geese", geese]);
    folder
}

/// Wins of the geese with the geese to move, by geese.
fn geese_wins(folder: &Path, ruleset: &str) -> Vec<(u64, u64)> {
    let rows = json_of(folder, &["stats", ruleset, "--json"]);
    let rows = rows.as_array().unwrap().iter().filter(|row| row["turn"] == "g");
    rows.map(|row| (row["geese"].as_u64().unwrap(), row["geese_win"].as_u64().unwrap())).collect()
}

#[test]
fn a_build_says_beforehand_what_it_takes() {
    let folder = tempdir().unwrap();
    let build = ["build", "bell-13", "--geese", "4"];
    let (code, _, error) = table(folder.path(), &build);
    assert_eq!(code, DONE, "{error}");
    let words: Vec<&str> = error.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(words[..5], ["to", "solve:", "2,373,360", "positions,", "with"], "{error}");
    assert!(error.contains(" of memory and ") && error.contains(" on disk, in about "), "{error}");
    let (code, _, error) = table(folder.path(), &build);
    assert!(code == DONE && !error.contains("to solve"), "{error}");
}

#[test]
fn texts_say_who_wins_the_small_games() {
    let folder = tempdir().unwrap();
    for name in [
        "fox-and-hounds",
        "hare-and-hounds",
        "hat-diviyan-keliya",
        "len-choa",
        "kaooa",
        "gioco-dell-orso",
        "haretavl",
        "huli-mane-ata",
        "hund-efter-hare-thy",
        "hund-efter-hare-vendsyssel",
        "janes-soppi",
        "jeu-militaire",
        "ludus-coriovalli",
        "bam-blang-beh-khla",
        "mysore-one-tiger",
        "pulijudamu",
    ] {
        succeed(folder.path(), &["build", name]);
        let answer = json_of(folder.path(), &["probe", name, "start", "--json"]);
        let session = registry::open(&RulesetChoice::catalog(name)).unwrap();
        let rules = &session.game().rules;
        let found = answer["winner"].as_str().map_or("draw", |winner| text(&rules[format!("{winner}_side")]));
        let words = rule_text(name).or_else(|| text_of_keys(Language::English, rules, None)).unwrap();
        assert_eq!(words.solved.as_deref(), Some(found), "{name}");
    }
}

#[test]
fn masters_counts_are_the_known_ones() {
    let folder = built("masters-15", "6");
    let folder = folder.path();
    assert_eq!(geese_wins(folder, "masters-15"), [(3, 0), (4, 25), (5, 846), (6, 12_835)]);
    // Set-ups share their tables.
    assert_eq!(geese_wins(folder, "masters-22"), geese_wins(folder, "masters-15"));
    let rows = json_of(folder, &["stats", "masters-15", "--json"]);
    let keys: Vec<&str> = rows[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["geese", "turn", "fox_wins", "draws", "geese_win"]);
    let positions = |k: u64| (0..k).fold(1, |ways, i| ways * (33 - i) / (i + 1)) * (33 - k);
    for row in rows.as_array().unwrap() {
        let sum: u64 = ["fox_wins", "draws", "geese_win"].iter().map(|key| row[key].as_u64().unwrap()).sum();
        assert_eq!(sum, positions(row["geese"].as_u64().unwrap()), "{row}");
    }
    let page = succeed(folder, &["stats"]);
    for words in ["masters-15", "12,835", "geese win", "6 geese, turn g", "-06.table"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    // Every longest win is one by the other door, too.
    let longest: Vec<&str> = page.lines().filter(|line| line.contains(" geese, turn ")).collect();
    assert!(longest.len() >= 8, "{page}");
    for line in longest {
        let (words, position) = line.rsplit_once(", ").unwrap();
        let answer = json_of(folder, &["probe", "masters-15", position, "--json"]);
        let plies = words.rsplit_once(": ").unwrap().1.split(' ').next().unwrap().parse::<u64>().unwrap();
        let winner = if words.contains("fox wins") { "fox" } else { "geese" };
        assert_eq!((answer["plies"].as_u64(), &answer["winner"]), (Some(plies), &json!(winner)), "{line}");
    }
}

#[test]
fn tables_of_an_older_layout_are_refused_wherever_they_are_read() {
    let folder = built("bell-13", "4");
    let folder = folder.path();
    let path = &table_files(folder).unwrap()[0];
    let header = LayerFile::open(path).unwrap().header.clone();
    let mut writer = LayerWriter::create(path).unwrap();
    writer.append(&EncodedBlock::new(2, &[0; 20]).unwrap()).unwrap();
    writer.finish(&TableHeader { layout: "lone".to_owned(), ..header }).unwrap();
    let words = ["-04.table", "in layout 'lone' instead of 'strips'", "reynard table build bell-13 --dir"];
    refused(folder, &["list"], NEGATIVE, &words);
    for command in ["stats", "verify", "build"] {
        refused(folder, &[command, "bell-13"], NEGATIVE, &words);
    }
}

#[test]
fn the_protocol_says_what_probe_says_and_go_plays_it() {
    let folder = built("bell-13", "4");
    let mut client = Client::ugi();
    client.accepted("setoption name UCI_Variant value bell-13");
    client.accepted(&format!("setoption name TablePath value {}", folder.path().display()));
    for position in ["3/3/7/3F3/7/GGG/G2 f", "3/3/7/3F3/7/GGG/G2 g", "F2/GG1/1G5/1G5/7/3/3 f", "F2/GG1/1G5/1G5/7/3/3 g"]
    {
        client.accepted(&format!("position fen {position}"));
        let told: Value = serde_json::from_str(&client.query("table")).unwrap();
        let probed = json_of(folder.path(), &["probe", "bell-13", position, "--json"]);
        for key in ["value", "winner", "plies", "moves"] {
            assert_eq!(told[key], probed[key], "{position}: {key}");
        }
        let (_, best) = client.go("nodes 1000");
        let row =
            told["moves"].as_array().unwrap().iter().find(|row| best == format!("bestmove {}", text(&row["move"])));
        assert_eq!(row.unwrap_or_else(|| panic!("{position}: {best}"))["value"], told["value"], "{position}: {best}");
    }
}

#[test]
fn bell_and_murray_counts_are_the_known_ones() {
    let folder = tempdir().unwrap();
    succeed(folder.path(), &["build", "bell-13", "--geese", "6"]);
    succeed(folder.path(), &["build", "murray-13", "--geese", "5"]);
    assert_eq!(geese_wins(folder.path(), "bell-17"), [(4, 21), (5, 729), (6, 10_888)]);
    assert_eq!(geese_wins(folder.path(), "murray-13"), [(4, 36), (5, 1160)]);
    let list = succeed(folder.path(), &["list"]);
    for words in ["bell-13 bell-15 bell-17: with 4-6 geese", "murray-13: with 4-5 geese"] {
        assert!(list.contains(words), "{words}: {list}");
    }
}

#[test]
fn a_sample_larger_than_the_table_is_all_of_it() {
    let folder = built("fox-and-hounds", "2");
    let page = succeed(folder.path(), &["verify", "fox-and-hounds", "--sample", "1000000000000"]);
    let lines: Vec<&str> = page.lines().collect();
    let checked = [("1 goose", "1,984"), ("2 geese", "29,760")];
    assert_eq!(
        lines,
        checked.map(|(geese, all)| format!("fox-and-hounds, {geese}: {all} positions checked, all right"))
    );
}

#[test]
fn verification_passes_what_was_built_and_nothing_else() {
    let folder = built("bell-13", "5");
    let folder = folder.path();
    let page = succeed(folder, &["verify", "bell-13", "--sample", "500"]);
    let lines: Vec<&str> = page.lines().collect();
    assert_eq!(lines, [4, 5].map(|geese| format!("bell-13, {geese} geese: 500 positions checked, all right")));
    let path = &table_files(folder).unwrap()[1];
    let mut bytes = fs::read(path).unwrap();
    bytes[5000] ^= 4;
    fs::write(path, &bytes).unwrap();
    let (code, page, _) = table(folder, &["verify", "bell-13", "--sample", "500"]);
    assert!(code == NEGATIVE && page.contains("-05.table, frame "), "{page}");
    assert!(page.contains("checksum does not fit; delete the file and build it anew"), "{page}");
    assert!(page.contains("bell-13, 5 geese: 0 positions checked, the file is FAULTY"), "{page}");
    fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    refused(folder, &["verify", "bell-13"], NEGATIVE, &["-05.table", "cut short"]);
    refused(folder, &["list"], NEGATIVE, &["-05.table", "cut short"]);
    refused(folder, &["build", "bell-13", "--geese", "5"], NEGATIVE, &["-05.table", "cut short", "delete the file"]);
    refused(folder, &["stats", "bell-13"], NEGATIVE, &["-05.table"]);
    fs::remove_file(path).unwrap();
    succeed(folder, &["build", "bell-13", "--geese", "5"]);
    succeed(folder, &["verify", "bell-13", "--sample", "500"]);
}

#[test]
fn probing_tells_the_value_of_every_move() {
    let folder = built("masters-15", "5");
    let folder = folder.path();
    let trapped = "3/1F1/2G4/G1G3G/7/3/3 g";
    let answer = json_of(folder, &["probe", "masters-15", trapped, "--json"]);
    assert_eq!((&answer["turn"], &answer["position"]), (&json!("g"), &json!(trapped)));
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.len() > 3 && moves.iter().all(|row| row["move"].is_string() && row["value"].is_string()), "{answer}");
    // The best move comes first and has the value of the position.
    for key in ["value", "winner", "plies"] {
        assert_eq!(moves[0][key], answer[key], "{key}: {answer}");
    }
    let page = succeed(folder, &["probe", "masters-15", trapped]);
    assert!(page.contains(" to move: ") && page.lines().count() > moves.len(), "{page}");
    // Two geese cannot win, and the rules alone say so.
    let over = json_of(folder, &["probe", "masters-15", "3/3/7/3F3/7/3/G1G g", "--json"]);
    assert_eq!((&over["value"], &over["winner"], &over["moves"]), (&json!("loss"), &json!("fox"), &json!([])));
    assert!(over["over"].as_str().unwrap().contains("too few geese"), "{over}");
    refused(folder, &["probe", "masters-15", "start"], NEGATIVE, &["no table", "covers this position"]);
    // Options may stand between the ruleset and the position, and a position alone is one of the default ruleset.
    for words in [&["probe", "masters-15", "--json", trapped][..], &["probe", "--json", trapped]] {
        assert_eq!(json_of(folder, words), answer);
    }
    refused(folder, &["probe", "masters-15", trapped, "--rules", "a.json"], USAGE, &["twice", "--rules"]);
    refused(folder, &["probe", "bell-13", trapped], NEGATIVE, &["no table"]);
    refused(folder, &["probe", "masters-15", "3/3 g"], USAGE, &["column"]);
}

#[test]
fn the_atlas_tells_who_wins_from_every_start() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    refused(folder, &["atlas"], USAGE, &["no table", "table build"]);
    refused(folder, &["atlas", "masters-15"], USAGE, &["there is no table of masters-15"]);
    refused(Path::new("/nonexistent"), &["atlas"], USAGE, &["/nonexistent: no such folder"]);
    succeed(folder, &["build", "fox-and-hounds"]);
    let atlas = json_of(folder, &["atlas", "--json"]);
    let set_up = &atlas["set_ups"][0];
    assert_eq!((&set_up["ruleset"], &set_up["geese"]), (&json!("fox-and-hounds"), &json!(4)));
    // The hounds win from the usual start, as has long been known.
    assert_eq!((&set_up["fox_start"], &set_up["value"]["winner"]), (&json!("d8"), &json!("geese")));
    assert_eq!(set_up["points"].as_object().unwrap().len(), 28);
    let page = succeed(folder, &["atlas", "fox-and-hounds"]);
    for words in ["fox-and-hounds | geese  | d8     |     2 |     4 | 0 | 0 | 28 |", "fox moves first"] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[test]
fn bad_usage_is_told() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    refused(folder, &["build", "nobody"], USAGE, &["nobody"]);
    refused(folder, &["build", "solitaire"], USAGE, &["solitaire", "Fox & Geese"]);
    refused(folder, &["stats", "goose"], USAGE, &["goose", "no tables"]);
    refused(folder, &["probe", "the-game", "start"], NEGATIVE, &["no table"]);
    refused(folder, &["build", "masters-15", "--geese", "40"], USAGE, &["masters-15", "at most"]);
    let said = succeed(folder, &["build", "siege", "--geese", "6"]);
    assert!(said.contains("fewer than 9 geese the game is decided"), "{said}");
    for memory in ["0", "-1"] {
        refused(folder, &["build", "--memory", memory], USAGE, &["--memory", "above 0"]);
    }
    refused(folder, &["build", "great-siege", "--geese", "17"], USAGE, &["great-siege", "than can be counted, but"]);
    refused(folder, &["build", "--threads", "0"], USAGE, &["--threads"]);
    refused(folder, &["build", "masters-15", "--geese", "13", "--memory", "0.001"], USAGE, &["of memory", "MiB are"]);
    refused(folder, &["build", "--set", "repetition=geese_lose"], USAGE, &["repetition"]);
    refused(folder, &["verify", "masters-15"], USAGE, &["no table of masters-15", "table build"]);
    refused(folder, &["verify", "--sample", "0"], USAGE, &["--sample"]);
    refused(folder, &["stats"], USAGE, &["masters-15", "--dir"]);
    assert!(succeed(folder, &["list"]).contains("no tables in "));
    assert!(table_files(folder).unwrap().is_empty());
    for subcommand in ["build", "verify", "stats", "probe", "list", "atlas"] {
        assert!(succeed(folder, &[subcommand, "--help"]).contains("Usage: reynard table"), "{subcommand}");
    }
}

#[test]
fn a_missing_folder_is_told_alike() {
    let folder = tempdir().unwrap();
    let missing = folder.path().join("nowhere");
    for (arguments, code) in [(&["probe", "start"][..], NEGATIVE), (&["verify"], USAGE), (&["stats"], USAGE)] {
        refused(&missing, arguments, code, &["nowhere: no such folder; a folder of tables is expected"]);
    }
    assert!(succeed(&missing, &["list"]).contains("no tables in "));
}

#[test]
fn as_many_geese_as_fit_are_built_by_default() {
    let folder = tempdir().unwrap();
    let (code, out, error) = table(folder.path(), &["build", "murray-13", "--memory", "0.08", "--threads", "2"]);
    assert_eq!(code, DONE, "{error}");
    for words in ["building up to 6 geese only: tables with up to 13 geese take ", " of memory, but 81.9 MiB are"] {
        assert!(error.contains(words), "{words}: {error}");
    }
    assert!(out.starts_with("murray-13: tables with 4 to 6 geese are in "), "{out}");
    let elsewhere = folder.path().join("else/where");
    let arguments = ["build", "masters-13", "--geese", "3", "--dir", elsewhere.to_str().unwrap()];
    succeed(folder.path(), &arguments);
    assert_eq!(table_files(&elsewhere).unwrap().len(), 1);
}

#[test]
fn partial_tables_are_told_with_what_is_missing() {
    let folder = built("bell-13", "5");
    let folder = folder.path();
    let part = "tables with 4-5 geese are there, those with 6-13 up to its start are missing";
    refused(folder, &["atlas", "bell-13"], USAGE, &["bell-13: ", part, "goes on from there"]);
    refused(folder, &["atlas"], USAGE, &["bell-13: ", part, "bell-17: ", "6-17", "table build"]);
    assert!(succeed(folder, &["build", "bell-13", "--geese", "5"]).contains(&format!("bell-13: {part}\n")));
    let page = succeed(folder, &["build", "bell-13", "--memory", "0.01"]);
    assert!(page.contains("0 built, 2 were there") && page.contains(part), "{page}");
    succeed(folder, &["build", "fox-and-hounds"]);
    let page = succeed(folder, &["atlas"]);
    assert!(page.contains("\nNot shown, since tables are missing:\nbell-13: ") && page.contains(part), "{page}");
    succeed(folder, &["build", "two-foxes-24", "--geese", "2"]);
    refused(folder, &["atlas", "two-foxes-24"], USAGE, &["two-foxes-24: tables with ", "up to its start are missing"]);
}
