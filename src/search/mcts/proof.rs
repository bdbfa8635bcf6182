//! Exact results of nodes, with their distance (after Winands, Björnsson and Saito's MCTS-Solver, 2008).

use super::rate::Rate;
use crate::rules::{Outcome, Seat};

/// A proved result: who wins (`None`: nobody) and in how many plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    pub winner: Option<Seat>,
    pub plies: u16,
}

const KNOWN: u32 = 1 << 31;
const WON: u32 = 1 << 30;
const SEAT_SHIFT: u32 = 16;

/// Later results count a little less, so that a win is played home and a loss put off.
const DISCOUNT_PER_PLY: u32 = 16;
const MAX_DISCOUNT: u32 = 8_000;

impl Proof {
    pub fn of_outcome(outcome: Outcome) -> Proof {
        Proof { winner: outcome.winner, plies: 0 }
    }

    pub fn wins(self, seat: Seat) -> bool {
        self.winner == Some(seat)
    }

    /// The same result one ply earlier.
    pub fn one_ply_before(self) -> Proof {
        Proof { plies: self.plies.saturating_add(1), ..self }
    }

    /// The expected result when it is reached `depth` plies after the root.
    pub fn rate(self, depth: usize) -> Rate {
        match self.winner {
            None => Rate::HALF,
            Some(winner) => Rate(Rate::ONE - self.discount(depth)).seen_by(winner),
        }
    }

    /// What is taken off a win that is reached `depth` plies after the root.
    #[inline]
    pub fn discount(self, depth: usize) -> u16 {
        let plies = u32::from(self.plies) + depth as u32;
        (plies * DISCOUNT_PER_PLY).min(MAX_DISCOUNT) as u16
    }

    /// Orders results by how much `seat` likes them: soon won, late won, drawn, lost late, lost soon.
    pub fn rank(self, seat: Seat) -> i32 {
        match self.winner {
            None => 0,
            Some(winner) if winner == seat => 100_000 - i32::from(self.plies),
            Some(_) => i32::from(self.plies) - 100_000,
        }
    }

    /// As a word that is never 0, so that 0 can mean "not proved".
    pub fn pack(self) -> u32 {
        let winner = self.winner.map_or(0, |seat| WON | u32::from(seat.0) << SEAT_SHIFT);
        KNOWN | winner | u32::from(self.plies)
    }

    pub fn unpack(word: u32) -> Option<Proof> {
        let winner = (word & WON != 0).then_some(Seat((word >> SEAT_SHIFT & 0xff) as u8));
        (word & KNOWN != 0).then_some(Proof { winner, plies: word as u16 })
    }
}

/// What the results of the replies say about the node where `seat` chooses; `None` in the list: not proved.
///
/// Where all replies lose, but to different seats, nothing is proved: the one who has lost may choose the winner.
pub fn choose(seat: Seat, replies: impl Iterator<Item = Option<Proof>>) -> Option<Proof> {
    let mut best: Option<Proof> = None;
    let mut all = true;
    let mut victor = None;
    let mut victors_differ = false;
    for proof in replies {
        if let Some(Proof { winner: Some(winner), .. }) = proof.filter(|proof| !proof.wins(seat)) {
            victors_differ |= *victor.get_or_insert(winner) != winner;
        }
        match proof {
            None => all = false,
            Some(proof) if best.is_none_or(|best| proof.rank(seat) > best.rank(seat)) => best = Some(proof),
            Some(_) => {}
        }
    }
    let is_certain = |best: &Proof| best.wins(seat) || all && (best.winner.is_none() || !victors_differ);
    best.filter(is_certain).map(Proof::one_ply_before)
}

/// What the results of all rolls say about a chance node: proved when they agree; the longest distance counts.
pub fn average(rolls: impl Iterator<Item = Option<Proof>>) -> Option<Proof> {
    let mut common: Option<Proof> = None;
    for roll in rolls {
        let roll = roll?;
        let plies = match common {
            Some(common) if common.winner != roll.winner => return None,
            Some(common) => common.plies.max(roll.plies),
            None => roll.plies,
        };
        common = Some(Proof { plies, ..roll });
    }
    common.map(Proof::one_ply_before)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: Proof = Proof { winner: Some(Seat::P1), plies: 4 };
    const QUICK_WIN: Proof = Proof { winner: Some(Seat::P1), plies: 2 };
    const DRAW: Proof = Proof { winner: None, plies: 3 };

    #[test]
    fn words_round_trip() {
        for proof in [WIN, DRAW, Proof { winner: Some(Seat(7)), plies: 65_535 }] {
            assert_eq!(Proof::unpack(proof.pack()), Some(proof));
        }
        assert_eq!(Proof::unpack(0), None);
    }

    #[test]
    fn one_win_suffices_and_the_shortest_counts() {
        let replies = [Some(WIN), None, Some(QUICK_WIN)];
        assert_eq!(choose(Seat::P1, replies.into_iter()), Some(QUICK_WIN.one_ply_before()));
        assert_eq!(choose(Seat::P2, replies.into_iter()), None);
    }

    #[test]
    fn a_loser_prefers_a_draw_then_the_longest_way() {
        assert_eq!(choose(Seat::P2, [Some(WIN), Some(QUICK_WIN)].into_iter()), Some(WIN.one_ply_before()));
        assert_eq!(choose(Seat::P2, [Some(WIN), Some(DRAW)].into_iter()), Some(DRAW.one_ply_before()));
    }

    #[test]
    fn who_has_lost_may_choose_the_winner() {
        let to_another = Proof { winner: Some(Seat(2)), plies: 9 };
        assert_eq!(choose(Seat::P2, [Some(WIN), Some(to_another)].into_iter()), None);
        assert_eq!(
            choose(Seat::P2, [Some(WIN), Some(to_another), Some(DRAW)].into_iter()),
            Some(DRAW.one_ply_before())
        );
        assert_eq!(choose(Seat(2), [Some(WIN), Some(to_another)].into_iter()), Some(to_another.one_ply_before()));
    }

    #[test]
    fn rolls_must_agree() {
        assert_eq!(average([Some(WIN), Some(QUICK_WIN)].into_iter()), Some(WIN.one_ply_before()));
        assert_eq!(average([Some(WIN), Some(DRAW)].into_iter()), None);
        assert_eq!(average([Some(WIN), None].into_iter()), None);
    }

    #[test]
    fn sooner_wins_are_worth_more() {
        assert!(QUICK_WIN.rate(0) > WIN.rate(0));
        assert!(WIN.rate(0) > WIN.rate(5));
        assert!(WIN.rate(30_000) > DRAW.rate(0));
    }
}
