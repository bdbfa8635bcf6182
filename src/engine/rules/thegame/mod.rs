//! The Game (Leisure Dimensions, 1971): five pieces each, moves of five steps, and the enemy Basis as the goal.

mod moves;
mod notation;
mod position;
mod ruleset;
mod squares;

pub(crate) use position::Move;
pub use position::Position;
use position::{Army, ENTRY_TURNS, PIECES, Piece};
use rand::Rng;
use ruleset::First;
pub(crate) use ruleset::RepetitionKey;
pub use ruleset::Ruleset;
use squares::Routes;
pub(crate) use squares::Square;
pub use squares::Squares;

use super::game::{Game, HistoryRules, Repetition, SearchHints, Seat, Turn};
use crate::geometry::place_name;

/// The Game, compiled for boards whose squares fit `N` words of 64 bits: one up to size 8, four up to size 16.
#[derive(Clone, Debug)]
pub struct TheGame<const N: usize> {
    ruleset: Ruleset,
    fingerprint: u64,
    /// The squares of the board that are not blocked.
    playable: Squares<N>,
    basis: [Square; 2],
    routes: Routes<N>,
}

impl<const N: usize> TheGame<N> {
    /// Compiles a ruleset; a board larger than [`Squares::STRIDE`] gives wrong results (see `Rules::is_wide`).
    pub fn new(ruleset: &Ruleset) -> Self {
        let rules = &ruleset.rules;
        debug_assert!(rules.size <= Squares::<N>::STRIDE);
        let square = |(file, rank): (u8, u8)| Square(rank * Squares::<N>::STRIDE + file);
        let named = |name: &String| ruleset::parse_square(name, rules.size).map(square);
        let places = || (0..rules.size).flat_map(|rank| (0..rules.size).map(move |file| (file, rank)));
        let blocked = Squares::from_iter(rules.blocked.iter().filter_map(named));
        let playable = Squares::from_iter(places().map(square)) - blocked;
        let file = |file: u8| Squares::from_iter((0..rules.size).map(|rank| square((file, rank))));
        let corner = square((rules.size - 1, rules.size - 1));
        let basis = [named(&rules.basis[0]).unwrap_or(Square(0)), named(&rules.basis[1]).unwrap_or(corner)];
        // A step east never enters the first file, and a step west never the last one: such a step would have wrapped.
        let routes =
            Routes::new(playable, file(0), file(rules.size - 1), !rules.distinct_route, rules.min_steps.into());
        TheGame { fingerprint: ruleset.fingerprint(), playable, basis, routes, ruleset: ruleset.clone() }
    }

    /// The number of files and of ranks.
    pub fn size(&self) -> u8 {
        self.ruleset.rules.size
    }

    /// Every square of the board, blocked ones included, rank by rank.
    pub fn squares(&self) -> impl Iterator<Item = Square> {
        let size = self.size();
        (0..size).flat_map(move |rank| (0..size).map(move |file| Square(rank * Squares::<N>::STRIDE + file)))
    }

    fn square(&self, file: u8, rank: u8) -> Square {
        Square(rank * Squares::<N>::STRIDE + file)
    }

    fn file(&self, square: Square) -> u8 {
        square.0 % Squares::<N>::STRIDE
    }

    fn rank(&self, square: Square) -> u8 {
        square.0 / Squares::<N>::STRIDE
    }

    fn square_name(&self, square: Square) -> String {
        place_name((self.file(square), self.rank(square)))
    }

    fn parse(&self, name: &str) -> Option<Square> {
        ruleset::parse_square(name, self.size()).map(|(file, rank)| self.square(file, rank))
    }
}

impl<const N: usize> Game for TheGame<N> {
    type Position = Position;
    type Move = Move;

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        let turn = u8::from(self.ruleset.rules.first == First::Player2);
        Position { armies: [Army::new(PIECES); 2], turn }
    }

    fn history_rules(&self) -> HistoryRules {
        let repetition = match self.ruleset.rules.repetition {
            RepetitionKey::Draw => Repetition::Draws,
            RepetitionKey::None => Repetition::Ignored,
        };
        HistoryRules { repetition, ..HistoryRules::default() }
    }

    fn turn(&self, position: &Position) -> Turn {
        self.decided(position).map_or(Turn::Player(Seat(position.turn)), Turn::Over)
    }

    fn side_to_move(&self, position: &Position) -> Option<Seat> {
        Some(Seat(position.turn))
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if self.decided(position).is_none() {
            self.generate(position, self.playable, moves);
        }
    }

    fn count_moves(&self, position: &Position) -> u64 {
        if self.decided(position).is_some() { 0 } else { self.count(position) }
    }

    fn play_unchecked(&self, position: &Position, mv: Move) -> Position {
        let mut next = *position;
        let side = usize::from(position.turn);
        let [a, b] = &mut next.armies;
        let (own, enemy) = if side == 0 { (a, b) } else { (b, a) };
        match mv {
            Move::Enter(_) => own.hand -= 1,
            Move::Go { from, .. } => {
                own.remove(from);
                // An enemy piece under the piece that left becomes free.
                enemy.mark(from, Piece::free(from));
            }
            Move::Pass => {}
        }
        if let Some(to) = mv.to() {
            own.arrive(enemy, to);
        }
        own.turns = (own.turns + 1).min(ENTRY_TURNS);
        own.basis = position.own().basis_count(own, self.basis[side], mv);
        if !enemy.holds(self.basis[side ^ 1]) {
            enemy.basis = 0;
        }
        next.turn ^= 1;
        next
    }

    fn key(&self, position: &Position) -> u64 {
        position.key() ^ self.fingerprint
    }

    /// Captures, entries and the first turns, which are counted, are irreversible.
    fn is_irreversible(&self, position: &Position, mv: Move) -> bool {
        position.own().turns < ENTRY_TURNS || matches!(mv, Move::Enter(_)) || self.captured(position, mv)
    }

    fn random_move<R: Rng>(&self, position: &Position, rng: &mut R) -> Option<Move> {
        self.decided(position).is_none().then(|| self.draw_move(position, rng))
    }
}

impl<const N: usize> SearchHints for TheGame<N> {
    /// Whether the move is a capture or takes the enemy Basis.
    fn is_tactical(&self, position: &Position, mv: Move) -> bool {
        mv.to().is_some_and(|to| self.is_prize(position, to))
    }

    fn tactical_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let prizes = self.prizes(position);
        if self.can_reach(position, prizes) && self.decided(position).is_none() {
            self.generate(position, prizes, moves);
        }
    }

    /// The number of pieces that the move takes; the enemy Basis counts as two.
    fn gain(&self, position: &Position, mv: Move) -> u32 {
        match mv.to() {
            Some(to) if self.is_prize(position, to) => 1 + u32::from(to == self.goal(position)),
            _ => 0,
        }
    }

    fn has_few_moves(&self, position: &Position, most: u64) -> bool {
        self.decided(position).is_some() || self.counts_at_most(position, most)
    }

    fn move_slot(&self, mv: Move) -> usize {
        let squares = usize::from(Squares::<N>::STRIDE) * usize::from(Squares::<N>::STRIDE);
        match mv {
            Move::Pass => 0,
            Move::Enter(to) => 1 + usize::from(to.0),
            Move::Go { from, to } => 1 + squares * (1 + usize::from(from.0)) + usize::from(to.0),
        }
    }

    fn move_slots(&self) -> usize {
        let squares = usize::from(Squares::<N>::STRIDE) * usize::from(Squares::<N>::STRIDE);
        1 + squares * (1 + squares)
    }
}

impl<const N: usize> TheGame<N> {
    /// The Basis that the side to move has to take.
    fn goal(&self, position: &Position) -> Square {
        self.basis[usize::from(position.turn ^ 1)]
    }

    /// Whether a piece of the side to move that arrives on the square captures or wins.
    fn is_prize(&self, position: &Position, to: Square) -> bool {
        if position.enemy().holds(to) { position.own().holds(to) } else { to == self.goal(position) }
    }

    /// Whether the move takes an enemy piece off the board.
    fn captured(&self, position: &Position, mv: Move) -> bool {
        mv.to().is_some_and(|to| position.enemy().holds(to) && position.own().holds(to))
    }
}

/// How many moves ahead [`Outlook::near`] looks.
const HORIZON: usize = 3;

/// The prospects of one player, for evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outlook {
    /// Pieces on the board and in hand.
    pub pieces: i32,
    pub hand: i32,
    /// Own pieces with an enemy piece on top.
    pub neutralised: i32,
    /// Free pieces that could stand on the enemy Basis after one, two or three moves, if all other pieces stood still.
    pub near: [i32; HORIZON],
    /// Whether a piece that enters could stand on the enemy Basis after one, two or three moves.
    pub near_entry: [bool; HORIZON],
    /// Whether no enemy piece stands on the enemy Basis.
    pub goal_open: bool,
    /// Enemy pieces on the own Basis.
    pub besiegers: i32,
    /// Own pieces on the own Basis.
    pub holders: i32,
    /// The counter of the own Basis.
    pub basis_count: i32,
    /// Squares on which some free piece can end.
    pub reach: i32,
    /// Squares with a single free enemy piece where a free own piece can end.
    pub hits: i32,
    /// Enemy pieces that could be captured on squares where a free own piece can end.
    pub prizes: i32,
}

impl<const N: usize> TheGame<N> {
    /// The prospects of `seat`, as if it were its turn.
    pub(crate) fn outlook(&self, position: &Position, seat: Seat) -> Outlook {
        let side = seat.index() % 2;
        let (own, enemy) = (&position.armies[side], &position.armies[side ^ 1]);
        let (home, goal) = (self.basis[side], self.basis[side ^ 1]);
        let scene = self.scene(position, side);
        let free = Squares::from_iter(own.free_squares());
        let reached = self.routes.ends(free, scene.passable) & scene.landable;
        let mut outlook = Outlook {
            pieces: (own.pieces().len() + usize::from(own.hand)) as i32,
            hand: i32::from(own.hand),
            neutralised: own.pieces().iter().filter(|piece| !piece.is_free()).count() as i32,
            goal_open: !enemy.holds(goal),
            besiegers: enemy.count(home) as i32,
            holders: own.count(home) as i32,
            basis_count: i32::from(own.basis),
            reach: reached.len() as i32,
            ..Outlook::default()
        };
        for piece in enemy.pieces() {
            let hit = i32::from(reached.has(piece.square()));
            if own.holds(piece.square()) {
                outlook.prizes += hit;
            } else {
                outlook.hits += hit;
            }
        }
        let mut targets = Squares::of(goal);
        let mut known = targets;
        for moves in 0..HORIZON {
            targets = self.routes.ends(targets, scene.passable - Squares::of(goal)) - known;
            known = known | targets;
            let pieces = own.pieces().iter().filter(|piece| piece.is_free() && targets.has(piece.square()));
            outlook.near[moves] = pieces.count() as i32;
            outlook.near_entry[moves] = own.hand > 0 && targets.has(home) && !enemy.holds(home);
            targets = targets & scene.passable;
        }
        outlook
    }
}
