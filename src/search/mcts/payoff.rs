//! What a leaf is worth to everybody, in the two forms that the tree can book.
//!
//! With one or two seats one number says it all: every node holds rates for seat 0. With more of them the leaf has a
//! share for each seat, and a node holds the rates of the one who chooses it among its siblings (max^n).

use super::expand::Expander;
use super::node::Node;
use super::proof::Proof;
use super::rate::Rate;
use crate::eval::Evaluator;
use crate::rules::{Game, MAX_SEATS, Seat};

/// The worth of a leaf on its way up.
pub(super) trait Payoff: Copy + Send + Sync + 'static {
    /// Whether a node's one number tells what its best reply is worth to whoever chooses the node.
    const BACKS_UP_REPLIES: bool;

    /// Of an exact result, reached `depth` plies after the root.
    fn of_proof(proof: Proof, depth: usize, seats: usize) -> Self;

    /// The evaluator's opinion of a position after so many plies without progress.
    fn of_opinion<G: Game, E: Evaluator<G>>(expander: &Expander<'_, G, E>, position: &G::Position, idle: u32) -> Self;

    /// Of a leaf whose prior is known already; `judge` has the evaluator look again if that is not enough.
    fn of_leaf(node: &Node, judge: impl FnOnce() -> Self) -> Self;

    /// Of a node with nothing left to try, whose result is not the same for all.
    fn of_settled(node: &Node, children: &[Node], depth: usize, seats: usize) -> Self;

    /// What a node books that `chooser` chose.
    fn booked(self, chooser: Seat) -> Rate;

    /// The same, when `seat` can have a draw instead.
    fn at_least_a_draw(self, seat: Seat, seats: usize) -> Self;

    /// From whose seat the rates of nodes are to be seen when `seat` chooses among them.
    fn view(seat: Seat) -> Seat;

    /// What `seat` gets at `node` on the average.
    fn usual(node: &Node, children: &[Node], seat: Seat) -> f32;
}

impl Payoff for Rate {
    const BACKS_UP_REPLIES: bool = true;

    #[inline]
    fn of_proof(proof: Proof, depth: usize, _: usize) -> Self {
        proof.rate(depth)
    }

    #[inline]
    fn of_opinion<G: Game, E: Evaluator<G>>(expander: &Expander<'_, G, E>, position: &G::Position, idle: u32) -> Self {
        expander.rate(position, Seat::P1, idle)
    }

    #[inline]
    fn of_leaf(node: &Node, _: impl FnOnce() -> Self) -> Self {
        node.prior()
    }

    #[inline]
    fn of_settled(node: &Node, _: &[Node], _: usize, _: usize) -> Self {
        node.mean()
    }

    #[inline]
    fn booked(self, _: Seat) -> Rate {
        self
    }

    #[inline]
    fn at_least_a_draw(self, seat: Seat, _: usize) -> Self {
        self.seen_by(seat).max(Rate::HALF.seen_by(seat)).seen_by(seat)
    }

    #[inline]
    fn view(seat: Seat) -> Seat {
        seat
    }

    #[inline]
    fn usual(node: &Node, _: &[Node], seat: Seat) -> f32 {
        node.mean().of(seat)
    }
}

/// Rates by seat; their sum is [`Rate::ONE`] but for rounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shares([u16; MAX_SEATS]);

impl Shares {
    fn equal(seats: usize) -> Self {
        let mut shares = [0; MAX_SEATS];
        shares[..seats].fill(Rate::ONE / seats as u16);
        Shares(shares)
    }

    /// Scales rates to the sum of one win.
    fn scaled(rates: [u32; MAX_SEATS], seats: usize) -> Self {
        match rates.iter().sum::<u32>() {
            0 => Shares::equal(seats),
            sum => Shares(rates.map(|rate| (u64::from(rate) * u64::from(Rate::ONE) / u64::from(sum)) as u16)),
        }
    }
}

impl Payoff for Shares {
    const BACKS_UP_REPLIES: bool = false;

    fn of_proof(proof: Proof, depth: usize, seats: usize) -> Self {
        let Some(winner) = proof.winner else { return Shares::equal(seats) };
        let discount = proof.discount(depth);
        let mut shares = [0; MAX_SEATS];
        shares[..seats].fill(discount / (seats as u16 - 1));
        shares[winner.index()] = Rate::ONE - discount;
        Shares(shares)
    }

    fn of_opinion<G: Game, E: Evaluator<G>>(expander: &Expander<'_, G, E>, position: &G::Position, idle: u32) -> Self {
        let mut rates = [0; MAX_SEATS];
        let seats = expander.game.seats();
        for (seat, rate) in (0..).zip(&mut rates[..seats]) {
            *rate = u32::from(expander.rate(position, Seat(seat), idle).0);
        }
        Shares::scaled(rates, seats)
    }

    fn of_leaf(_: &Node, judge: impl FnOnce() -> Self) -> Self {
        judge()
    }

    /// The mover has lost, but may choose to whom: each of them is as likely.
    fn of_settled(_: &Node, children: &[Node], depth: usize, seats: usize) -> Self {
        let mut rates = [0; MAX_SEATS];
        for proof in children.iter().filter_map(Node::proof) {
            let Shares(shares) = Shares::of_proof(proof, depth, seats);
            rates.iter_mut().zip(shares).for_each(|(rate, share)| *rate += u32::from(share));
        }
        Shares::scaled(rates, seats)
    }

    fn booked(self, chooser: Seat) -> Rate {
        Rate(self.0[chooser.index()])
    }

    fn at_least_a_draw(self, seat: Seat, seats: usize) -> Self {
        let draw = Shares::equal(seats);
        if self.booked(seat) < draw.booked(seat) { draw } else { self }
    }

    /// They are already those of the one who chooses.
    fn view(_: Seat) -> Seat {
        Seat::P1
    }

    /// The node itself holds the rates of somebody else, so that its children are asked.
    fn usual(_: &Node, children: &[Node], seat: Seat) -> f32 {
        let visits = |child: &Node| child.visits().max(1) as f32;
        let sum: f32 = children.iter().map(|child| visits(child) * child.mean().of(seat)).sum();
        sum / children.iter().map(visits).sum::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_takes_all_but_a_little() {
        let proof = Proof { winner: Some(Seat(2)), plies: 5 };
        let shares = Shares::of_proof(proof, 0, 4);
        assert!(shares.booked(Seat(2)).0 > Rate::ONE / 100 * 99);
        assert!(Shares::of_proof(proof, 9, 4).booked(Seat(2)) < shares.booked(Seat(2)), "sooner is better");
        assert!(Shares::of_proof(proof, 9, 4).booked(Seat(0)) > shares.booked(Seat(0)), "later is less bad");
        let draw = Shares::of_proof(Proof { winner: None, plies: 5 }, 0, 4);
        assert_eq!(shares.at_least_a_draw(Seat(1), 4), draw);
        assert_eq!(shares.at_least_a_draw(Seat(2), 4), shares);
    }

    #[test]
    fn shares_add_up_to_one_win() {
        let shares = Shares::scaled([30_000, 10_000, 40_000, 0, 0, 0, 0, 0], 3);
        let sum: u32 = shares.0.iter().map(|&share| u32::from(share)).sum();
        assert!(sum.abs_diff(u32::from(Rate::ONE)) < 3 && shares.booked(Seat(2)) > shares.booked(Seat(0)));
    }
}
