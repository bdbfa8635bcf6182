//! Arbitrary and mutated text from outside: answered or refused, never a panic, never slow.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use reynard_engine::geometry::Word;
use reynard_engine::rules::hunt::{Hunt, Ruleset};
use reynard_engine::rules::ruleset::{self, Family};
use reynard_engine::rules::solitaire::{self, Solitaire};
use reynard_engine::rules::{Game, Notation, catalog, perft};

fn hunt<W: Word>(name: &str, switches: &[(&str, &str)]) -> Hunt<W> {
    let switches: Vec<_> = switches.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Hunt::new(&Ruleset::from_catalog(name, &switches).unwrap_or_else(|error| panic!("{error}")))
}

static MASTERS: LazyLock<Hunt<u64>> = LazyLock::new(|| hunt("masters-15", &[("huff", "add_goose")]));
static BELL: LazyLock<Hunt<u64>> = LazyLock::new(|| hunt("bell-13", &[]));
static FOXES: LazyLock<Hunt<u64>> = LazyLock::new(|| hunt("two-foxes-24", &[("huff", "remove_fox")]));
/// Pieces for nearly every placement: none is refused for its number of geese.
const MANY: [(&str, &str); 4] =
    [("huff", "add_goose"), ("huff_stock", "unlimited"), ("foxes", "12"), ("fox_start", "choose")];
static CROWDED: LazyLock<Hunt<u64>> = LazyLock::new(|| hunt("masters-15", &MANY));
static OPEN: LazyLock<Hunt<u64>> = LazyLock::new(|| hunt("gasetavl", &MANY));
static GREAT: LazyLock<Hunt<u128>> = LazyLock::new(|| hunt("great-siege", &[("foxes", "17")]));

static PEGS: LazyLock<Solitaire<u64>> = LazyLock::new(|| pegs("solitaire", &[]));
static WIDE_PEGS: LazyLock<Solitaire<u128>> = LazyLock::new(|| pegs("solitaire", &[("board", "grid(11,11)")]));

fn pegs<W: Word>(name: &str, switches: &[(&str, &str)]) -> Solitaire<W> {
    let switches: Vec<_> = switches.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let ruleset = solitaire::Ruleset::from_catalog(name, &switches);
    Solitaire::new(&ruleset.unwrap_or_else(|error| panic!("{error}")))
}

/// The longest that one text may take, a hundred times what the slowest takes: a search without end takes longer.
const LIMIT: Duration = Duration::from_secs(60);

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < LIMIT, "{:?} for {what}", start.elapsed());
    result
}

/// Reads a position; one that is accepted must be written and read again, and be playable.
fn position_is_sane<G: Notation>(game: &G, text: &str) {
    timed(text, || {
        let Ok(position) = game.parse_position(text) else { return };
        let written = game.position_text(&position);
        assert_eq!(game.parse_position(&written).as_ref(), Ok(&position), "{text}");
        let mut moves = Vec::new();
        game.legal_moves(&position, &mut moves);
        assert_eq!(moves.len() as u64, game.count_moves(&position), "{text}");
        assert_eq!(moves.is_empty(), game.turn(&position).outcome().is_some(), "{text}");
        // Every question below lists all moves again, and some positions have tens of thousands.
        let sample = if moves.len() < 500 { 50 } else { 3 };
        for &mv in moves.iter().take(sample) {
            let move_text = game.move_text(&position, mv);
            assert_eq!(game.parse_move(&position, &move_text), Ok(mv), "{text} {move_text}");
            let next = game.play_unchecked(&position, mv);
            let read = game.parse_position(&game.position_text(&next));
            // A move may open more chains than a text may have, for which alone it is refused.
            let has_too_many =
                read.as_ref().is_err_and(|error| error.to_string().contains("chains of jumps are possible"));
            assert!(has_too_many || read == Ok(next), "{text} {move_text}: {read:?}");
        }
    });
}

fn move_is_sane<G: Notation>(game: &G, text: &str) {
    let position = game.start();
    timed(text, || {
        if let Ok(mv) = game.parse_move(&position, text) {
            assert!(game.is_legal(&position, mv), "{text}");
        }
    });
}

fn ruleset_is_sane(text: &str) {
    timed(text, || match ruleset::family("fuzzed", text) {
        Ok(Family::Hunt) => hunt_is_sane(text),
        Ok(Family::Solitaire) => solitaire_is_sane(text),
        // The other families have their own tests; files of no family are refused by all.
        _ => {}
    });
}

fn starts<G: Notation>(game: &G) {
    let start = game.start();
    let text = game.position_text(&start);
    assert_eq!(game.parse_position(&text), Ok(start), "{text} in {}", game.info().rules);
    assert!(perft(game, &start, 2) < 1 << 20);
}

fn hunt_is_sane(text: &str) {
    let Ok(ruleset) = Ruleset::from_text("fuzzed", text, &[]) else { return };
    if ruleset.is_wide() { starts(&Hunt::<u128>::new(&ruleset)) } else { starts(&Hunt::<u64>::new(&ruleset)) }
}

fn solitaire_is_sane(text: &str) {
    let Ok(ruleset) = solitaire::Ruleset::from_text("fuzzed", text, &[]) else { return };
    if ruleset.is_wide() { starts(&Solitaire::<u128>::new(&ruleset)) } else { starts(&Solitaire::<u64>::new(&ruleset)) }
}

/// Replaces, inserts, removes or doubles characters of a valid text.
fn mutated(text: String) -> impl Strategy<Value = String> {
    let letters = "0123456789FGfgPQ/=,.x-@~ abcdegh\"{}[]:\u{e9}\u{0}";
    let letters: Vec<char> = letters.chars().collect();
    let change = (any::<prop::sample::Index>(), prop::sample::select(letters), 0..4_u8);
    prop::collection::vec(change, 0..5).prop_map(move |changes| {
        let mut characters: Vec<char> = text.chars().collect();
        for (index, letter, kind) in changes {
            if characters.is_empty() {
                break;
            }
            let at = index.index(characters.len());
            match kind {
                0 => characters[at] = letter,
                1 => characters.insert(at, letter),
                2 => drop(characters.remove(at)),
                _ => characters.insert(at, characters[at]),
            }
        }
        characters.into_iter().collect()
    })
}

fn valid_position() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "3/3/7/G2F2G/GGGGGGG/GGG/GGG g",
        "3/3/G1F1G2/6G/GGGG1GG/G1G/GGG g hand=1 owed=drop",
        "3/3/7/7/GGGGGGG/GGG/GGG f phase=place",
        "3/3/7/3F3/GGGGGGG/GGG/GGG g first=1",
        "1G1/1F1/GG3GG/GG1GFGG/GGG1GGG/GGG/GGG g owed=d6,e4",
        "3/3/2G1G2/2GF1G1/1GG1G1G/1G1/3 f hand=3",
        "PPP/PPP/PPPPPPP/PPP1PPP/PPPPPPP/PPP/PPP p",
        "1P1/P2/2P1P2/3PP2/P5P/P1P/3 p",
    ])
    .prop_map(str::to_string)
}

/// Any filling of the board's rows, absurd ones included.
fn any_placement(rows: &'static [usize]) -> impl Strategy<Value = String> {
    let row = |&length: &usize| prop::collection::vec(prop::sample::select(vec!["F", "G", "G", "1"]), length);
    let rows: Vec<_> = rows.iter().map(row).collect();
    (rows, prop::sample::select(vec![" f", " g"])).prop_map(|(rows, turn)| {
        // Neighbouring ones are no canonical text but add up when read digit by digit, so each is kept apart.
        let row = |letters: Vec<&str>| {
            let mut text = String::new();
            let mut run = 0;
            for letter in letters.into_iter().chain(["."]) {
                if letter == "1" {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    text += &run.to_string();
                    run = 0;
                }
                if letter != "." {
                    text += letter;
                }
            }
            text
        };
        rows.into_iter().map(row).collect::<Vec<_>>().join("/") + turn
    })
}

/// Sparse geese and one fox: the placements in which chains are longest.
fn chain_placement(rows: &'static [usize]) -> impl Strategy<Value = String> {
    let total: usize = rows.iter().sum();
    let cells = prop::collection::vec(prop::bool::weighted(0.4), total);
    (cells, 0..total).prop_map(move |(cells, fox)| {
        let mut next = 0;
        let mut row = |&length: &usize| {
            let letters: Vec<char> = (next..next + length)
                .map(|at| {
                    if at == fox {
                        'F'
                    } else if cells[at] {
                        'G'
                    } else {
                        '1'
                    }
                })
                .collect();
            next += length;
            runs(&letters)
        };
        rows.iter().map(&mut row).collect::<Vec<_>>().join("/") + " f"
    })
}

fn runs(letters: &[char]) -> String {
    let pieces = letters.chunk_by(|a, b| a == b);
    pieces.map(|chunk| if chunk[0] == '1' { chunk.len().to_string() } else { chunk.iter().collect() }).collect()
}

const CROSS: &[usize] = &[3, 3, 7, 7, 7, 3, 3];
const GRID: &[usize] = &[11; 11];
const SIEGE: &[usize] = &[7, 5, 9, 9, 9, 9, 9, 5, 5];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn arbitrary_position_text(text in "\\PC{0,60}|[0-9FGfg/]{0,40} [fg] ?[a-z0-9=,]{0,20}") {
        position_is_sane(&*MASTERS, &text);
        position_is_sane(&*GREAT, &text);
    }

    #[test]
    fn mutated_position_text(text in valid_position().prop_flat_map(mutated)) {
        position_is_sane(&*MASTERS, &text);
        position_is_sane(&*BELL, &text);
        position_is_sane(&*FOXES, &text);
        position_is_sane(&*PEGS, &text);
    }

    #[test]
    fn arbitrary_move_text(text in "\\PC{0,30}|[@~]?[a-g1-7x-]{0,16}|[0-9]{1,30}[x-][0-9]{1,30}") {
        move_is_sane(&*MASTERS, &text);
        move_is_sane(&*FOXES, &text);
        move_is_sane(&*GREAT, &text);
        move_is_sane(&*PEGS, &text);
    }

    #[test]
    fn arbitrary_ruleset_text(text in "\\PC{0,80}|\\{(\"[a-z_]{1,12}\": ?[\"\\[\\]0-9a-z, ]{1,12},?){0,4}\\}") {
        ruleset_is_sane(&text);
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn absurd_placements(cross in any_placement(CROSS), siege in any_placement(SIEGE)) {
        position_is_sane(&*CROWDED, &cross);
        position_is_sane(&*OPEN, &cross);
        position_is_sane(&*GREAT, &siege);
    }

    #[test]
    fn placements_full_of_chains(cross in chain_placement(CROSS), siege in chain_placement(SIEGE)) {
        position_is_sane(&*CROWDED, &cross);
        position_is_sane(&*OPEN, &cross);
        position_is_sane(&*GREAT, &siege);
    }

    #[test]
    fn any_pegs(cross in any_placement(CROSS), grid in any_placement(GRID)) {
        let pegs = |text: &str| text.replace(['F', 'G'], "P").replace([' ', 'f', 'g'], "") + " p";
        position_is_sane(&*PEGS, &pegs(&cross));
        position_is_sane(&*WIDE_PEGS, &pegs(&grid));
    }

    #[test]
    fn arbitrary_solitaires(key in "vacancy|start|target|board", value in "\"\\PC{0,10}\"|[0-9-]{1,4}|\\[(\"[a-h][1-8]\",?){0,9}\\]|\"grid\\([0-9]{1,2},[0-9]{1,2}\\)\"") {
        ruleset_is_sane(&format!("{{\"name\": \"a\", \"extends\": \"solitaire\", \"{key}\": {value}}}"));
        ruleset_is_sane(&format!("{{\"name\": \"a\", \"family\": \"solitaire\", \"board\": \"grid(8,8)\", \"{key}\": {value}}}"));
    }

    #[test]
    fn mutated_ruleset_text(text in prop::sample::select(catalog::names().collect::<Vec<_>>())
        .prop_flat_map(|name| mutated(catalog::text(name).unwrap_or_default().to_string())))
    {
        ruleset_is_sane(&text);
    }

    #[test]
    fn ruleset_keys_with_arbitrary_numbers(key in prop::sample::select(vec!["foxes", "drops", "geese", "fox_wins_below", "no_progress"]), value in any::<i64>()) {
        ruleset_is_sane(&format!("{{\"name\": \"a\", \"{key}\": {value}}}"));
        let small = value.rem_euclid(300);
        ruleset_is_sane(&format!("{{\"name\": \"a\", \"fox_start\": \"choose\", \"{key}\": {small}}}"));
    }

    #[test]
    fn arbitrary_boards(names in prop::collection::vec("[a-z][0-9]{1,2}", 1..12), ends in prop::collection::vec((0..12_usize, 0..14_usize), 0..16)) {
        let name = |index: usize| names.get(index).map_or("z26", String::as_str);
        let lines: Vec<[&str; 2]> = ends.iter().map(|&(a, b)| [name(a), name(b)]).collect();
        let geese: Vec<&String> = names.iter().skip(1).take(4).collect();
        let file = serde_json::json!({
            "name": "a", "board": { "points": names, "lines": lines }, "fox_start": [names[0]], "geese": geese, "fox_wins_below": 1,
        });
        ruleset_is_sane(&file.to_string());
    }
}

/// Geese on every second point of every second rank, and the like: the number of chains explodes.
#[test]
fn explosive_positions_are_answered_or_refused_at_once() {
    for text in [
        "7/5/1G1G1G1G1/9/1G1G1G1G1/4F4/1G1G1G1G1/5/5 f",
        "7/1G1G1/1G1G1G1G1/2G1G1G2/1G1G1G1G1/G1G1F1G1G/1G1G1G1G1/1G1G1/5 f",
        "1G1G1G1/5/1G1G1G1G1/G1G1G1G1G/1G1G1G1G1/G1G1F1G1G/1G1G1G1G1/G1G1G/1G1G1 f",
        "7/1GGG1/1G1G1G1G1/1GGGGGGG1/1G1G1G1G1/1GGG1GGG1/1G1GFG1G1/1GGG1/5 f",
    ] {
        position_is_sane(&*GREAT, text);
    }
    for text in [
        "3/1G1/1G1G1G1/2GFG2/1G1G1G1/1G1/3 f",
        "3/GGG/1G1G1G1/1GGFGG1/1G1G1G1/GGG/3 f",
        "1G1/G1G/G1G1G1G/1G1F1G1/G1G1G1G/G1G/1G1 f",
    ] {
        position_is_sane(&*OPEN, text);
        position_is_sane(&*CROWDED, text);
    }
}

/// Depth of nesting and length are bounded by the reader, not by the stack.
#[test]
fn long_and_deep_texts_are_refused() {
    for text in [
        "[".repeat(100_000),
        format!("{{\"name\": {}", "{\"a\":".repeat(50_000)),
        "9".repeat(1_000_000),
        "F".repeat(1_000_000),
    ] {
        let start = &text[..40];
        timed(start, || assert!(Ruleset::from_text("fuzzed", &text, &[]).is_err()));
        timed(start, || assert!(GREAT.parse_position(&text).is_err()));
        timed(start, || assert!(GREAT.parse_position(&format!("{text} f")).is_err()));
        timed(start, || assert!(GREAT.parse_move(&GREAT.start(), &text).is_err()));
    }
    let many_keys = format!("3/3/7/G2F2G/GGGGGGG/GGG/GGG g{}", " hand=1".repeat(10_000));
    timed("many keys", || assert!(MASTERS.parse_position(&many_keys).is_err()));
    let long_chain = format!("d4{}", "xd6xd4".repeat(50_000));
    timed("a long chain", || assert!(MASTERS.parse_move(&MASTERS.start(), &long_chain).is_err()));
    let error = MASTERS.parse_move(&MASTERS.start(), &long_chain).expect_err("no such chain");
    assert!(error.to_string().len() < 300, "the reply stays short");
}
