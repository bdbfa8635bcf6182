//! The handshake and the options.

use reynard_engine::rules::catalog;

use super::client::Client;

/// An option line, split into its parts.
struct Announced {
    name: String,
    kind: String,
    rest: Vec<String>,
}

impl Announced {
    fn read(line: &str) -> Self {
        let (name, rest) = line.strip_prefix("option name ").unwrap().split_once(" type ").unwrap();
        let mut words = rest.split(' ').map(str::to_owned);
        Announced { name: name.to_owned(), kind: words.next().unwrap(), rest: words.collect() }
    }

    fn value_of(&self, key: &str) -> String {
        let at = self.rest.iter().position(|word| word == key).unwrap();
        self.rest[at + 1].clone()
    }

    fn choices(&self) -> Vec<String> {
        self.rest.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1].clone()).collect()
    }
}

fn announced(client: &mut Client) -> Vec<Announced> {
    client.send("uci");
    let lines = client.until("uciok");
    lines.iter().filter(|line| line.starts_with("option")).map(|line| Announced::read(line)).collect()
}

#[test]
fn each_flavour_has_its_handshake() {
    for (hello, ok) in [("ugi", "ugiok"), ("uci", "uciok")] {
        let mut client = Client::new();
        client.send(hello);
        let lines = client.until(ok);
        assert!(lines[0].starts_with("id name reynard "), "{lines:?}");
        assert!(lines[1].starts_with("id author "), "{lines:?}");
    }
}

#[test]
fn options_of_all_five_types_and_every_ruleset_are_announced() {
    let options = announced(&mut Client::new());
    for kind in ["spin", "check", "combo", "button", "string"] {
        assert!(options.iter().any(|option| option.kind == kind), "{kind}");
    }
    let variant = options.iter().find(|option| option.name == "UCI_Variant").unwrap();
    assert_eq!(variant.choices(), catalog::all_names().collect::<Vec<_>>());
    assert_eq!(variant.value_of("default"), "masters-15");
    let mut names: Vec<String> = options.iter().map(|option| option.name.to_lowercase()).collect();
    for name in ["hash", "threads", "multipv", "ponder", "seed", "ownbook", "searcher", "ruleswitches", "rulesfile"] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), options.len(), "no name stands twice");
}

#[test]
fn the_range_of_ratings_is_that_of_the_game() {
    let mut client = Client::new();
    let range = |client: &mut Client, ruleset: &str| {
        client.accepted(&format!("setoption name UCI_Variant value {ruleset}"));
        let elo = announced(client).into_iter().find(|option| option.name == "UCI_Elo").unwrap();
        assert_eq!(elo.value_of("default"), elo.value_of("max"), "{ruleset}: full strength until one is set");
        elo.value_of("max").parse::<i32>().unwrap()
    };
    let [hunts, the_game, again] = ["bell-13", "the-game", "masters-15"].map(|name| range(&mut client, name));
    assert!(hunts == again && hunts < the_game, "{hunts} {the_game} {again}");
    let error = client.refused(&format!("setoption name UCI_Elo value {}", hunts + 1));
    assert!(error.contains(&format!("from 0 to {hunts}")), "{error}");
}

#[test]
fn more_threads_or_memory_than_there_are_is_a_remark() {
    let mut client = Client::new();
    client.send("uci");
    client.until("uciok");
    assert_eq!(client.told("setoption name Threads value 1"), Vec::<String>::new());
    let said = client.told("setoption name threads value 256");
    assert!(said[0].starts_with("info string Threads: 256 share "), "{said:?}");
    if std::fs::exists("/proc/meminfo").unwrap_or(false) {
        let said = client.told("setoption name Hash value 65536");
        assert!(said[0].starts_with("info string Hash: of 65536 MiB "), "{said:?}");
        assert_eq!(client.told("setoption name Hash value 1"), Vec::<String>::new());
    }
}

#[test]
fn eval_says_which_weights_it_used() {
    let mut client = Client::new();
    let mut weights = |settings: &[&str]| {
        settings.iter().for_each(|setting| client.accepted(&format!("setoption name {setting}")));
        client.told("eval")[0].clone()
    };
    assert_eq!(weights(&["UCI_Variant value bell-13"]), "learned weights of bell-13");
    assert!(weights(&["UCI_Variant value refskak", "Searcher value mcts"]).contains("murray-13"));
    assert_eq!(weights(&["EvalFile value linear"]), weights(&["UCI_Variant value solitaire"]));
}

/// Values that an option must take, and values that it must refuse.
fn samples(option: &Announced) -> (Vec<String>, Vec<String>) {
    let owned = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>();
    match option.kind.as_str() {
        "spin" => {
            let [min, max, default] = ["min", "max", "default"].map(|key| option.value_of(key).parse::<i64>().unwrap());
            assert!((min..=max).contains(&default), "{}", option.name);
            let texts = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>();
            (texts(&[min, max, default]), [texts(&[min - 1, max + 1]), owned(&["x", ""])].concat())
        }
        "check" => (owned(&["true", "FALSE"]), owned(&["maybe", ""])),
        "combo" => (option.choices(), owned(&["nonsense", ""])),
        "string" => (owned(&["", "<empty>"]), Vec::new()),
        _ => (owned(&[""]), Vec::new()),
    }
}

#[test]
fn every_option_takes_what_it_announces_and_nothing_else() {
    let mut client = Client::new();
    let options = announced(&mut client);
    // UCI would be told of turns that do not alternate.
    client.send("ugi");
    client.until("ugiok");
    for option in options {
        let (good, bad) = samples(&option);
        for value in good {
            let said = client.told(&format!("setoption name {} value {value}", option.name.to_uppercase()));
            let is_remark = |line: &String| line.starts_with(&format!("info string {}: ", option.name));
            assert!(said.is_empty() || (["Hash", "Threads"].contains(&&*option.name) && said.iter().all(is_remark)));
        }
        for value in bad {
            let error = client.refused(&format!("SetOption NAME {} VALUE {value}", option.name.to_lowercase()));
            assert!(error.contains(&format!("option {}:", option.name)) && error.contains("expected"), "{error}");
        }
    }
}

#[test]
fn turns_that_do_not_alternate_are_announced_in_uci() {
    let protocol = include_str!("../../../protocol.md");
    let listed = protocol.split("\n\n").find(|paragraph| paragraph.starts_with("**Turns**")).unwrap();
    let (mut chess, mut board) = (Client::new(), Client::ugi());
    announced(&mut chess);
    for ruleset in catalog::names() {
        let set = format!("setoption name UCI_Variant value {ruleset}");
        board.accepted(&set);
        let game = board.query("game");
        let (alternates, is_puzzle) = (game.contains("\"alternates\":true"), game.contains("\"seats\":1"));
        let told = chess.told(&set);
        assert_eq!(told.len(), usize::from(!alternates && !is_puzzle), "{ruleset}: {told:?}");
        let remark = format!("info string {ruleset}: turns do not alternate: ");
        assert!(told.iter().all(|line| line.starts_with(&remark)), "{told:?}");
        assert_eq!(listed.contains(&format!("`{ruleset}`")), !told.is_empty(), "{ruleset}: {listed}");
    }
    chess.accepted("setoption name UCI_Variant value bell-13");
    assert_eq!(chess.told("setoption name RuleSwitches value huff=add_goose").len(), 1, "also by a switch");
    chess.send("uci");
    assert!(chess.until("uciok").iter().any(|line| line.starts_with("info string bell-13: ")), "in the handshake");
}

#[test]
fn a_table_path_that_holds_no_tables_is_reported_once_and_play_goes_on() {
    let bare = tempfile::tempdir().unwrap();
    let bare = bare.path().display().to_string();
    for (path, words) in [("/no/such/folder", "no such folder"), (bare.as_str(), "holds no tables of masters-15")] {
        let mut client = Client::ugi();
        client.accepted(&format!("setoption name TablePath value {path}"));
        for (depth, times) in [(3, 1), (4, 0)] {
            let (lines, best) = client.go(&format!("depth {depth}"));
            let told: Vec<_> = lines.iter().filter(|line| line.contains(path)).collect();
            assert_eq!(told.len(), times, "{lines:?}");
            assert!(told.iter().all(|line| line.starts_with("info string TablePath: ") && line.contains(words)));
            assert!(best.starts_with("bestmove ") && best != "bestmove (none)");
        }
    }
}

#[test]
fn unknown_options_and_half_commands_are_refused() {
    let mut client = Client::ugi();
    assert!(client.refused("setoption name Nonsense value 1").contains("Nonsense"));
    client.refused("setoption");
    client.refused("setoption name");
    client.refused("setoption Hash 5");
    client.accepted("setoption name Clear Hash");
}

#[test]
fn a_ruleset_makes_startpos_mean_its_start() {
    let mut client = Client::ugi();
    client.accepted("setoption name Ruleset value BELL-13");
    client.accepted("position startpos");
    assert_eq!(client.query("fen"), "3/3/7/7/GGGGGGG/GGG/GGG f phase=place");
    assert_eq!(client.query("p1name"), "fox");
    client.accepted("setoption name uci_variant value two-foxes-24");
    assert_eq!(client.query("fen"), "3/3/GGF1FGG/GGGGGGG/GGGGGGG/GGG/GGG f");
}

#[test]
fn switches_change_the_chosen_ruleset_and_bad_ones_change_nothing() {
    let mut client = Client::ugi();
    client.accepted("setoption name RuleSwitches value geese=13 goose_moves=forward,sideways chain=false");
    assert_eq!(client.query("fen"), "3/3/7/3F3/GGGGGGG/GGG/GGG g");
    assert!(client.query("rules").contains("\"chain\":false"));
    for bad in ["chain=perhaps", "no_such_key=1", "chain", "geese=14"] {
        let error = client.refused(&format!("setoption name RuleSwitches value {bad}"));
        assert!(error.contains("RuleSwitches"), "{error}");
        assert!(client.query("rules").contains("\"chain\":false"));
    }
    client.accepted("setoption name RuleSwitches");
    assert_eq!(client.query("fen"), "3/3/7/G2F2G/GGGGGGG/GGG/GGG g");
}

#[test]
fn switches_that_do_not_fit_the_next_ruleset_are_named() {
    let mut client = Client::ugi();
    client.accepted("setoption name RuleSwitches value geese=22");
    let error = client.refused("setoption name UCI_Variant value bagha-chal");
    assert!(error.contains("RuleSwitches") && error.contains("'geese=22'"), "{error}");
    let error = client.refused("setoption name RulesFile value /no/such/file");
    assert!(!error.contains("RuleSwitches"), "{error}");
}

#[test]
fn an_edited_rules_file_is_read_again_and_reported_in_ascii() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.json");
    let write = |title: &str, base: &str| {
        let text =
            format!(r#"{{"name": "mine", "title": "{title}", "extends": "{base}", "source": "a", "about": "A."}}"#);
        std::fs::write(&path, text).unwrap();
    };
    let choose = format!("setoption name RulesFile value {}", path.display());
    let mut client = Client::ugi();
    write("Gåsetavl 🦊", "masters-13");
    client.accepted(&choose);
    let rules = client.query("rules");
    assert!(rules.is_ascii(), "{rules}");
    let json: serde_json::Value = serde_json::from_str(&rules).unwrap();
    assert_eq!(json["title"], "Gåsetavl 🦊");
    assert!(client.query("board").is_ascii());
    write("Mine", "masters-15");
    client.accepted(&choose);
    assert_eq!(client.query("fen"), "3/3/7/G2F2G/GGGGGGG/GGG/GGG g");
}

#[test]
fn a_rules_file_is_played_and_a_bad_one_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine with blanks.json");
    let text = r#"{"name": "mine", "title": "Mine", "extends": "masters-13", "source": "a test", "about": "A test."}"#;
    std::fs::write(&path, text).unwrap();
    let mut client = Client::ugi();
    client.accepted(&format!("setoption name RulesFile value {}", path.display()));
    assert_eq!(client.query("fen"), "3/3/7/3F3/GGGGGGG/GGG/GGG g");
    assert!(client.query("rules").contains("\"mine\""));
    let error = client.refused(&format!("setoption name RulesFile value {}", folder.path().display()));
    assert!(error.contains("RulesFile"), "{error}");
    assert!(client.query("rules").contains("\"mine\""));
    client.accepted("setoption name UCI_Variant value masters-15");
    assert_eq!(client.query("fen"), "3/3/7/G2F2G/GGGGGGG/GGG/GGG g");
}
