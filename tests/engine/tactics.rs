//! Both searchers must take a win in 3 plies or less and prevent one when they can: held against plain minimax.

use std::time::Duration;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::eval::{Evaluator, HuntEvaluator};
use reynard_engine::geometry::Word;
use reynard_engine::rules::hunt::{Hunt, Position, Ruleset};
use reynard_engine::rules::{Game, Notation, Outcome, Record, SearchHints, Seat, Turn};
use reynard_engine::search::{AlphaBeta, Control, Mcts, SearchConfig, SearchInfo, SearchLimits, SearchTask, Searcher};

/// What the promise is made for.
const NODES: u64 = 20_000;
const WIN_PLIES: u32 = 3;
/// Random games are cut here.
const LONGEST_GAME: usize = 300;
/// Positions of a game, counted from its end, that are looked at.
const LAST_POSITIONS: usize = 8;

fn config() -> SearchConfig {
    SearchConfig { hash_mib: 1, seed: 1, ..SearchConfig::default() }
}

/// Whether `seat` wins within `plies` whatever the others do, history included.
fn forces<G: Game>(game: &G, record: &mut Record<G>, seat: Seat, plies: u32) -> bool {
    let mover = match record.turn(game) {
        Turn::Over(outcome) => return outcome.winner == Some(seat),
        Turn::Player(mover) if plies > 0 => mover,
        _ => return false,
    };
    let mut wins = legal_moves(game, record).into_iter().map(|mv| forces_after(game, record, mv, seat, plies - 1));
    if mover == seat { wins.any(|wins| wins) } else { wins.all(|wins| wins) }
}

fn forces_after<G: Game>(game: &G, record: &mut Record<G>, mv: G::Move, seat: Seat, plies: u32) -> bool {
    record.play(game, mv);
    let wins = forces(game, record, seat, plies);
    record.undo();
    wins
}

fn legal_moves<G: Game>(game: &G, record: &Record<G>) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(record.position(), &mut moves);
    moves
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

/// What is asked of `seat`; `None` if every move or none will do.
fn tactic<G: Game>(game: &G, record: &mut Record<G>, seat: Seat) -> Option<Tactic<G::Move>> {
    let moves = legal_moves(game, record);
    let (mut winning, mut safe) = (moves.clone(), moves.clone());
    winning.retain(|&mv| forces_after(game, record, mv, seat, WIN_PLIES - 1));
    if !winning.is_empty() {
        return (winning.len() < moves.len()).then_some(Tactic::Win(winning));
    }
    safe.retain(|&mv| !forces_after(game, record, mv, seat.other(), WIN_PLIES));
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
        let limits = SearchLimits { nodes: Some(NODES), ..SearchLimits::default() };
        let control = Control::new(|| Duration::ZERO);
        let task = SearchTask {
            game: self.game,
            record: self.record,
            root_moves: &[],
            limits,
            control: &control,
            config: config(),
            tables: None,
        };
        let mut infos = Vec::new();
        let found = searcher.search(&task, &mut |info| infos.push(info.clone()));
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

    fn judge_info(&self, info: &SearchInfo<G::Move>) -> Result<(), String> {
        ensure(info.nodes <= NODES, "too many nodes")?;
        let line = info.lines.first().ok_or("no line")?;
        let ending = self.first_ending(&line.pv)?;
        let wins_at_once = ending.is_some_and(|outcome| outcome.winner == Some(self.seat));
        ensure((line.score.mate_moves(2) == Some(1)) == wins_at_once, "mate 1 is said exactly when it is so")?;
        let is_draw = ending.is_some_and(|outcome| outcome.winner.is_none());
        ensure(line.score.0 != 0 || line.pv.len() > 1 || is_draw, "a bare zero")?;
        match line.score.plies_to_end() {
            Some(plies @ 1..=3) => ensure(
                forces(self.game, &mut self.record.clone(), self.seat, plies as u32),
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

/// Both searchers with what they remember, put to the test on one game after another.
struct Bench<'a, W: Word> {
    game: &'a Hunt<W>,
    context: &'a str,
    rng: ChaCha8Rng,
    alphabeta: AlphaBeta<Hunt<W>, HuntEvaluator>,
    mcts: Mcts<Hunt<W>, HuntEvaluator>,
    tally: &'a mut Tally,
}

impl<'a, W: Word> Bench<'a, W> {
    fn new(game: &'a Hunt<W>, context: &'a str, tally: &'a mut Tally) -> Self {
        let evaluator = HuntEvaluator::default;
        Bench {
            game,
            context,
            rng: ChaCha8Rng::seed_from_u64(11),
            alphabeta: AlphaBeta::new(evaluator(), Default::default()),
            mcts: Mcts::new(evaluator(), Default::default()),
            tally,
        }
    }

    fn random_game(&mut self, number: usize) -> Record<Hunt<W>> {
        let care = [[1, 1], [5, 1], [1, 5], [5, 5]][number % 4];
        random_game(self.game, &HuntEvaluator::default(), care, &mut self.rng)
    }

    /// The last positions of a game, the searchers remembering from one to the next as in play.
    fn game(&mut self, number: usize) {
        let whole = self.random_game(number);
        let first = whole.plies().saturating_sub(self.rng.random_range(1..LAST_POSITIONS));
        let mut record = Record::new(*whole.start());
        self.clear();
        for (ply, &mv) in whole.moves().iter().enumerate() {
            if ply >= first && ply < first + 2 {
                self.position(&record);
            }
            record.play(self.game, mv);
        }
    }

    /// The pieces of a game's position thrown anywhere.
    fn scattered(&mut self, number: usize) {
        let whole = self.random_game(number);
        let position = whole.positions()[self.rng.random_range(0..whole.positions().len())];
        self.clear();
        if let Some(position) = scatter(self.game, &position, &mut self.rng) {
            self.position(&Record::new(position));
        }
    }

    /// A game in which both sides have walked to and fro, so that repetition is near.
    fn shuffled(&mut self, number: usize) {
        let whole = self.random_game(number);
        let back = self.rng.random_range(0..whole.positions().len().min(12));
        let start = whole.positions()[whole.positions().len() - 1 - back];
        let mut record = Record::new(start);
        let Some(round) = round_trip(self.game, &mut record, 4, &start) else { return };
        self.clear();
        for mv in round.iter().chain(&round).copied() {
            if record.turn(self.game).outcome().is_some() {
                return;
            }
            if record.plies() >= 4 {
                self.position(&record);
            }
            record.play(self.game, mv);
        }
    }

    fn clear(&mut self) {
        Searcher::<Hunt<W>>::clear(&mut self.alphabeta);
        Searcher::<Hunt<W>>::clear(&mut self.mcts);
    }

    fn position(&mut self, record: &Record<Hunt<W>>) {
        let Turn::Player(seat) = record.turn(self.game) else { return };
        let Some(tactic) = tactic(self.game, &mut record.clone(), seat) else { return };
        self.tally.count(&tactic);
        let case = Case { game: self.game, record, seat, tactic };
        let searchers: [(&str, &mut dyn Searcher<_>); 2] =
            [("alphabeta", &mut self.alphabeta), ("mcts", &mut self.mcts)];
        for (name, searcher) in searchers {
            if let Err(complaint) = case.ask(searcher) {
                let text = self.game.position_text(record.position());
                let plies = record.plies();
                self.tally.failures.push(format!("{}: {name}: {complaint}: {text} after {plies} plies", self.context));
            }
        }
    }
}

/// The same pieces on other points; `None` if the rules refuse what came out.
fn scatter<W: Word>(game: &Hunt<W>, position: &Position<W>, rng: &mut impl Rng) -> Option<Position<W>> {
    let (board, text) = (game.board(), game.position_text(position));
    let mut letters = vec!["F"; position.foxes().len() as usize];
    letters.resize(letters.len() + position.geese().len() as usize, "G");
    letters.resize(game.all().len() as usize, "1");
    letters.shuffle(rng);
    let mut letters = letters.into_iter();
    let row = |rank: u8| letters.by_ref().take(board.rank_points(rank).len() as usize).collect::<String>();
    let placement: Vec<String> = (0..board.height()).rev().map(row).collect();
    let (_, rest) = text.split_once(' ')?;
    game.parse_position(&format!("{} {rest}", join_ones(&placement.join("/")))).ok()
}

/// Runs of empty points as numbers.
fn join_ones(rows: &str) -> String {
    (1..10).rev().fold(rows.to_string(), |rows, run| rows.replace(&"1".repeat(run), &format!("{run}")))
}

/// A way back to `goal` in exactly `plies`.
fn round_trip<G: SearchHints>(
    game: &G,
    record: &mut Record<G>,
    plies: u32,
    goal: &G::Position,
) -> Option<Vec<G::Move>> {
    if plies == 0 {
        return (record.position() == goal).then(Vec::new);
    }
    legal_moves(game, record).into_iter().find_map(|mv| {
        if game.is_irreversible(record.position(), mv) || game.is_tactical(record.position(), mv) {
            return None;
        }
        record.play(game, mv);
        let rest = round_trip(game, record, plies - 1, goal);
        record.undo();
        rest.map(|rest| [vec![mv], rest].concat())
    })
}

#[derive(Clone, Copy)]
enum Source {
    Games,
    Scattered,
    Shuffled,
}

fn test_game<W: Word>(game: &Hunt<W>, context: &str, source: Source, games: usize, tally: &mut Tally) {
    let mut bench = Bench::new(game, context, tally);
    for number in 0..games {
        match source {
            Source::Games => bench.game(number),
            Source::Scattered => bench.scattered(number),
            Source::Shuffled => bench.shuffled(number),
        }
    }
}

fn switches(text: &str) -> Vec<(String, String)> {
    let switch = |word: &str| word.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
    text.split_whitespace().filter_map(switch).collect()
}

fn test_ruleset(name: &str, text: &str, source: Source, games: usize, tally: &mut Tally) {
    let ruleset = Ruleset::from_catalog(name, &switches(text)).unwrap_or_else(|error| panic!("{error}"));
    let context = format!("{name} {text}");
    if ruleset.is_wide() {
        test_game(&Hunt::<u128>::new(&ruleset), &context, source, games, tally)
    } else {
        test_game(&Hunt::<u64>::new(&ruleset), &context, source, games, tally)
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
    ("great-siege", "fox_wins_below=49"),
    ("great-siege", "fox_wins_below=49 attacker_moves=any huff=add_goose"),
    ("great-siege", "fox_wins_below=49 attacker_moves=any huff=none"),
    ("great-siege", "fox_wins_below=48 attacker_moves=any capture=forced forced_chain=true"),
    ("bagha-chal", "fox_wins_below=19"),
    ("bagha-chal", "fox_wins_below=19 huff=remove_fox"),
    ("two-foxes-24", "fox_wins_below=23 huff=add_goose"),
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

/// Where pieces can go to and fro, with what repetition and idleness may mean.
const REPEATING: &[(&str, &str)] = &[
    ("masters-15", ""),
    ("masters-15", "repetition=geese_lose fox_home_wins=true"),
    ("masters-15", "repetition=fox_loses"),
    ("murray-13", ""),
    ("murray-13", "repetition=geese_lose"),
    ("murray-13", "repetition=fox_loses"),
    ("refskak", "repetition=none no_progress=8"),
    ("refskak", "repetition=geese_lose no_progress=9"),
    ("catch-the-hare", ""),
    ("catch-the-hare", "repetition=fox_loses"),
    ("catch-the-hare", "no_progress=9"),
    ("bagha-chal", ""),
    ("bagha-chal", "repetition=geese_lose"),
    ("two-foxes-24", "repetition=geese_lose no_progress=7"),
    ("siege", "huff=none attacker_moves=any"),
    ("siege", "huff=none attacker_moves=any repetition=fox_loses"),
    ("great-siege", "huff=none attacker_moves=any repetition=geese_lose"),
    ("fox-and-hounds", "goose_moves=forward_diagonal,backward_diagonal"),
];

/// Runs so many games of each ruleset and asserts that all answers were right and enough questions asked.
fn test_all(rulesets: &[(&str, &str)], source: Source, games: usize, least: [usize; 2]) {
    let mut tally = Tally::default();
    for (name, text) in rulesets {
        test_ruleset(name, text, source, games, &mut tally);
    }
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
    assert!(tally.wins >= least[0], "only {} wins were tested", tally.wins);
    assert!(tally.preventions >= least[1], "only {} preventions were tested", tally.preventions);
}

#[test]
fn short_wins_are_taken_and_prevented_in_games() {
    test_all(RULESETS, Source::Games, 5, [20, 30]);
}

#[test]
fn short_wins_are_taken_and_prevented_anywhere() {
    test_all(RULESETS, Source::Scattered, 8, [20, 30]);
}

#[test]
fn nobody_repeats_instead_of_winning() {
    test_all(REPEATING, Source::Shuffled, 3, [15, 30]);
}

/// The fox has one or two steps at each turn: a win that is short to prove and lies beyond the depth of a full search.
#[test]
fn a_far_mate_is_seen_where_the_replies_are_few() {
    let game = Hunt::<u64>::new(&Ruleset::from_catalog("murray-13", &[]).unwrap());
    let start = game.parse_position("3/1G1/3GG1F/1G1GGG1/2G1GG1/1G1/G1G g").unwrap();
    let mut alphabeta = AlphaBeta::new(HuntEvaluator::default(), Default::default());
    let mut mcts = Mcts::new(HuntEvaluator::default(), Default::default());
    let searchers: [(&mut dyn Searcher<_>, u64); 2] = [(&mut alphabeta, 200_000), (&mut mcts, 20_000)];
    for (searcher, nodes) in searchers {
        let mut record = Record::new(start);
        while let Turn::Player(seat) = record.turn(&game) {
            assert!(record.plies() < 40, "the mate is not coming nearer");
            let moves = legal_moves(&game, &record);
            let mv = if seat == Seat::P2 { mate(&game, &record, searcher, nodes) } else { moves[moves.len() - 1] };
            record.play(&game, mv);
        }
        assert_eq!(record.turn(&game).outcome().and_then(|outcome| outcome.winner), Some(Seat::P2));
    }
}

/// The move of a searcher that must know a mate and say how it goes.
fn mate<G: Game>(game: &G, record: &Record<G>, searcher: &mut dyn Searcher<G>, nodes: u64) -> G::Move {
    let control = Control::new(|| Duration::ZERO);
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    let task = SearchTask { game, record, root_moves: &[], limits, control: &control, config: config(), tables: None };
    let mut last = None;
    let found = searcher.search(&task, &mut |info| last = info.lines.first().cloned());
    let line = last.expect("a report");
    let plies = line.score.plies_to_end().unwrap_or_else(|| panic!("no mate after {} plies", record.plies()));
    assert!(plies > 0 && line.pv.len() as i32 <= plies, "{plies} plies, but a line of {}", line.pv.len());
    let mut ending = record.clone();
    line.pv.iter().for_each(|&mv| ending.play(game, mv));
    assert!(line.pv.len() as i32 == plies || ending.turn(game).outcome().is_none(), "the line ends before the mate");
    found.best
}
