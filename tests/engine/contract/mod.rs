//! What every game must keep: one battery over every catalog ruleset and over many switched ones.

mod goose;
mod hunt;
mod solitaire;
mod thegame;
mod view;

use std::collections::HashMap;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::ruleset::{self, Family};
use reynard_engine::rules::{Notation, Outcome, Reason, Record, Repetition, SearchHints, Turn, catalog, perft};
use reynard_engine::session::registry::{self, RulesetChoice};

/// A game under test, with what the battery can ask beyond the trait. Each family has its file.
trait Subject: Notation + SearchHints {
    /// The key computed from nothing but the pieces.
    fn recomputed_key(&self, _position: &Self::Position) -> Option<u64> {
        None
    }

    /// The texts of the position's images under every symmetry that keeps the rules.
    fn image_texts(&self, _position: &Self::Position) -> Vec<String> {
        Vec::new()
    }

    /// Whether random games come to an end by the rules alone.
    fn always_ends(&self) -> bool {
        self.history_rules().repetition != Repetition::Ignored || self.history_rules().no_progress_plies > 0
    }

    /// Texts made of a position's text that are no position, and the position's own where nothing was to be broken.
    fn broken_texts(&self, text: &str) -> Vec<String> {
        vec![text.replacen('/', "", 1), format!("{text} colour=red"), format!("1{text}")]
    }
}

/// `11G1` becomes `2G1`.
fn joined_ones(row: &str) -> String {
    let mut text = String::new();
    let mut run = 0;
    for letter in row.chars().chain(['.']) {
        if letter == '1' {
            run += 1;
            continue;
        }
        if run > 0 {
            text += &run.to_string();
            run = 0;
        }
        text.push(letter);
    }
    text.trim_end_matches('.').to_string()
}

/// Turns of a random game end here at the latest.
const PLY_CAP: usize = 4_000;

/// What one ruleset's games have shown so far.
struct Battery<'a, G: Subject> {
    game: &'a G,
    context: String,
    rng: ChaCha8Rng,
    texts_by_key: HashMap<u64, String>,
    /// A few moves from elsewhere, for asking about illegal ones.
    strangers: Vec<G::Move>,
    client: view::Client,
}

fn run<G: Subject>(game: &G, context: &str, games: usize) {
    let rng = ChaCha8Rng::seed_from_u64(7);
    let mut battery = Battery {
        game,
        context: context.to_string(),
        rng,
        texts_by_key: HashMap::new(),
        strangers: Vec::new(),
        client: view::Client::new(game),
    };
    for _ in 0..games {
        battery.random_game();
    }
}

impl<G: Subject> Battery<'_, G> {
    fn random_game(&mut self) {
        let game = self.game;
        let mut record = Record::new(game.start());
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut idle = 0;
        loop {
            let position = *record.position();
            let text = game.position_text(&position);
            let count = seen.entry(text.clone()).or_default();
            *count += 1;
            assert_eq!(record.occurrences(self.game), *count, "{}: {text}", self.context);
            let turn = record.turn(game);
            assert_eq!(turn, self.expected_turn(&position, *count, idle), "{}: {text}", self.context);
            if record.plies() < 4 || record.plies().is_multiple_of(9) || turn.outcome().is_some() {
                self.position(&position);
            }
            if turn.outcome().is_some() || record.plies() >= PLY_CAP {
                break;
            }
            let mv = game.random_move(&position, &mut self.rng).expect("a player's turn has a move");
            assert!(game.is_legal(&position, mv), "{}: {text}: {mv:?}", self.context);
            idle = if game.is_progress(&position, mv) { 0 } else { idle + 1 };
            record.play(game, mv);
        }
        assert!(record.plies() < PLY_CAP || !game.always_ends(), "{}: no end", self.context);
        self.undo_and_redo(record);
    }

    /// The turn by the plain words of the rules: wins first, then repetition, then lack of progress.
    fn expected_turn(&self, position: &G::Position, count: usize, idle: u32) -> Turn {
        let rules = self.game.history_rules();
        let by_repetition = match rules.repetition {
            Repetition::Ignored => None,
            Repetition::Draws => Some(None),
            Repetition::Loses(seat) => Some(Some(seat.other())),
        };
        match (self.game.turn(position), by_repetition) {
            (Turn::Over(outcome), _) => Turn::Over(outcome),
            (_, Some(winner)) if count >= 3 => Turn::Over(Outcome { winner, reason: Reason::Repetition }),
            _ if rules.no_progress_plies > 0 && idle >= rules.no_progress_plies => {
                Turn::Over(Outcome { winner: rules.no_progress_winner, reason: Reason::NoProgress })
            }
            (turn, _) => turn,
        }
    }

    fn undo_and_redo(&self, record: Record<G>) {
        let mut copy = record.clone();
        for ply in (0..record.plies()).rev() {
            assert_eq!(copy.undo(), Some(record.moves()[ply]));
            assert_eq!(copy.position(), &record.positions()[ply]);
        }
        assert_eq!(copy.undo(), None);
        record.moves().iter().for_each(|&mv| copy.play(self.game, mv));
        assert_eq!(copy.positions(), record.positions());
        assert_eq!(copy.turn(self.game), record.turn(self.game));
        assert_eq!(copy.counters(), record.counters());
    }

    /// Everything that must hold in a single position.
    fn position(&mut self, position: &G::Position) {
        let game = self.game;
        let mut moves = Vec::new();
        game.legal_moves(position, &mut moves);
        let text = game.position_text(position);
        let context = format!("{}: {text}", self.context);
        assert_eq!(game.count_moves(position), moves.len() as u64, "{context}");
        assert_eq!(moves.is_empty(), game.turn(position).outcome().is_some(), "{context}");
        assert_eq!(game.random_move(position, &mut self.rng).is_none(), moves.is_empty(), "{context}");
        self.legality(position, &moves, &context);
        self.keys(position, &moves, &text);
        self.client.follow(game, position, &moves, &context);
        self.position_texts(position, &text);
        self.move_texts(position, &moves, &context);
        self.images(position, &moves, &context);
        if moves.len() <= 12 {
            self.random_moves_reach_all(position, &moves, &context);
        }
    }

    fn legality(&mut self, position: &G::Position, moves: &[G::Move], context: &str) {
        for (index, mv) in moves.iter().enumerate() {
            assert!(!moves[..index].contains(mv), "{context}: {mv:?} twice");
            assert!(self.game.is_legal(position, *mv), "{context}: {mv:?}");
            assert!(self.game.move_slot(*mv) < self.game.move_slots(), "{context}: {mv:?}");
        }
        for &stranger in &self.strangers {
            assert_eq!(self.game.is_legal(position, stranger), moves.contains(&stranger), "{context}: {stranger:?}");
        }
        self.strangers.extend(moves.iter().step_by(5));
        let surplus = self.strangers.len().saturating_sub(60);
        self.strangers.drain(..surplus);
    }

    /// Equal texts, equal positions and equal keys are the same thing, for this position and those after it.
    fn keys(&mut self, position: &G::Position, moves: &[G::Move], text: &str) {
        let children = moves.iter().map(|&mv| self.game.play_unchecked(position, mv));
        for child in children.chain([*position]) {
            let key = self.game.key(&child);
            if let Some(recomputed) = self.game.recomputed_key(&child) {
                assert_eq!(key, recomputed, "{}: after {text}", self.context);
            }
            let child_text = self.game.position_text(&child);
            let known = self.texts_by_key.entry(key).or_insert_with(|| child_text.clone());
            assert_eq!(known, &child_text, "{}: one key for two positions", self.context);
            let read = self.game.parse_position(&child_text);
            assert_eq!(read, Ok(child), "{}: {child_text}", self.context);
        }
    }

    fn position_texts(&self, position: &G::Position, text: &str) {
        for variant in [text.to_ascii_lowercase(), text.to_ascii_uppercase(), text.replace(' ', "  ")] {
            assert_eq!(self.game.parse_position(&variant), Ok(*position), "{}: {variant}", self.context);
        }
        for broken in self.game.broken_texts(text) {
            if broken != text {
                let error = self.game.parse_position(&broken).expect_err(&broken);
                assert!(error.column >= 1 && error.column <= broken.chars().count() + 1, "{error}: {broken}");
            }
        }
    }

    fn move_texts(&self, position: &G::Position, moves: &[G::Move], context: &str) {
        let texts: Vec<String> = moves.iter().map(|&mv| self.game.move_text(position, mv)).collect();
        for (mv, text) in moves.iter().zip(&texts) {
            for variant in also_read(text) {
                let read =
                    self.game.parse_move(position, &variant).unwrap_or_else(|error| panic!("{context}: {error}"));
                assert_eq!(self.game.move_text(position, read), *text, "{context}: {variant}");
                assert_eq!(read, *mv, "{context}: {variant}");
            }
            self.chain_by_its_ends(position, text, &texts, context);
        }
        for nonsense in ["", "z9z8", "d4", "@", "~", "xx", "d4xd4x", "99-1", "pass!", "\u{e9}4"] {
            assert!(self.game.parse_move(position, nonsense).is_err(), "{context}: {nonsense}");
        }
    }

    /// Origin and last point name a chain when no other fits, and are refused when several do.
    fn chain_by_its_ends(&self, position: &G::Position, text: &str, texts: &[String], context: &str) {
        let landings: Vec<&str> = text.split('x').collect();
        let [origin, _, .., last] = landings[..] else { return };
        let short = format!("{origin}x{last}");
        let fits = |other: &&String| other.starts_with(&format!("{origin}x")) && other.ends_with(&format!("x{last}"));
        let read = self.game.parse_move(position, &short).map(|mv| self.game.move_text(position, mv));
        match texts.iter().filter(fits).count() {
            1 => assert_eq!(read, Ok(text.to_string()), "{context}: {short}"),
            _ if texts.contains(&short) => assert_eq!(read, Ok(short.clone()), "{context}: {short}"),
            _ => assert!(read.is_err(), "{context}: {short} fits several chains"),
        }
    }

    fn images(&self, position: &G::Position, moves: &[G::Move], context: &str) {
        let below = |position: &G::Position| perft(self.game, position, 2);
        let expected = if moves.len() < 60 { below(position) } else { 0 };
        for text in self.game.image_texts(position) {
            let image = self.game.parse_position(&text).unwrap_or_else(|error| panic!("{context}: {error}: {text}"));
            assert_eq!(self.game.count_moves(&image), moves.len() as u64, "{context}: image {text}");
            if moves.len() < 60 {
                assert_eq!(below(&image), expected, "{context}: image {text}");
            }
        }
    }

    fn random_moves_reach_all(&mut self, position: &G::Position, moves: &[G::Move], context: &str) {
        let mut left: Vec<G::Move> = moves.iter().copied().filter(|&mv| self.game.gain(position, mv) <= 1).collect();
        for _ in 0..1_000 {
            let drawn = self.game.random_move(position, &mut self.rng);
            left.retain(|&mv| Some(mv) != drawn);
            if left.is_empty() {
                return;
            }
        }
        assert!(left.is_empty(), "{context}: never drawn: {left:?}");
    }
}

/// Other ways to write a move: case, dashes, a closed chain the other way round.
fn also_read(text: &str) -> Vec<String> {
    let mut variants = vec![text.to_string(), text.to_ascii_uppercase()];
    let landings: Vec<&str> = text.split('x').collect();
    match landings[..] {
        [step] if step.starts_with(|first: char| first.is_ascii_lowercase()) && step != "pass" => {
            let second = step.rfind(|letter: char| letter.is_ascii_lowercase()).unwrap_or(0);
            variants.push(format!("{}-{}", &step[..second], &step[second..]));
        }
        [_] => {}
        [from, .., to] => {
            if landings.len() > 2 || !adjacent(from, to) {
                variants.push(text.replace('x', "-"));
            }
            if from == to {
                variants.push(landings.iter().rev().copied().collect::<Vec<_>>().join("x"));
            }
        }
        [] => {}
    }
    variants
}

fn adjacent(from: &str, to: &str) -> bool {
    let file = |name: &str| i32::from(name.as_bytes()[0]);
    let rank = |name: &str| name[1..].parse::<i32>().unwrap_or(0);
    (file(from) - file(to)).abs() <= 1 && (rank(from) - rank(to)).abs() <= 1
}

fn switches(text: &str) -> Vec<(String, String)> {
    let switch = |word: &str| word.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
    text.split_whitespace().filter_map(switch).collect()
}

/// Runs the battery on one ruleset. A new family of games adds one line here and to [`switched`].
fn check(name: &str, text: &str, games: usize) {
    let (switches, context) = (switches(text), format!("{name} {text}"));
    let file = catalog::text(name).unwrap_or_default();
    match ruleset::family(name, file).unwrap_or_else(|error| panic!("{error}")) {
        Family::Hunt => hunt::check(name, &switches, &context, games),
        Family::Solitaire => solitaire::check(name, &switches, &context, games),
        Family::TheGame => thegame::check(name, &switches, &context, games),
        Family::Goose => goose::check(name, &switches, &context, games),
    }
}

/// Rulesets with the switches that bring out every key.
fn switched() -> impl Iterator<Item = (&'static str, &'static str)> {
    [hunt::SWITCHED, solitaire::SWITCHED, thegame::SWITCHED, goose::SWITCHED].concat().into_iter()
}

#[test]
fn every_catalog_ruleset_keeps_the_contract() {
    assert!(catalog::names().count() >= 21);
    for name in catalog::names() {
        check(name, "", 4);
    }
    for name in catalog::regions().flat_map(|(_, names)| names) {
        check(name, "", 1);
    }
}

#[test]
fn every_switch_keeps_the_contract() {
    for (name, text) in switched() {
        check(name, text, 3);
    }
}

#[test]
fn fingerprints_tell_rulesets_apart() {
    let mut known = HashMap::new();
    let named = catalog::all_names().map(|name| (name, ""));
    for (name, text) in named.chain(switched()) {
        let choice = RulesetChoice { switches: switches(text), ..RulesetChoice::catalog(name) };
        let session = registry::open(&choice).unwrap_or_else(|error| panic!("{error}"));
        let other = known.insert(session.game().fingerprint, format!("{name} {text}"));
        // 22 geese by switch are the game that the catalog calls masters-22.
        assert!(other.is_none() || text == "geese=22", "{name} {text} and {other:?}");
    }
}
