//! The two kinds of value that nodes hold: win rates as integers, whose sums depend neither on the order of threads nor
//! on a machine's rounding; and exact results with their distance (after the MCTS-Solver of Winands, Björnsson and
//! Saito, 2008).

use crate::rules::{Outcome, Seat};
use crate::search::proof_number::ForcedEnd;
use crate::search::score::{CHANCES, STEEPEST, Score};
use crate::tablebase::TableValue;

/// An expected result for seat 0 between 0 (lost) and [`WinRate::ONE`] (won).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct WinRate(pub u16);

impl WinRate {
    pub(super) const ONE: u16 = u16::MAX;
    pub(super) const HALF: WinRate = WinRate(WinRate::ONE / 2);

    /// Converts a rate for seat 0 into one for `seat`, and back.
    #[inline]
    pub(super) fn seen_by(self, seat: Seat) -> WinRate {
        // The complement to the highest number flips every bit, which needs no branch.
        WinRate(self.0 ^ if seat == Seat::P1 { 0 } else { WinRate::ONE })
    }

    /// The rate for `seat` as a number between 0 and 1.
    #[inline]
    pub(super) fn of(self, seat: Seat) -> f32 {
        f32::from(self.seen_by(seat).0) * (1.0 / WinRate::ONE as f32)
    }

    /// The rate for seat 0 of an evaluation from the point of view of seat 0.
    pub(super) fn of_evaluation(evaluation: i32) -> WinRate {
        let rate = WinRate::of_chance(CHANCES[evaluation.unsigned_abs().min(STEEPEST as u32) as usize]);
        if evaluation < 0 { WinRate(WinRate::ONE - rate.0) } else { rate }
    }

    fn of_chance(chance: f64) -> WinRate {
        WinRate((chance * f64::from(WinRate::ONE)) as u16)
    }

    /// This opinion after `idle` plies without progress: nearer to an even result, but keeping at least a third of its
    /// distance. It counts half after `half_life` plies; 0 switches the fading off.
    pub(super) fn faded(self, idle: u32, half_life: u32) -> WinRate {
        if half_life == 0 {
            return self;
        }
        let even = i64::from(WinRate::HALF.0);
        let part = i64::from(half_life);
        let rest = (i64::from(self.0) - even) * part / (part + i64::from(idle.min(2 * half_life)));
        WinRate((even + rest) as u16)
    }
}

/// The score that stands for an expected result `rate` between 0 and 1.
pub(super) fn score(rate: f64) -> Score {
    let folded = rate.max(1.0 - rate) * f64::from(WinRate::ONE);
    let is_below = |&chance: &f64| f64::from(WinRate::of_chance(chance).0) < folded;
    let hundredths = CHANCES.partition_point(is_below).min(STEEPEST as usize) as i32;
    Score(if rate < 0.5 { -hundredths } else { hundredths })
}

/// An exact result: the winner (`None` for a draw) and the plies to the end. From `TABLE_PLIES` on the result comes
/// from a table, and the plies beyond count to the next conversion. Such results are further away than any end that the
/// tree can prove, so that every proved win is preferred to them, and nearer conversions to later ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProvedResult {
    pub winner: Option<Seat>,
    pub plies: u16,
}

/// The first number of plies that stands for a result from a table.
const TABLE_PLIES: u16 = 20_000;

const KNOWN: u32 = 1 << 31;
const WON: u32 = 1 << 30;
const SEAT_SHIFT: u32 = 16;

/// The discount for each ply: later results count a little less, so that wins are brought home and losses put off.
const DISCOUNT_PER_PLY: u32 = 16;
const MAX_DISCOUNT: u32 = 8_000;
/// The plies added to the distance of a win from a table for its discount: it counts as much as a proved win that many
/// plies away.
const TABLE_DELAY: u32 = 100;

impl ProvedResult {
    pub(super) fn of_outcome(outcome: Outcome) -> ProvedResult {
        ProvedResult { winner: outcome.winner, plies: 0 }
    }

    /// The result for the value that a table gives.
    pub(super) fn of_verdict(verdict: TableValue) -> ProvedResult {
        let distance = verdict.distance.min(Score::MAX_CONVERSION_PLIES) as u16;
        let plies = if verdict.winner.is_some() { TABLE_PLIES + distance } else { 0 };
        ProvedResult { winner: verdict.winner, plies }
    }

    /// The score for `seat` one ply before this result.
    pub(super) fn score_before(self, seat: Seat) -> Score {
        match self.plies.checked_sub(TABLE_PLIES) {
            Some(distance) => Score::of_verdict(TableValue { winner: self.winner, distance: distance.into() }, seat, 1),
            None => Score::of_outcome(self.winner, seat, u32::from(self.plies) + 1),
        }
    }

    /// The result after the first move of a line to a forced end.
    pub(super) fn of_forced_end<M>(end: &ForcedEnd<M>) -> ProvedResult {
        ProvedResult { winner: Some(end.winner), plies: end.plies as u16 - 1 }
    }

    pub(super) fn wins(self, seat: Seat) -> bool {
        self.winner == Some(seat)
    }

    /// The result for the position one ply earlier.
    pub(super) fn one_ply_before(self) -> ProvedResult {
        ProvedResult { plies: self.plies.saturating_add(1), ..self }
    }

    /// The rate for seat 0 of this result, reached `depth` plies after the root.
    pub(super) fn rate(self, depth: usize) -> WinRate {
        match self.winner {
            None => WinRate::HALF,
            Some(winner) => WinRate(WinRate::ONE - self.discount(depth)).seen_by(winner),
        }
    }

    /// The part of a win that is discounted, when it is reached `depth` plies after the root.
    #[inline]
    pub(super) fn discount(self, depth: usize) -> u16 {
        let plies = match self.plies.checked_sub(TABLE_PLIES) {
            Some(distance) => TABLE_DELAY + u32::from(distance),
            None => u32::from(self.plies),
        };
        ((plies + depth as u32) * DISCOUNT_PER_PLY).min(MAX_DISCOUNT) as u16
    }

    /// A number that orders results by their worth to `seat`: won soon, won late, drawn, lost late, lost soon.
    pub(super) fn rank(self, seat: Seat) -> i32 {
        match self.winner {
            None => 0,
            Some(winner) if winner == seat => 100_000 - i32::from(self.plies),
            Some(_) => i32::from(self.plies) - 100_000,
        }
    }

    /// The result as a word that is never 0, so that 0 can mean "not proved".
    pub(super) fn pack(self) -> u32 {
        let winner = self.winner.map_or(0, |seat| WON | u32::from(seat.0) << SEAT_SHIFT);
        KNOWN | winner | u32::from(self.plies)
    }

    pub(super) fn unpack(word: u32) -> Option<ProvedResult> {
        let winner = (word & WON != 0).then_some(Seat((word >> SEAT_SHIFT & 0xff) as u8));
        (word & KNOWN != 0).then_some(ProvedResult { winner, plies: word as u16 })
    }
}

/// The result of a node where `seat` chooses, from the results of the replies; `None` is not proved.
///
/// Where all replies lose, but to different seats, the node is not proved: the mover has lost, but may choose the
/// winner.
pub(super) fn choose(seat: Seat, replies: impl Iterator<Item = Option<ProvedResult>> + Clone) -> Option<ProvedResult> {
    let best = replies.clone().flatten().max_by_key(|proof| proof.rank(seat))?;
    let agrees = |proof: ProvedResult| best.winner.is_none() || proof.winner == best.winner;
    let is_settled = best.wins(seat) || replies.clone().all(|reply| reply.is_some_and(agrees));
    is_settled.then(|| best.one_ply_before())
}

/// The result of a chance node from the results of all rolls: proved when they agree, with the longest distance.
pub(super) fn average(mut rolls: impl Iterator<Item = Option<ProvedResult>>) -> Option<ProvedResult> {
    let first = rolls.next()??;
    let slowest = rolls.try_fold(first, |slowest, roll| {
        let roll = roll.filter(|roll| roll.winner == first.winner)?;
        Some(if roll.plies > slowest.plies { roll } else { slowest })
    });
    slowest.map(ProvedResult::one_ply_before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::WDL_SCALE;

    const WIN: ProvedResult = ProvedResult { winner: Some(Seat::P1), plies: 4 };
    const QUICK_WIN: ProvedResult = ProvedResult { winner: Some(Seat::P1), plies: 2 };
    const DRAW: ProvedResult = ProvedResult { winner: None, plies: 3 };

    #[test]
    fn words_round_trip() {
        for proof in [WIN, DRAW, ProvedResult { winner: Some(Seat(7)), plies: 65_535 }] {
            assert_eq!(ProvedResult::unpack(proof.pack()), Some(proof));
        }
        assert_eq!(ProvedResult::unpack(0), None);
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
        let to_another = ProvedResult { winner: Some(Seat(2)), plies: 9 };
        assert_eq!(choose(Seat::P2, [Some(WIN), Some(to_another)].into_iter()), None);
        assert_eq!(
            choose(Seat::P2, [Some(WIN), Some(to_another), Some(DRAW)].into_iter()),
            Some(DRAW.one_ply_before())
        );
        assert_eq!(choose(Seat(2), [Some(WIN), Some(to_another)].into_iter()), Some(to_another.one_ply_before()));
    }

    #[test]
    fn the_word_of_a_table_comes_after_every_proved_end() {
        let table = |distance| ProvedResult::of_verdict(TableValue { winner: Some(Seat::P1), distance });
        let late = ProvedResult { winner: Some(Seat::P1), plies: 2_000 };
        assert!(late.rank(Seat::P1) > table(0).rank(Seat::P1) && table(0).rank(Seat::P1) > table(3).rank(Seat::P1));
        assert!(table(3).rank(Seat::P1) > DRAW.rank(Seat::P1) && table(9_999).rank(Seat::P2) < DRAW.rank(Seat::P2));
        assert!(table(3).rank(Seat::P2) > table(0).rank(Seat::P2) && table(0).rank(Seat::P2) > late.rank(Seat::P2));
        assert!(WIN.rate(0) > table(0).rate(0) && table(0).rate(0) > table(3).rate(0));
        assert!(table(9_999).rate(0) > WinRate(WinRate::ONE / 10 * 8), "a sure win is worth more than most opinions");
        assert_eq!(table(3).one_ply_before().score_before(Seat::P1), Score::table_win_in(5));
        assert_eq!(table(3).score_before(Seat::P2), -Score::table_win_in(4));
        assert_eq!((WIN.score_before(Seat::P1), DRAW.score_before(Seat::P1)), (Score::win_in(5), Score::DRAW));
        assert_eq!(ProvedResult::of_verdict(TableValue::DRAW).score_before(Seat::P1), Score::DRAW);
        assert_eq!(ProvedResult::unpack(table(7).pack()), Some(table(7)));
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

    #[test]
    fn the_curve_agrees_with_the_scale_of_scores() {
        for evaluation in [-900, -150, -1, 0, 1, 40, 150, 700] {
            let exact = 1.0 / (1.0 + (-f64::from(evaluation) / WDL_SCALE).exp());
            assert!((f64::from(WinRate::of_evaluation(evaluation).of(Seat::P1)) - exact).abs() < 1e-4, "{evaluation}");
            assert!((score(exact).0 - evaluation).abs() <= 2, "{evaluation}");
        }
    }

    #[test]
    fn opinions_fade_towards_even() {
        let rate = WinRate(WinRate::HALF.0 + 3000);
        assert_eq!(rate.faded(0, 60), rate);
        assert_eq!(rate.faded(60, 60), WinRate(WinRate::HALF.0 + 1500));
        assert_eq!(rate.faded(9999, 60), WinRate(WinRate::HALF.0 + 1000));
        assert_eq!(WinRate(0).faded(9999, 0), WinRate(0));
    }

    #[test]
    fn seats_see_complements() {
        assert_eq!(WinRate(0).seen_by(Seat::P2), WinRate(WinRate::ONE));
        assert_eq!(WinRate(1000).seen_by(Seat::P2).seen_by(Seat::P2), WinRate(1000));
    }
}
