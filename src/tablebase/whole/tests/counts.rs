//! Counts that are known from elsewhere.

use crate::rules::hunt::{Hunt, Ruleset};

use super::Tables;

/// Positions won by the geese, geese to move, with 4 geese and up.
fn won_by_geese(name: &str, most_geese: u32) -> Vec<u64> {
    let ruleset = Ruleset::from_catalog(name, &[]).expect("a ruleset of the catalog");
    let tables = Tables::<u64>::solve(Hunt::new(&ruleset), most_geese);
    (4..=most_geese).map(|geese| tables.summary(geese).geese_to_move.geese_win).collect()
}

#[test]
fn geese_that_go_any_way() {
    assert_eq!(won_by_geese("murray-13", 5), [36, 1_160]);
}

#[test]
fn geese_that_never_go_back() {
    assert_eq!(won_by_geese("masters-15", 5), [25, 846]);
    assert_eq!(won_by_geese("bell-13", 5), [21, 729]);
}
