//! The fast method against counts found elsewhere and against plain play.

use std::fs;
use std::path::Path;

use crate::rules::hunt::{Hunt, Position, Ruleset};
use crate::rules::{Game, Notation};
use crate::tablebase::format::{LayerWriter, TableHeader};
use crate::tablebase::{
    HuntTables, Identity, LayerSolver, LayerSummary, NewLayer, Store, TableError, TableValue, Tables,
};

use super::OneFoxSolver;
use super::layer::LayerPatterns;
use super::numbering::PatternNumbering;
use super::rules::OneFoxRules;

type Switches = &'static [(&'static str, &'static str)];

fn game(name: &str, switches: &[(&str, &str)]) -> Hunt<u64> {
    let switches: Vec<_> = switches.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    Hunt::new(&Ruleset::from_catalog(name, &switches).expect("a ruleset"))
}

/// Solves the layers up to `geese` in a folder.
fn solve(game: &Hunt<u64>, geese: u32, folder: &Path) -> (Store, Vec<LayerSummary>) {
    let mut store = Store::open(folder, Identity::of(game.ruleset()).expect("an identity")).expect("a store");
    let mut solver = OneFoxSolver::new(game, geese).expect("a game for this method");
    let layers = solver.first_layer()..=geese;
    let summaries = layers.map(|layer| solve_layer(&mut solver, &mut store, layer).expect("a solved layer")).collect();
    (store, summaries)
}

fn solve_layer(solver: &mut OneFoxSolver<u64>, store: &mut Store, layer: u32) -> Result<LayerSummary, TableError> {
    let path = store.path(layer);
    let mut new = [NewLayer { geese: layer, writer: LayerWriter::create(&path)?, summary: LayerSummary::default() }];
    solver.solve(&mut new, store, &|_| {})?;
    let [NewLayer { writer, summary, .. }] = new;
    let identity = store.identity();
    let header = TableHeader {
        ruleset: identity.name.clone(),
        fingerprint: format!("{:016x}", identity.fingerprint),
        geese: layer,
        layout: solver.layout().into(),
        rules: identity.rules.clone(),
        program: "test".into(),
        summary: summary.clone(),
    };
    writer.finish(&header)?;
    store.add(&path)?;
    Ok(summary)
}

#[test]
fn geese_wins_are_as_many_as_known() {
    for (name, known) in
        [("masters-15", &[25, 846, 12_835][..]), ("bell-13", &[21, 729, 10_888]), ("murray-13", &[36, 1_160, 19_256])]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let (_, summaries) = solve(&game(name, &[]), 3 + known.len() as u32, folder.path());
        let wins: Vec<u64> = summaries.iter().map(|summary| summary.geese_to_move.geese_win).collect();
        assert_eq!(wins[wins.len() - known.len()..], *known, "{name}");
    }
}

#[test]
fn a_solver_that_reads_the_layers_below_writes_the_same() {
    let cases: [(&str, u32, Switches); 3] = [
        ("murray-13", 5, &[]),
        ("bell-13", 5, &[("capture", "forced"), ("forced_chain", "true")]),
        ("catch-the-hare", 4, &[("fox_wins_below", "2")]),
    ];
    for (name, geese, switches) in cases {
        let game = game(name, switches);
        let folder = tempfile::tempdir().expect("a folder");
        let (mut store, summaries) = solve(&game, geese, folder.path());
        let path = store.path(geese);
        let written = fs::read(&path).expect("a file");
        let mut fresh = OneFoxSolver::new(&game, geese).expect("a game for this method");
        let summary = solve_layer(&mut fresh, &mut store, geese).expect("a solved layer");
        assert_eq!(Some(&summary), summaries.last(), "{name}");
        assert!(fs::read(&path).expect("a file") == written, "{name}");
        // What is damaged below is not built upon.
        let mut below = fs::read(store.path(geese - 1)).expect("a file");
        // The first byte of the first frame.
        below[16] ^= 0xff;
        fs::write(store.path(geese - 1), below).expect("a writable file");
        let mut fresh = OneFoxSolver::new(&game, geese).expect("a game for this method");
        let error = solve_layer(&mut fresh, &mut store, geese).expect_err("a damaged layer below");
        assert!(matches!(error, TableError::Damaged { .. }), "{name}: {error}");
    }
}

#[test]
fn geese_that_go_any_way_share_entries_with_all_images() {
    let stored = |name: &str, geese: u32| {
        let rules = OneFoxRules::of(&game(name, &[])).expect("a game for this method");
        let numbering = PatternNumbering::new(&rules).expect("a small board");
        (rules.symmetries.len(), LayerPatterns::new(&rules, &numbering, geese).patterns())
    };
    // One in eight, or in two, and a few more: those whose head is its own image stand there with every tail.
    assert_eq!(stored("murray-13", 13), (8, 73_144_304));
    assert_eq!(stored("catch-the-hare", 12), (8, 710_698));
    assert_eq!(stored("masters-15", 4), (2, 24_090));
    assert_eq!(stored("fox-and-hounds", 4).0, 1);
}

#[test]
fn every_value_follows_from_the_values_after_it() {
    let cases: [(&str, u32, u32, Switches); 8] = [
        ("masters-15", 4, 211, &[]),
        ("bell-13", 5, 1_009, &[]),
        ("masters-15", 4, 211, &[("chain", "false"), ("fox_diagonal", "capture_only")]),
        ("bell-13", 5, 1_009, &[("capture", "forced"), ("forced_chain", "true")]),
        ("bell-13", 4, 211, &[("geese_stuck", "pass"), ("fox_home_wins", "true"), ("first_move_forward", "false")]),
        ("murray-13", 4, 211, &[("geese_stuck", "pass")]),
        ("strutt-17", 5, 1_009, &[]),
        ("fox-and-hounds", 4, 211, &[]),
    ];
    for (name, geese, step, switches) in cases {
        let game = game(name, switches);
        let folder = tempfile::tempdir().expect("a folder");
        let (store, _) = solve(&game, geese, folder.path());
        check_everywhere(&game, geese, step, &HuntTables::new(&game, store));
    }
}

/// Compares every position of a layer, one fox and so many geese, with what its moves lead to.
fn check_everywhere(game: &Hunt<u64>, geese: u32, step: u32, tables: &HuntTables<u64>) {
    use crate::geometry::PointSet;
    use crate::rules::hunt::Side;
    let all = game.all();
    let mut pattern = (1u64 << geese) - 1;
    let points: Vec<_> = all.iter().collect();
    let (mut positions, mut number) = (0, 0);
    while pattern < 1 << points.len() {
        let set: PointSet<u64> =
            (0..points.len()).filter(|index| pattern >> index & 1 == 1).map(|index| points[index]).collect();
        number += 1;
        // Every pattern would take minutes.
        for fox in if number % step == 0 { all - set } else { PointSet::EMPTY } {
            for side in [Side::Fox, Side::Geese] {
                let position = Position::new(PointSet::of(fox), set, side);
                let told = tables.probe(game, &position).expect("sound tables").expect("a value");
                assert_eq!(told, worked_out(game, tables, &position), "{}", game.position_text(&position));
                positions += 1;
            }
        }
        // The next pattern with as many bits (Gosper).
        let lowest = pattern & pattern.wrapping_neg();
        let ripple = pattern + lowest;
        pattern = ((ripple ^ pattern) / lowest) >> 2 | ripple;
    }
    assert!(positions > 1_000);
}

fn worked_out(game: &Hunt<u64>, tables: &HuntTables<u64>, position: &<Hunt<u64> as Game>::Position) -> TableValue {
    let Some(mover) = game.turn(position).seat() else {
        return TableValue { winner: game.turn(position).outcome().and_then(|outcome| outcome.winner), distance: 0 };
    };
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let after = |&mv: &_| {
        let next = tables.probe(game, &game.play_unchecked(position, mv)).expect("sound tables").expect("a value");
        next.before(game.is_irreversible(position, mv))
    };
    moves.iter().map(after).max_by_key(|value| value.rank(mover)).expect("a move")
}

#[test]
fn lines_that_leap_over_a_rank_are_left_to_the_general_method() {
    let board = |lines: &str| {
        let text = format!(
            r#"{{"name": "leaps", "extends": "masters-15", "title": "Leaps", "geese": ["a1"], "fox_start": "c3",
            "fox_wins_below": 1, "board": {{"points": ["a1", "b1", "c1", "a2", "a3", "b3", "c3"], "lines": [{lines}]}}}}"#
        );
        Hunt::<u64>::new(&Ruleset::from_text("leaps.json", &text, &[]).expect("a ruleset"))
    };
    let steps = r#"["a1", "b1"], ["b1", "c1"], ["a1", "a2"], ["a2", "a3"], ["a3", "b3"], ["b3", "c3"]"#;
    assert!(OneFoxSolver::new(&board(steps), 1).is_some());
    assert!(OneFoxSolver::new(&board(&format!(r#"{steps}, ["c1", "c3"]"#)), 1).is_none());
}

#[test]
fn two_foxes_are_not_covered() {
    let game = game("masters-15", &[]);
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = solve(&game, 3, folder.path());
    let tables = HuntTables::new(&game, store);
    let probe =
        |text: &str| tables.probe(&game, &game.parse_position(text).expect("a position")).expect("sound tables");
    assert!(probe("3/3/7/3F3/3G3/GG1/3 g").is_some());
    assert!(probe("3/3/7/3FF2/3G3/GG1/3 g").is_none());
}
