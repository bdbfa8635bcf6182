//! Compares counts with published ones and with those of the positions listed.

use super::{Arc, GeneralSolver, LayerPositions, Scope, SetNumbering, Tables, mirrors};
use crate::rules::hunt::{Hunt, Ruleset};
use crate::tablebase::{LayerSolver, Metric};

/// The number of positions with four geese, to move, that they win. Known numbers for more geese are compared with
/// those of the fast method, and this one with it.
fn won_by_four_geese(name: &str) -> u64 {
    let ruleset = Ruleset::from_catalog(name, &[]).expect("a ruleset of the catalog");
    Tables::<u64>::solve(Hunt::new(&ruleset), Metric::Conversion, 4).summary(4).geese_to_move.geese_win
}

#[test]
fn costs_count_what_is_stored() {
    for name in ["two-foxes-24", "hex-siege", "renard-1840", "bagha-chal", "masters-15"] {
        let ruleset = Ruleset::from_catalog(name, &[]).expect("a ruleset of the catalog");
        let game = Hunt::<u128>::new(&ruleset);
        let scope = Scope::new(&game);
        let numbering = Arc::new(SetNumbering::<u128>::new(game.board(), mirrors(&game), scope.most_foxes));
        assert!(!scope.layers().is_empty(), "{name}");
        for layer in scope.layers() {
            let space = LayerPositions::new(&scope, numbering.clone(), layer);
            assert_eq!(u128::from(space.positions()), scope.entries(layer), "{name}, {layer} geese");
            assert!(scope.entries(layer) <= scope.positions(layer), "{name}, {layer} geese");
        }
    }
}

#[test]
fn what_nobody_can_store_has_a_price_all_the_same() {
    let ruleset = Ruleset::from_catalog("great-siege", &[]).expect("a ruleset of the catalog");
    let solver = GeneralSolver::new(Arc::new(Hunt::<u128>::new(&ruleset)), Metric::Conversion);
    assert_eq!((ruleset.rules.fox_wins_below, solver.last_layer()), (17, 66));
    assert!((17..=66).all(|layer| solver.cost(layer, 66).memory_bytes > 1 << 50));
}

#[test]
fn four_geese_win_as_many_positions_as_known() {
    for (name, known) in [("murray-13", 36), ("masters-15", 25), ("bell-13", 21)] {
        assert_eq!(won_by_four_geese(name), known, "{name}");
    }
}
