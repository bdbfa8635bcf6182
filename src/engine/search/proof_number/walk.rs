//! The depth-first walk: it stays below a position while the position's numbers are within the thresholds.

use super::{Numbers, ProofTable};
use crate::rules::{Game, Seat, Turn};
use crate::search::SearchTask;
use crate::search::report::follow;

/// The longest line that is followed, in plies.
const LONGEST_LINE: usize = 256;
/// Positions between two checks of the stop flag and the clock.
const POSITIONS_PER_POLL: u64 = 1024;

/// A position after a move, with its proof and disproof numbers.
struct Reply<G: Game> {
    position: G::Position,
    numbers: Numbers,
}

/// The proof and disproof numbers at which the walk leaves a position and goes back up.
#[derive(Clone, Copy)]
struct Thresholds {
    proof: u32,
    disproof: u32,
}

/// A depth-first proof-number search below the root of a task, up to a limit of positions.
pub(super) struct ProofWalk<'a, G: Game> {
    task: &'a SearchTask<'a, G>,
    table: &'a mut ProofTable,
    attacker: Seat,
    /// Keys of positions that would end the game if they occurred once more.
    exhausted: &'a [u64],
    /// Keys of the positions from the root to the present one.
    line: Vec<u64>,
    /// The replies of all positions on the line, those of the present one last.
    replies: Vec<Reply<G>>,
    moves: Vec<G::Move>,
    /// The number of positions looked at.
    pub(super) positions: u64,
    limit: u64,
    is_halted: bool,
}

impl<'a, G: Game> ProofWalk<'a, G> {
    pub(super) fn new(
        task: &'a SearchTask<'a, G>,
        table: &'a mut ProofTable,
        attacker: Seat,
        exhausted: &'a [u64],
        limit: u64,
    ) -> Self {
        ProofWalk {
            task,
            table,
            attacker,
            exhausted,
            line: Vec::new(),
            replies: Vec::new(),
            moves: Vec::new(),
            positions: 0,
            limit,
            is_halted: false,
        }
    }

    /// The key under which the table keeps the numbers of a position for this attacker; the low bits choose no bucket.
    fn slot(&self, key: u64) -> u64 {
        key ^ u64::from(self.attacker.0)
    }

    /// Walks until the root is settled or the limit is reached, and returns the numbers of the root.
    pub(super) fn prove(&mut self) -> Numbers {
        let root = *self.task.record.position();
        self.descend(&root, Thresholds { proof: Numbers::INFINITE, disproof: Numbers::INFINITE })
    }

    /// Walks below a position where a player is to move until its numbers reach the thresholds, and returns them.
    fn descend(&mut self, position: &G::Position, thresholds: Thresholds) -> Numbers {
        let game = self.task.game;
        let begun = self.positions;
        let key = game.key(position);
        let attacks = game.turn(position).seat() == Some(self.attacker);
        self.line.push(key);
        let first = self.list_replies(position);
        let numbers = loop {
            let numbers = combine(&self.replies[first..], attacks);
            let is_left = numbers.proof >= thresholds.proof || numbers.disproof >= thresholds.disproof;
            if is_left || numbers.is_settled() || self.is_halted {
                break numbers;
            }
            let (index, below) = choose(&self.replies[first..], attacks, numbers, thresholds);
            let reply = self.replies[first + index].position;
            self.replies[first + index].numbers = self.descend(&reply, below);
        };
        self.replies.truncate(first);
        self.line.pop();
        if self.positions == begun {
            // A visit that finds nothing new must count, too: among known positions, some of which repeat the line, the
            // numbers may never reach the thresholds.
            self.count();
        }
        self.table.store(self.slot(key), numbers, (self.positions - begun).min(u64::from(u32::MAX)) as u32);
        numbers
    }

    /// Appends the replies to a position, with their numbers, to `replies` and returns the index of the first.
    fn list_replies(&mut self, position: &G::Position) -> usize {
        let game = self.task.game;
        let first = self.replies.len();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        game.legal_moves(position, &mut moves);
        for &mv in &moves {
            let position = game.play_unchecked(position, mv);
            let numbers = self.numbers(&position);
            self.replies.push(Reply { position, numbers });
        }
        self.moves = moves;
        first
    }

    /// The numbers of a position after a move: final for an ending, from the table, or estimated.
    fn numbers(&mut self, position: &G::Position) -> Numbers {
        let key = self.task.game.key(position);
        if self.line.contains(&key) || self.exhausted.contains(&key) || self.line.len() >= LONGEST_LINE {
            return Numbers::NOT_WON;
        }
        if let Some(known) = self.table.probe(self.slot(key)) {
            return known;
        }
        if self.is_halted {
            return Numbers::UNKNOWN;
        }
        self.count();
        let numbers = self.first_numbers(position);
        self.table.store(self.slot(key), numbers, 1);
        numbers
    }

    /// The first estimate for a position that was never searched: the more moves, the harder to prove or disprove.
    fn first_numbers(&self, position: &G::Position) -> Numbers {
        match self.task.game.turn(position) {
            Turn::Over(outcome) if outcome.winner == Some(self.attacker) => Numbers::won_in(0),
            Turn::Over(_) | Turn::Chance => Numbers::NOT_WON,
            Turn::Player(seat) => {
                let moves = self.task.game.count_moves(position) as u32;
                let (proof, disproof) = if seat == self.attacker { (1, moves) } else { (moves, 1) };
                Numbers { proof, disproof, plies: 0 }
            }
        }
    }

    fn count(&mut self) {
        self.positions += 1;
        let is_poll = self.positions.is_multiple_of(POSITIONS_PER_POLL);
        self.is_halted |= self.positions >= self.limit || (is_poll && self.task.control.must_stop());
    }

    /// The most plies in which the attacker wins from a position; `None` if no win is proved.
    pub(super) fn won_in(&self, position: &G::Position) -> Option<u32> {
        let known = self.table.probe(self.slot(self.task.game.key(position)));
        let known = known.unwrap_or_else(|| self.first_numbers(position));
        known.is_won().then_some(known.plies.into())
    }

    /// The line from a position along proved wins: the attacker takes the soonest win, the other side the latest loss.
    pub(super) fn longest_defence(&self, position: G::Position) -> Vec<G::Move> {
        let game = self.task.game;
        follow(game, position, LONGEST_LINE, |position, seat, moves| {
            let won_in = |&&mv: &&G::Move| self.won_in(&game.play_unchecked(position, mv));
            let proved = moves.iter().filter(|mv| won_in(mv).is_some());
            let best = if seat == self.attacker { proved.min_by_key(won_in) } else { proved.max_by_key(won_in) };
            best.copied()
        })
    }
}

/// The numbers of a position from those of its replies: the attacker needs one winning reply, the other side must lose
/// by all.
fn combine<G: Game>(replies: &[Reply<G>], attacks: bool) -> Numbers {
    let numbers = || replies.iter().map(|reply| reply.numbers);
    // A sum of finite numbers stays finite.
    let sum =
        |part: fn(Numbers) -> u32| numbers().map(part).fold(0, |sum, part| (sum + part).min(Numbers::INFINITE - 1));
    let won = || numbers().filter(|numbers| numbers.is_won()).map(|numbers| numbers.plies.saturating_add(1));
    if attacks {
        match won().min() {
            Some(plies) => Numbers::won_in(plies),
            None => Numbers {
                proof: numbers().map(|numbers| numbers.proof).min().unwrap_or(Numbers::INFINITE),
                disproof: sum(|numbers| numbers.disproof),
                plies: 0,
            },
        }
    } else {
        match sum(|numbers| numbers.proof) {
            0 => Numbers::won_in(won().max().unwrap_or(0)),
            proof => {
                let disproof = numbers().map(|numbers| numbers.disproof).min().unwrap_or(0);
                Numbers { proof: if disproof == 0 { Numbers::INFINITE } else { proof }, disproof, plies: 0 }
            }
        }
    }
}

/// The index of the most promising reply, and the thresholds at which another one becomes more promising.
fn choose<G: Game>(replies: &[Reply<G>], attacks: bool, here: Numbers, limits: Thresholds) -> (usize, Thresholds) {
    let key = |numbers: Numbers| if attacks { numbers.proof } else { numbers.disproof };
    let mut best = 0;
    let mut second = Numbers::INFINITE;
    for (index, reply) in replies.iter().enumerate().skip(1) {
        if key(reply.numbers) < key(replies[best].numbers) {
            second = key(replies[best].numbers);
            best = index;
        } else {
            second = second.min(key(reply.numbers));
        }
    }
    let numbers = replies[best].numbers;
    let wider = (second + second / 4 + 1).min(Numbers::INFINITE);
    let rest = |limit: u32, sum: u32, own: u32| (limit.saturating_sub(sum).saturating_add(own)).min(Numbers::INFINITE);
    let thresholds = if attacks {
        Thresholds { proof: limits.proof.min(wider), disproof: rest(limits.disproof, here.disproof, numbers.disproof) }
    } else {
        Thresholds { proof: rest(limits.proof, here.proof, numbers.proof), disproof: limits.disproof.min(wider) }
    };
    (best, thresholds)
}
