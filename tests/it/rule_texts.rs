//! The rules of the catalog's games in words: complete, of a length that people read, and about the right sides.

use std::process::Command;

use reynard_engine::rules::catalog::{self, Language, RuleText, rule_text, rule_text_in, text_of_keys};
use reynard_engine::session::registry::{self, RulesetChoice};
use serde_json::{Map, Value};

/// The longest paragraph and the longest text, in characters.
const LONGEST: usize = 600;
const LONGEST_TEXT: usize = 4_000;

fn paragraphs(text: &RuleText) -> Vec<&str> {
    let sides = text.sides.iter().flat_map(|side| [side.goal.as_str(), side.moves.as_str()]);
    let whole = [&text.setup, &text.captures, &text.end].map(String::as_str);
    let others = text.special.iter().chain(&text.balance).map(String::as_str);
    sides.chain(whole).chain(others).collect()
}

fn rules(name: &str) -> Value {
    registry::open(&RulesetChoice::catalog(name)).unwrap_or_else(|error| panic!("{error}")).game().rules.clone()
}

#[test]
fn every_game_has_a_complete_text_of_sensible_length() {
    let texts: Map<String, Value> =
        serde_json::from_str(include_str!("../../src/engine/rules/catalog/texts.en.json")).expect("JSON");
    assert_eq!(texts.keys().collect::<Vec<_>>(), catalog::names().collect::<Vec<_>>());
    for name in catalog::names() {
        let text = rule_text(name).unwrap_or_else(|| panic!("{name} has no complete text"));
        let paragraphs = paragraphs(&text);
        for paragraph in &paragraphs {
            assert!((10..=LONGEST).contains(&paragraph.len()), "{name}: {paragraph}");
            assert!(paragraph.ends_with('.') && !paragraph.contains("  "), "{name}: {paragraph}");
        }
        assert!(paragraphs.iter().map(|paragraph| paragraph.len()).sum::<usize>() < LONGEST_TEXT, "{name}");
        // What programs read says what people read.
        let sides = || text.sides.iter().map(|side| (format!("with best play the {} ", side.name), side.name.as_str()));
        let others = [
            ("with best play the game is drawn", "draw"),
            ("it takes 18 moves", "solution"),
            ("from this start no single peg can be left", "no solution"),
            ("the dice decide alone", "chance"),
        ];
        let mut known = sides().chain(others.map(|(said, solved)| (said.into(), solved)));
        let told = text.balance.as_deref().and_then(|balance| balance.strip_prefix("Solved: "));
        let said = told.map(|told| known.find(|(said, _)| told.starts_with(said)).expect(name).1);
        assert_eq!(text.solved.as_deref(), said, "{name}");
    }
}

/// Points and numbers in the order of the alphabet, without the order of a language.
fn figures(paragraph: &str) -> Vec<&str> {
    let is_figure = |word: &&str| word.ends_with(|last: char| last.is_ascii_digit());
    let mut words: Vec<&str> = paragraph.split(|letter: char| !letter.is_alphanumeric()).filter(is_figure).collect();
    words.sort_unstable();
    words
}

#[test]
fn the_dutch_texts_say_as_much_as_the_english_ones() {
    for name in catalog::names() {
        let (english, dutch) = (rule_text(name).expect(name), rule_text_in(Language::Dutch, name).expect(name));
        let sides = |text: &RuleText| text.sides.iter().map(|side| side.name.clone()).collect::<Vec<_>>();
        assert_eq!((sides(&english), &english.solved), (sides(&dutch), &dutch.solved), "{name}");
        let (english, dutch) = (paragraphs(&english), paragraphs(&dutch));
        assert_eq!(english.len(), dutch.len(), "{name}");
        for (english, dutch) in english.into_iter().zip(dutch) {
            assert_eq!(figures(english), figures(dutch), "{name}: {dutch}");
            assert!((10..=LONGEST).contains(&dutch.len()) && dutch.ends_with('.'), "{name}: {dutch}");
            assert!(english != dutch && !dutch.contains("  "), "{name}: {dutch}");
        }
    }
}

#[test]
fn texts_name_the_sides_and_the_limit_of_their_ruleset() {
    for name in catalog::names() {
        let (rules, text) = (rules(name), rule_text(name).expect(name));
        let names: Vec<&str> = text.sides.iter().map(|side| side.name.as_str()).collect();
        match rules["family"].as_str() {
            Some("hunt") => assert_eq!(names, [&rules["fox_side"], &rules["geese_side"]], "{name}"),
            Some("solitaire") => assert_eq!(names, ["player"], "{name}"),
            _ => assert_eq!(names, ["each player"], "{name}"),
        }
        let (words, is_hunt) = (paragraphs(&text).join(" "), rules["family"] == "hunt");
        assert!(!is_hunt || names.iter().all(|side| words.contains(side)), "{name}");
        let is_number = |figure: &&str| figure.parse::<u32>().is_ok_and(|number| number >= 10);
        let (limit, mut said) = (rules["no_progress"].to_string(), figures(&text.end).into_iter().filter(is_number));
        let is_right = if limit == "0" { said.count() == 0 } else { said.any(|number| number == limit) };
        assert!(!is_hunt || is_right, "{name} ends after {limit} turns without progress: {}", text.end);
    }
}

#[test]
fn the_reference_names_every_key() {
    let reference = include_str!("../../src/engine/rules/catalog/README.md");
    for name in ["masters-15", "solitaire", "the-game", "goose"] {
        for key in rules(name).as_object().expect("an object").keys().filter(|key| *key != "fingerprint") {
            assert!(reference.contains(&format!("`{key}`")), "{name}: {key}");
        }
    }
}

#[test]
fn sources_can_be_found() {
    for name in catalog::names() {
        let rules = rules(name);
        let source = rules["source"].as_str().expect(name);
        assert!(source.len() > 20 && !source.contains("rules.md"), "{name}: {source}");
    }
}

#[test]
fn sources_name_what_a_game_was_taken_from() {
    let source = |name: &str| rules(name)["source"].as_str().expect(name).to_owned();
    for name in ["bell-13", "bell-15", "bell-17"] {
        assert!(source(name).contains("1983") && !source(name).contains("1960"), "{name}");
    }
    assert!(source("bell-17").contains("misprint"));
    assert!(["goose", "goose-team"].iter().all(|name| source(name).contains("Aleff")));
    for name in ["siege", "great-siege", "goose-team"] {
        assert!(source(name).contains("This project's choices") && !source(name).contains("modern"), "{name}");
    }
    assert!(["33", "53"].iter().all(|points| source("gasetavl").contains(points)));
    for name in catalog::names() {
        let (source, rules) = (source(name), rules(name));
        assert!(!source.starts_with("In our words"), "{name} names no origin");
        // What no sheet says, and every such game has.
        let limit = rules["no_progress"].as_u64().filter(|&limit| limit >= 300);
        let is_named = limit.is_none_or(|limit| source.contains(&format!("The limit of {limit} turns")));
        assert!(is_named, "{name}: {source}");
        let file: Value = serde_json::from_str(catalog::text(name).expect(name)).expect("JSON");
        let counts = file["fox_wins_below"] == "auto" || file["extends"] == "bell-13";
        assert!(!counts || source.contains("auto"), "{name}: {source}");
    }
}

#[test]
fn a_text_is_printed_in_lines_for_people() {
    let run = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
        command.args(["rules", "text", name]).output().expect("ran")
    };
    for name in ["siege", "GOOSE-TEAM", "the-game-horn", "solitaire-french"] {
        let out = run(name);
        let page = String::from_utf8(out.stdout).expect("UTF-8");
        assert!(out.status.success() && page.contains("Goal: ") && page.contains("Source"), "{page}");
        for line in page.lines() {
            assert!(line.chars().count() <= 100 && line.trim_end() == line, "{line}");
        }
    }
    let unknown = run("siegd");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("did you mean 'siege'"));
}

/// The words of `reynard rules text` with these arguments, on one line.
fn words_of(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let out = command.args(["rules", "text"]).args(arguments).output().expect("ran");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("UTF-8").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_game_can_be_told_from_its_keys_alone() {
    for name in catalog::all_names() {
        let texts = [Language::English, Language::Dutch].map(|language| text_of_keys(language, &rules(name), None));
        assert_eq!(texts[1].is_some(), rules(name)["family"] == "hunt", "{name}");
        for paragraph in texts.iter().flatten().flat_map(paragraphs) {
            assert!(paragraph.ends_with('.') && !paragraph.contains(['{', '}', '_']), "{name}: {paragraph}");
            assert!(!paragraph.contains("null") && !paragraph.contains("  "), "{name}: {paragraph}");
        }
        if !catalog::names().any(|known| known == name) {
            continue;
        }
        let text = texts[0].clone().expect(name);
        let sides: Vec<String> = rule_text(name).expect(name).sides.into_iter().map(|side| side.name).collect();
        assert_eq!(text.sides.iter().map(|side| &side.name).collect::<Vec<_>>(), sides.iter().collect::<Vec<_>>());
    }
}

#[test]
fn a_generated_goal_calls_one_piece_and_several_as_people_do() {
    let one = ["so that it can neither step nor jump.", "zodat die kan stappen noch springen."];
    let several =
        ["so that no piece of that side can step or jump.", "zodat geen stuk van die kant kan stappen of springen."];
    for (name, hemmed, so) in [
        ("coyote", ["Hem in the coyote ", "De coyote insluiten, "], one),
        ("jeu-militaire", ["Hem in the army ", "De krijgsmacht insluiten, "], one),
        ("gasetavl-53", ["Hem in the foxes, ", "De vossen insluiten, "], several),
        ("orissa-four-tigers", ["Hem in the tigers, ", "De tijgers insluiten, "], several),
    ] {
        for (index, language) in [Language::English, Language::Dutch].into_iter().enumerate() {
            let goal = text_of_keys(language, &rules(name), None).expect("a hunt").sides[1].goal.clone();
            assert!(goal.starts_with(&format!("{}{}", hemmed[index], so[index])), "{name}: {goal}");
        }
    }
}

#[test]
fn every_key_changes_the_words() {
    let other_values = [
        (
            "masters-15",
            "board=cross33-open fox_side=wolf geese_side=hens fox_start=choose geese=13 first=fox \
            goose_moves=forward fox_diagonal=none fox_captures=false chain=false capture=forced forced_chain=true \
            huff=add_goose fox_wins_below=5 geese_stuck=pass first_move_forward=true repetition=geese_lose \
            no_progress=50 fox_home_wins=true fortress=c7,d7 fox_goal=c1 fox_stuck=pass jump_rows=odd fox_range=0",
        ),
        ("murray-13", "no_progress_result=fox_wins"),
        ("renard-1840", "huff_stock=unlimited"),
        ("bagha-chal", "drop_zone=c3 first_drops=2 placing=fox_then_geese"),
        ("bagha-chal", "drops_rule=any_turn goose_zone=a1,a2"),
        ("adugo", "opening_removals=1 capture_by=intervene pen=c7"),
        ("masters-15", "piles={\"d3\":2}"),
        ("sher-bakar", "repile=false"),
        ("two-foxes-24", "foxes=2"),
        ("bell-13", "foxes=2"),
        ("siege", "fox_zone=c7,d7 attacker_moves=shortest_path huff_partial_chain=true fill_rule=any_piece"),
        ("bagha-chal", "drops=19"),
        ("solitaire", "vacancy=c4 target=c4 start=d4,d5,d6"),
        (
            "the-game",
            "first=player_2 size=9 basis=a2,h7 blocked=d4 min_steps=4 distinct_route=true stack_limit=2 basis_limit=1 \
            entry=any_turn basis_duty=leaving_first return_to_basis=until_all_entered immobile_loses=true \
            repetition=none",
        ),
        (
            "goose",
            "players=3 ante=2 finish=sum_only back_goose=surplus nine_rule=off inn=2 well=until_relieved prison=2 \
            inn_payment=never well_payment=when_saved prison_payment=on_arrival",
        ),
        ("goose-team", "team=true counters=3 team_dice=sum"),
    ];
    let mut told = Vec::new();
    for (name, switches) in other_values {
        let known = words_of(&[name]);
        for switch in switches.split_whitespace() {
            told.push((name, switch.split_once('=').expect("a switch").0));
            let changed = words_of(&[name, "--set", switch]);
            let is_changed = changed != known;
            assert_eq!(is_changed, !["foxes=2", "team=true"].contains(&switch) || name == "bell-13", "{name} {switch}");
        }
    }
    for (name, _) in other_values {
        let rules = rules(name);
        let head = ["name", "title", "family", "about", "source", "extends", "fingerprint", "exchange", "board"];
        for key in rules.as_object().expect("an object").keys().filter(|key| !head.contains(&key.as_str())) {
            let is_family = |other: &str| self::rules(other)["family"] == rules["family"];
            assert!(told.iter().any(|&(other, told)| told == key && is_family(other)), "{name}: {key}");
        }
    }
}

#[test]
fn no_sentence_contradicts_another() {
    // A game and switches, words that are said then, and words that are not.
    for (name, switches, said, unsaid) in [
        ("main-tapal-empat", "drops=24 goose_moves=[]", "The goats never step", "do they step"),
        (
            "bagha-chal",
            "goose_moves=[] drop_zone=c3,c2 fox_wins_below=1",
            "these points only: c2 and c3",
            "the goats step",
        ),
        ("adugo", "jump_rows=[2]", "the lengths allowed: 2", "takes that enemy off"),
        ("adugo", "jump_rows=odd", "takes that enemy off", "lengths allowed"),
        ("adugo", "fox_wins_below=1", "Take all dogs", "taking five"),
        ("goose-team", "team_dice=sum", "by their sum", "Each die moves"),
        ("solitaire", "target=any_single_peg", "Special", "About"),
        ("siege", "fox_start=c7,e7", "on c7 and e7", "may be chosen"),
        ("catch-the-hare", "opening_removals=1 fox_start=choose", "before any move", "before anything else"),
        ("masters-15", "fox_captures=false fox_diagonal=capture_only", "Nobody takes", "it only jumps"),
    ] {
        let switches: Vec<&str> = switches.split(' ').flat_map(|switch| ["--set", switch]).collect();
        let words = words_of(&[&[name], &switches[..]].concat());
        assert!(words.contains(said) && !words.contains(unsaid), "{name} {switches:?}: {words}");
    }
}

#[test]
fn own_files_are_told_by_their_own_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |text: &str| {
        let path = folder.path().join("own.json");
        std::fs::write(&path, text).expect("written");
        words_of(&["--rules", path.to_str().expect("UTF-8")])
    };
    // What was solved or measured, and where it was found, is told of the same rules alone.
    let told = |page: &str| [page.contains("Balance"), page.contains("Source")];
    let heir = file(r#"{"name": "heir", "extends": "siege", "chain": false, "no_progress": 80}"#);
    assert_eq!((told(&words_of(&["siege"])), told(&heir)), ([true, true], [false, false]), "{heir}");
    assert!(heir.contains("80 turns"), "{heir}");
    let same = file(r#"{"name": "same", "extends": "masters-13", "source": "mine"}"#);
    assert!(told(&same) == [true, true] && same.ends_with("mine"), "{same}");
    let orphan = file(
        r#"{"name": "yard", "board": "grid(3,3)", "fox_side": "cat", "geese_side": "mice", "fox_start": "b3",
            "geese": ["a1", "b1", "c1"], "fox_wins_below": 2}"#,
    );
    let names = ["cat", "mice", "b3", "goose_moves", "geese", "fox"].map(|word| orphan.contains(word));
    assert_eq!(names, [true, true, true, false, false, false], "{orphan}");
}
