//! Compares the general solver with plain iteration on toy rulesets, and with known counts.

mod counts;
mod files;
mod reference;
mod toys;

use std::sync::Arc;

use serde_json::{Value, json};

use super::GeneralSolver;
use super::positions::LayerPositions;
use super::scope::{Scope, mirrors};
use crate::geometry::Word;
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Position, Ruleset};
use crate::tablebase::sets::SetNumbering;
use crate::tablebase::{LayerSummary, Metric, TableEntry};

/// A game made of `changes` to the default ruleset on a small board.
fn toy<W: Word>(changes: Value) -> Hunt<W> {
    let mut file = json!({
        "name": "toy", "extends": "masters-15", "board": "grid(3,3)", "fox_wins_below": 1,
        "geese": ["a1", "b1"], "fox_start": ["b3"],
    });
    if let (Some(file), Value::Object(changes)) = (file.as_object_mut(), changes) {
        file.extend(changes);
    }
    let ruleset = Ruleset::from_text("toy.json", &file.to_string(), &[]);
    Hunt::new(&ruleset.unwrap_or_else(|error| panic!("{error}")))
}

/// The layers of a game up to a number of geese, solved one after the other.
struct Tables<W: Word> {
    game: Arc<Hunt<W>>,
    layers: Vec<(LayerPositions<W>, Vec<u16>, LayerSummary)>,
}

impl<W: Word> Tables<W> {
    fn solve(game: Hunt<W>, metric: Metric, most_geese: u32) -> Self {
        let game = Arc::new(game);
        let scope = Scope::new(&game);
        assert!(scope.layers().contains(&most_geese));
        let numbering = Arc::new(SetNumbering::new(game.board(), mirrors(&game), scope.most_foxes));
        let mut solver = GeneralSolver::new(game.clone(), metric);
        let mut layer = |geese| {
            let (entries, summary) = solver.solve_known(geese, &|_| ()).unwrap_or_else(|error| panic!("{error}"));
            solver.keep(geese, entries.clone());
            (LayerPositions::new(&scope, numbering.clone(), geese), entries, summary)
        };
        let layers = (scope.first_layer()..=most_geese).map(&mut layer).collect();
        Tables { game, layers }
    }

    /// The entry of a position, if it has one.
    fn entry(&self, position: &Position<W>) -> Option<TableEntry> {
        self.layers.iter().find_map(|(space, entries, _)| {
            let flat = space.number(position)?;
            Some(TableEntry(entries[flat as usize]))
        })
    }

    fn summary(&self, geese: u32) -> &LayerSummary {
        let layer = self.layers.iter().find(|(space, ..)| space.layer == geese);
        &layer.expect("a solved layer").2
    }
}

/// The text of a position, for messages.
fn told<W: Word>(game: &Hunt<W>, position: &Position<W>) -> String {
    game.position_text(position)
}
