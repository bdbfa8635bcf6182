//! Both searchers must take a win in 3 plies or less and prevent one when they can: held against plain minimax.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard::eval::{Evaluator, HuntEvaluator};
use reynard::geometry::Word;
use reynard::rules::hunt::{Hunt, Ruleset};
use reynard::rules::{Game, Outcome, Record, Seat, Turn};
use reynard::search::alphabeta::AlphaBeta;
use reynard::search::mcts::Mcts;
use reynard::search::{Control, Info, Limits, SearchConfig, Searcher, Task};

/// What the promise is made for.
const NODES: u64 = 20_000;
const WIN_PLIES: u32 = 3;
const CONFIG: SearchConfig = SearchConfig { hash_mib: 1, threads: 1, multi_pv: 1, seed: 1 };
/// Random games are cut here.
const LONGEST_GAME: usize = 300;
/// Positions of a game, counted from its end, that are looked at.
const LAST_POSITIONS: usize = 8;

/// Whether `seat` wins within `plies` whatever the others do, by the position alone.
fn forces<G: Game>(game: &G, position: &G::Position, seat: Seat, plies: u32) -> bool {
    let mover = match game.turn(position) {
        Turn::Over(outcome) => return outcome.winner == Some(seat),
        Turn::Player(mover) if plies > 0 => mover,
        _ => return false,
    };
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let mut wins = moves.into_iter().map(|mv| forces(game, &game.play_unchecked(position, mv), seat, plies - 1));
    if mover == seat { wins.any(|wins| wins) } else { wins.all(|wins| wins) }
}

/// What a position asks of its mover.
enum Tactic<M> {
    /// These moves, and no others, keep a win within 3 plies.
    Win(Vec<M>),
    /// These moves leave the opponent no win within 3 plies, and others would.
    Prevent(Vec<M>),
}

impl<M> Tactic<M> {
    fn moves(&self) -> &[M] {
        let (Tactic::Win(moves) | Tactic::Prevent(moves)) = self;
        moves
    }
}

fn tactic<G: Game>(game: &G, position: &G::Position, seat: Seat) -> Option<Tactic<G::Move>> {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let after = |mv: G::Move| game.play_unchecked(position, mv);
    let winning: Vec<_> = moves.iter().copied().filter(|&mv| forces(game, &after(mv), seat, WIN_PLIES - 1)).collect();
    if !winning.is_empty() {
        return (winning.len() < moves.len()).then_some(Tactic::Win(winning));
    }
    let safe: Vec<_> = moves.iter().copied().filter(|&mv| !forces(game, &after(mv), seat.other(), WIN_PLIES)).collect();
    (!safe.is_empty() && safe.len() < moves.len()).then_some(Tactic::Prevent(safe))
}

/// How the seats choose in a game that makes test positions: the best of so many random moves.
type Care = [usize; 2];

/// A careless game, so that wins and threats turn up towards its end.
fn random_game<G: Game>(game: &G, evaluator: &impl Evaluator<G>, care: Care, rng: &mut impl Rng) -> Record<G> {
    let mut record = Record::new(game.start());
    while let Turn::Player(seat) = record.turn(game)
        && record.plies() < LONGEST_GAME
    {
        let position = *record.position();
        let draws = (0..care[seat.index()]).filter_map(|_| game.random_move(&position, rng));
        let worth = |mv: &G::Move| evaluator.evaluate(game, &game.play_unchecked(&position, *mv), seat);
        match draws.max_by_key(worth) {
            Some(mv) => record.play(game, mv),
            None => break,
        }
    }
    record
}

/// What was tested and what went wrong.
#[derive(Default)]
struct Tally {
    wins: usize,
    preventions: usize,
    failures: Vec<String>,
}

impl Tally {
    fn count<M>(&mut self, tactic: &Tactic<M>) {
        match tactic {
            Tactic::Win(_) => self.wins += 1,
            Tactic::Prevent(_) => self.preventions += 1,
        }
    }
}

/// A position under test with what is true about it.
struct Case<'a, G: Game> {
    game: &'a G,
    record: &'a Record<G>,
    seat: Seat,
    tactic: Tactic<G::Move>,
}

impl<G: Game> Case<'_, G> {
    /// Asks one searcher and says what is wrong with its answer.
    fn ask(&self, searcher: &mut dyn Searcher<G>) -> Result<(), String> {
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let task = Task { game: self.game, record: self.record, root_moves: &[], limits, config: CONFIG };
        let mut infos = Vec::new();
        searcher.clear();
        let found = searcher.search(&task, &Control::timeless(), &mut |info| infos.push(info.clone()));
        self.judge_move(found.best)?;
        infos.iter().try_for_each(|info| self.judge_info(info))?;
        let last = infos.last().ok_or("no info")?;
        ensure(last.lines[0].pv[0] == found.best, "the last line is not the answer's")
    }

    fn judge_move(&self, mv: G::Move) -> Result<(), String> {
        let kind = match self.tactic {
            Tactic::Win(_) => "win missed",
            Tactic::Prevent(_) => "loss not prevented",
        };
        ensure(self.tactic.moves().contains(&mv), kind)
    }

    fn judge_info(&self, info: &Info<G::Move>) -> Result<(), String> {
        ensure(info.nodes <= NODES, "too many nodes")?;
        let line = info.lines.first().ok_or("no line")?;
        let ending = self.first_ending(&line.pv)?;
        let wins_at_once = ending.is_some_and(|outcome| outcome.winner == Some(self.seat));
        ensure((line.score.mate_moves() == Some(1)) == wins_at_once, "mate 1 is said exactly when it is so")?;
        let is_draw = ending.is_some_and(|outcome| outcome.winner.is_none());
        ensure(line.score.0 != 0 || line.pv.len() > 1 || is_draw, "a bare zero")?;
        match line.score.plies_to_end() {
            Some(plies @ 1..=3) => ensure(
                forces(self.game, self.record.position(), self.seat, plies as u32),
                "a win is claimed that is none",
            ),
            _ => Ok(()),
        }
    }

    /// Plays a line, every move of which must be legal; the outcome if the first one ends the game.
    fn first_ending(&self, pv: &[G::Move]) -> Result<Option<Outcome>, String> {
        let mut record = self.record.clone();
        let mut first = None;
        for (ply, &mv) in pv.iter().enumerate() {
            let open = record.turn(self.game).outcome().is_none();
            ensure(open && self.game.is_legal(record.position(), mv), "an illegal line")?;
            record.play(self.game, mv);
            if ply == 0 {
                first = record.turn(self.game).outcome();
            }
        }
        Ok(first)
    }
}

fn ensure(holds: bool, complaint: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(complaint.to_string()) }
}

fn test_game<W: Word>(game: &Hunt<W>, context: &str, games: usize, tally: &mut Tally) {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let evaluator = HuntEvaluator::default();
    for number in 0..games {
        let care = [[1, 1], [5, 1], [1, 5], [5, 5]][number % 4];
        let record = random_game(game, &evaluator, care, &mut rng);
        let from = record.positions().len().saturating_sub(1 + rng.random_range(0..LAST_POSITIONS));
        let position = record.positions()[from];
        let Turn::Player(seat) = game.turn(&position) else { continue };
        let Some(tactic) = tactic(game, &position, seat) else { continue };
        tally.count(&tactic);
        let case = Case { game, record: &Record::new(position), seat, tactic };
        let mut alphabeta = AlphaBeta::new(evaluator.clone(), Default::default());
        let mut mcts = Mcts::new(evaluator.clone(), Default::default());
        let searchers: [(&str, &mut dyn Searcher<_>); 2] = [("alphabeta", &mut alphabeta), ("mcts", &mut mcts)];
        for (name, searcher) in searchers {
            if let Err(complaint) = case.ask(searcher) {
                let text = game.position_text(&position);
                tally.failures.push(format!("{context}: {name}: {complaint}: {text}"));
            }
        }
    }
}

fn switches(text: &str) -> Vec<(String, String)> {
    let switch = |word: &str| word.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
    text.split_whitespace().filter_map(switch).collect()
}

fn test_ruleset(name: &str, text: &str, games: usize, tally: &mut Tally) {
    let ruleset = Ruleset::from_catalog(name, &switches(text)).unwrap_or_else(|error| panic!("{error}"));
    let context = format!("{name} {text}");
    match ruleset.is_wide() {
        true => test_game(&Hunt::<u128>::new(&ruleset), &context, games, tally),
        false => test_game(&Hunt::<u64>::new(&ruleset), &context, games, tally),
    }
}

const RULESETS: &[(&str, &str)] = &[
    ("masters-15", ""),
    ("masters-13", "capture=forced"),
    ("masters-17", "huff=remove_fox"),
    ("masters-15", "huff=add_goose"),
    ("masters-15", "huff=add_goose_home fox_wins_below=9"),
    ("masters-15", "fox_home_wins=true fox_wins_below=auto"),
    ("masters-22", "chain=false"),
    ("bell-13", ""),
    ("two-foxes-24", ""),
    ("two-foxes-24", "huff=add_goose fox_wins_below=8"),
    ("two-foxes-24", "huff=remove_fox"),
    ("two-foxes-24", "capture=forced forced_chain=true"),
    ("siege", ""),
    ("siege", "huff=none attacker_moves=any"),
    ("siege", "huff=add_goose"),
    ("great-siege", ""),
    ("great-siege", "huff=none attacker_moves=any"),
    ("great-siege", "huff=add_goose"),
    ("hex-siege", ""),
    ("murray-13", ""),
    ("strutt-17", ""),
    ("renard-1668", ""),
    ("renard-1840", ""),
    ("halatafl", ""),
    ("refskak", ""),
    ("gasetavl", ""),
    ("catch-the-hare", ""),
    ("bagha-chal", ""),
    ("bagha-chal", "chain=true huff=remove_fox"),
    ("fox-and-hounds", ""),
];

#[test]
fn short_wins_are_taken_and_prevented() {
    let games: usize = std::env::var("TACTICS_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let mut tally = Tally::default();
    for (name, text) in RULESETS {
        let t = std::time::Instant::now();
        let before = (tally.wins, tally.preventions, tally.failures.len());
        test_ruleset(name, text, games, &mut tally);
        println!(
            "{name} {text}: {} wins {} preventions {} failures {:?}",
            tally.wins - before.0,
            tally.preventions - before.1,
            tally.failures.len() - before.2,
            t.elapsed()
        );
    }
    println!("{} {}", tally.wins, tally.preventions);
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
}
