//! The values of leaves, in the two forms that the tree can back up.
//!
//! With one or two seats one number is enough: every node holds rates for seat 0. With more seats a leaf has a share
//! for each seat, and a node holds the rates of the seat that chooses it among its siblings (max^n).

use super::arena::{TreeArena, TreeNode};
use super::value::{ProvedResult, WinRate};
use crate::rules::{MAX_SEATS, Seat};

/// The value of a leaf while it is backed up to the root.
pub(super) trait LeafValue: Copy + Send + Sync + 'static {
    /// Whether nodes can back up best replies: their one number must then serve the seat that chooses there, too.
    const BACKS_UP_REPLIES: bool;

    /// The value of an exact result that is reached `depth` plies after the root.
    fn of_proof(proof: ProvedResult, depth: usize, seats: usize) -> Self;

    /// The value of an evaluation, which `rate` gives by seat.
    fn of_opinion(seats: usize, rate: impl Fn(Seat) -> WinRate) -> Self;

    /// The value of a leaf whose prior is already known; if the prior is not enough, `judge` evaluates the leaf again.
    fn of_leaf(node: &TreeNode, judge: impl FnOnce() -> Self) -> Self;

    /// The value of a node whose children are all proved, with results that differ.
    fn of_settled<M: Copy>(arena: &TreeArena<M>, node: &TreeNode, depth: usize, seats: usize) -> Self;

    /// The rate that is booked on a node chosen by `chooser`.
    fn rate_for(self, chooser: Seat) -> WinRate;

    /// This value if `seat` can have a draw instead.
    fn at_least_a_draw(self, seat: Seat) -> Self;

    /// The seat from whose point of view the rates of nodes are read when `seat` chooses among them.
    fn perspective(seat: Seat) -> Seat;

    /// The mean rate of `seat` at `node`.
    fn average<M: Copy>(arena: &TreeArena<M>, node: &TreeNode, seat: Seat) -> f32;
}

impl LeafValue for WinRate {
    const BACKS_UP_REPLIES: bool = true;

    #[inline]
    fn of_proof(proof: ProvedResult, depth: usize, _: usize) -> Self {
        proof.rate(depth)
    }

    #[inline]
    fn of_opinion(_: usize, rate: impl Fn(Seat) -> WinRate) -> Self {
        rate(Seat::P1)
    }

    #[inline]
    fn of_leaf(node: &TreeNode, _: impl FnOnce() -> Self) -> Self {
        node.prior()
    }

    #[inline]
    fn of_settled<M: Copy>(_: &TreeArena<M>, node: &TreeNode, _: usize, _: usize) -> Self {
        node.mean()
    }

    #[inline]
    fn rate_for(self, _: Seat) -> WinRate {
        self
    }

    #[inline]
    fn at_least_a_draw(self, seat: Seat) -> Self {
        self.seen_by(seat).max(WinRate::HALF.seen_by(seat)).seen_by(seat)
    }

    #[inline]
    fn perspective(seat: Seat) -> Seat {
        seat
    }

    #[inline]
    fn average<M: Copy>(_: &TreeArena<M>, node: &TreeNode, seat: Seat) -> f32 {
        node.mean().of(seat)
    }
}

/// The rates of all seats; up to rounding they add up to [`WinRate::ONE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SeatRates {
    rates: [u16; MAX_SEATS],
    seats: usize,
}

impl SeatRates {
    fn equal(seats: usize) -> Self {
        let mut rates = [0; MAX_SEATS];
        rates[..seats].fill(WinRate::ONE / seats as u16);
        SeatRates { rates, seats }
    }

    /// Scales the rates so that they add up to one win.
    fn scaled(rates: [u32; MAX_SEATS], seats: usize) -> Self {
        match rates.iter().sum::<u32>() {
            0 => SeatRates::equal(seats),
            sum => {
                let scaled = |rate| (u64::from(rate) * u64::from(WinRate::ONE) / u64::from(sum)) as u16;
                SeatRates { rates: rates.map(scaled), seats }
            }
        }
    }
}

impl LeafValue for SeatRates {
    const BACKS_UP_REPLIES: bool = false;

    fn of_proof(proof: ProvedResult, depth: usize, seats: usize) -> Self {
        let Some(winner) = proof.winner else { return SeatRates::equal(seats) };
        let discount = proof.discount(depth);
        let mut rates = [0; MAX_SEATS];
        rates[..seats].fill(discount / (seats as u16 - 1));
        rates[winner.index()] = WinRate::ONE - discount;
        SeatRates { rates, seats }
    }

    fn of_opinion(seats: usize, rate: impl Fn(Seat) -> WinRate) -> Self {
        let mut rates = [0; MAX_SEATS];
        for (seat, part) in (0..).zip(&mut rates[..seats]) {
            *part = u32::from(rate(Seat(seat)).0);
        }
        SeatRates::scaled(rates, seats)
    }

    fn of_leaf(_: &TreeNode, judge: impl FnOnce() -> Self) -> Self {
        judge()
    }

    /// The mover has lost, but may choose the winner: all winners are equally likely.
    fn of_settled<M: Copy>(arena: &TreeArena<M>, node: &TreeNode, depth: usize, seats: usize) -> Self {
        let mut rates = [0; MAX_SEATS];
        for proof in arena.children(node).filter_map(|(_, child)| child.proof()) {
            let proved = SeatRates::of_proof(proof, depth, seats);
            rates.iter_mut().zip(proved.rates).for_each(|(sum, rate)| *sum += u32::from(rate));
        }
        SeatRates::scaled(rates, seats)
    }

    fn rate_for(self, chooser: Seat) -> WinRate {
        WinRate(self.rates[chooser.index()])
    }

    fn at_least_a_draw(self, seat: Seat) -> Self {
        let draw = SeatRates::equal(self.seats);
        if self.rate_for(seat) < draw.rate_for(seat) { draw } else { self }
    }

    /// The rates are already those of the seat that chooses.
    fn perspective(_: Seat) -> Seat {
        Seat::P1
    }

    /// The node itself holds the rates of another seat, so the children have to be read. Replies that are not listed yet
    /// do not count.
    fn average<M: Copy>(arena: &TreeArena<M>, node: &TreeNode, seat: Seat) -> f32 {
        let tried = arena.children(node).map(|(_, child)| (child.visits().max(1) as f32, child.mean().of(seat)));
        let untried = arena.untried(node).map(|reply| (1.0, reply.prior.of(seat)));
        let add = |(sum, weights): (f32, f32), (weight, mean): (f32, f32)| (sum + weight * mean, weights + weight);
        let (sum, weights) = tried.chain(untried).fold((0.0, 0.0), add);
        sum / weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_takes_all_but_a_little() {
        let proof = ProvedResult { winner: Some(Seat(2)), plies: 5 };
        let shares = SeatRates::of_proof(proof, 0, 4);
        assert!(shares.rate_for(Seat(2)).0 > WinRate::ONE / 100 * 99);
        assert!(SeatRates::of_proof(proof, 9, 4).rate_for(Seat(2)) < shares.rate_for(Seat(2)), "sooner is better");
        assert!(SeatRates::of_proof(proof, 9, 4).rate_for(Seat(0)) > shares.rate_for(Seat(0)), "later is less bad");
        let draw = SeatRates::of_proof(ProvedResult { winner: None, plies: 5 }, 0, 4);
        assert_eq!(shares.at_least_a_draw(Seat(1)), draw);
        assert_eq!(shares.at_least_a_draw(Seat(2)), shares);
    }

    #[test]
    fn shares_add_up_to_one_win() {
        let shares = SeatRates::scaled([30_000, 10_000, 40_000, 0, 0, 0, 0, 0], 3);
        let sum: u32 = shares.rates.iter().map(|&share| u32::from(share)).sum();
        assert!(sum.abs_diff(u32::from(WinRate::ONE)) < 3 && shares.rate_for(Seat(2)) > shares.rate_for(Seat(0)));
    }
}
