//! Solves positions by plain iteration over a map, sharing nothing with the solver but the rules.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::geometry::Word;
use crate::rules::Game;
use crate::rules::hunt::{Hunt, Position, Side};
use crate::tablebase::Metric;

/// A position's mover, successors and what is known of its value.
struct Node<W: Word> {
    mover: Side,
    /// The positions after the legal moves, and whether the count of plies begins anew there.
    after: Vec<(Position<W>, bool)>,
    winner: Option<Side>,
    distance: Option<u32>,
}

/// All positions that can be reached from some roots, solved.
pub(super) struct Reference<W: Word>(HashMap<Position<W>, Node<W>>);

impl<W: Word> Reference<W> {
    pub(super) fn of(game: &Hunt<W>, metric: Metric, roots: impl IntoIterator<Item = Position<W>>) -> Self {
        let mut reference = Reference(HashMap::new());
        let mut open: Vec<Position<W>> = roots.into_iter().collect();
        while let Some(position) = open.pop() {
            if let Entry::Vacant(place) = reference.0.entry(position) {
                let node = place.insert(node(game, metric, &position));
                open.extend(node.after.iter().map(|&(after, _)| after));
            }
        }
        reference.iterate(Self::find_winner);
        reference.iterate(Self::find_distance);
        reference
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Position<W>> {
        self.0.keys()
    }

    /// The winner of a position and the distance; `None` is a draw.
    pub(super) fn value(&self, position: &Position<W>) -> Option<(Side, u32)> {
        let node = &self.0[position];
        node.winner.map(|winner| (winner, node.distance.expect("every win takes some time")))
    }

    /// Applies `find` to all positions in rounds, each with the results of the rounds before, until one finds nothing.
    fn iterate(&mut self, find: impl Fn(&Self, &Node<W>, u32) -> Option<(Side, Option<u32>)>) {
        for round in 1.. {
            let found: Vec<_> =
                self.0.iter().filter_map(|(position, node)| Some((*position, find(self, node, round)?))).collect();
            for (position, (winner, distance)) in &found {
                let node = self.0.get_mut(position).expect("a position of the map");
                (node.winner, node.distance) = (Some(*winner), *distance);
            }
            if found.is_empty() {
                return;
            }
        }
    }

    fn find_winner(&self, node: &Node<W>, _round: u32) -> Option<(Side, Option<u32>)> {
        let wins = |side: Side| move |(after, _): &(Position<W>, bool)| self.0[after].winner == Some(side);
        // A position without a winner and without moves is drawn.
        if node.winner.is_some() || node.after.is_empty() {
            return None;
        }
        let winner = if node.after.iter().any(wins(node.mover)) { node.mover } else { node.mover.other() };
        (winner == node.mover || node.after.iter().all(wins(winner))).then_some((winner, None))
    }

    fn find_distance(&self, node: &Node<W>, round: u32) -> Option<(Side, Option<u32>)> {
        let winner = node.winner.filter(|_| node.distance.is_none())?;
        let plies = |&(after, restarts): &(Position<W>, bool)| {
            if restarts { Some(1) } else { self.0[&after].distance.map(|distance| distance + 1) }
        };
        let distance = if winner == node.mover {
            node.after.iter().filter(|(after, _)| self.0[after].winner == Some(winner)).filter_map(plies).min()?
        } else {
            node.after.iter().map(plies).try_fold(0, |most, plies| Some(plies?.max(most)))?
        };
        assert_eq!(distance, round);
        Some((winner, Some(distance)))
    }
}

fn node<W: Word>(game: &Hunt<W>, metric: Metric, position: &Position<W>) -> Node<W> {
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let after = |&mv| (game.play_unchecked(position, mv), metric.restarts(game.is_irreversible(position, mv)));
    let winner = game.turn(position).outcome().and_then(|outcome| outcome.winner).map(|seat| game.side(seat));
    Node { mover: position.turn, after: moves.iter().map(after).collect(), winner, distance: winner.map(|_| 0) }
}
