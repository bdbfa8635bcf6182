//! Compares the fast method with known counts and with the values after each move, and checks its prices.

use std::fs;
use std::path::Path;

use super::layer::LayerPatterns;
use super::numbering::PatternNumbering;
use super::rules::{PatternRules, fox_numbers};
use crate::geometry::{Point, PointSet};
use crate::rules::hunt::{Huff, Hunt, Phase, Position, Ruleset, Side};
use crate::rules::{Game, Notation};
use crate::tablebase::format::{LayerWriter, TableHeader};
use crate::tablebase::hunt;
use crate::tablebase::{
    HuntTables, Identity, LayerSolver, LayerSummary, Metric, NewLayer, Store, TableError, TableValue, Tables,
};

type Switches = &'static [(&'static str, &'static str)];

/// The solver that is picked for a game with distances to conversion.
fn picked(game: &Hunt<u64>) -> Box<dyn LayerSolver> {
    hunt::method(game, Metric::Conversion)
}

/// The metrics for which this method solves a game.
fn metrics(game: &Hunt<u64>) -> &'static [Metric] {
    if game.ruleset().rules.foxes == 1 { &Metric::ALL } else { &[Metric::Conversion] }
}

fn game(name: &str, switches: &[(&str, &str)]) -> Hunt<u64> {
    let switches: Vec<_> = switches.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    Hunt::new(&Ruleset::from_catalog(name, &switches).expect("a ruleset"))
}

/// Solves the layers up to `geese` in a folder, for distances to conversion.
fn solve(game: &Hunt<u64>, geese: u32, folder: &Path) -> (Store, Vec<LayerSummary>) {
    solve_with(game, Metric::Conversion, geese, folder)
}

fn solve_with(game: &Hunt<u64>, metric: Metric, geese: u32, folder: &Path) -> (Store, Vec<LayerSummary>) {
    let identity = Identity::of(game.ruleset()).expect("an identity").with_metric(metric);
    let mut store = Store::open(folder, identity).expect("a store");
    let mut solver = hunt::method(game, metric);
    let loses_one_of_two = game.ruleset().rules.huff == Huff::RemoveFox && game.ruleset().rules.foxes == 2;
    assert_eq!(solver.layout(), if loses_one_of_two { "huffs" } else { "strips" });
    let layers = store.identity().first_layer..=geese;
    let mut solved = |layer| solve_layer(&mut *solver, &mut store, layer, geese).expect("a solved layer");
    let summaries = layers.map(&mut solved).collect();
    (store, summaries)
}

/// Solves one layer of a build up to the layer `last`, in its store.
fn solve_layer(
    solver: &mut dyn LayerSolver,
    store: &mut Store,
    layer: u32,
    last: u32,
) -> Result<LayerSummary, TableError> {
    let path = store.path(layer);
    let mut new = [NewLayer { geese: layer, writer: LayerWriter::create(&path)?, summary: LayerSummary::default() }];
    solver.solve(&mut new, last, store, &|_| {})?;
    let [NewLayer { writer, summary, .. }] = new;
    let identity = store.identity();
    let header = TableHeader {
        ruleset: identity.name.clone(),
        fingerprint: format!("{:016x}", identity.fingerprint),
        geese: layer,
        metric: identity.metric,
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
fn a_solver_that_reads_the_layers_below_with_more_threads_writes_the_same() {
    let cases: [(&str, u32, Switches); 11] = [
        ("masters-15", 4, &[]),
        ("siege", 2, &[("fox_wins_below", "1")]),
        ("gasetavl", 2, &[("huff", "remove_fox"), ("forced_chain", "true")]),
        ("murray-13", 4, &[("huff", "remove_fox"), ("fox_wins_below", "3")]),
        ("two-foxes-24", 2, &[]),
        ("two-foxes-24", 3, &[("chain", "false")]),
        ("bell-13", 5, &[("chain", "false")]),
        ("halatafl", 2, &[("fox_wins_below", "1")]),
        ("murray-13", 3, &[("fox_wins_below", "2")]),
        ("bell-13", 3, &[("fox_wins_below", "2"), ("capture", "forced"), ("forced_chain", "true")]),
        ("catch-the-hare", 4, &[("fox_wins_below", "2")]),
    ];
    let [one, three] =
        [1, 3].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads"));
    for (name, geese, switches) in cases {
        let game = game(name, switches);
        for &metric in metrics(&game) {
            let anew = || hunt::method(&game, metric);
            let folder = tempfile::tempdir().expect("a folder");
            let (mut store, summaries) = one.install(|| solve_with(&game, metric, geese, folder.path()));
            let path = store.path(geese);
            let written = fs::read(&path).expect("a file");
            let summary = three.install(|| solve_layer(&mut *anew(), &mut store, geese, geese));
            let summary = summary.expect("a solved layer");
            assert_eq!(Some(&summary), summaries.last(), "{name}");
            assert!(fs::read(&path).expect("a file") == written, "{name}");
            // A layer is not built upon a damaged one.
            let mut below = fs::read(store.path(geese - 1)).expect("a file");
            // The first byte of the first frame.
            below[16] ^= 0xff;
            fs::write(store.path(geese - 1), below).expect("a writable file");
            let error = solve_layer(&mut *anew(), &mut store, geese, geese).expect_err("a damaged layer below");
            assert!(matches!(error, TableError::Damaged { .. }), "{name}: {error}");
        }
    }
}

#[test]
fn a_late_layer_asks_for_the_memory_that_reading_those_before_takes() {
    let solver = picked(&game("two-foxes-24", &[]));
    let asked = [16, 24].map(|layer| solver.cost(layer, 24).memory_bytes >> 30);
    // The outcomes of jumps into 15 and 16 geese, the largest layers, take 20 GiB.
    assert!(asked[0] > asked[1] && (19..22).contains(&asked[1]), "{asked:?}");
}

#[test]
fn distances_to_the_end_ask_for_no_less_than_they_took() {
    let bell = game("bell-13", &[]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    // The most resident memory of builds with two threads, in MiB.
    for (geese, took) in [(10, 601), (11, 997), (12, 1_518), (13, 2_302)] {
        let asked = pool.install(|| hunt::method(&bell, Metric::End).cost(geese, 13).memory_bytes >> 20);
        assert!((took..took * 5 / 2).contains(&asked), "{geese}: {asked}");
    }
}

#[test]
fn one_fox_asks_for_no_less_than_it_took() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    // The most resident memory of builds with one thread, in MiB.
    for (name, geese, took) in [("bell-13", 13, 2_202), ("murray-13", 12, 2_397), ("murray-13", 13, 3_687)] {
        let asked = pool.install(|| picked(&game(name, &[])).cost(geese, geese).memory_bytes >> 20);
        assert!((took..took * 5 / 4).contains(&asked), "{name}, {geese}: {asked}");
    }
}

#[test]
fn the_largest_files_are_no_larger_than_announced() {
    let files = [
        ("bell-17", Metric::Conversion, 17, 1_615_572_280),
        ("masters-22", Metric::Conversion, 17, 1_498_365_960),
        ("strutt-17", Metric::Conversion, 16, 1_482_594_552),
        ("masters-15", Metric::End, 15, 2_244_790_487),
        ("gasetavl", Metric::Conversion, 11, 968_844_393),
        ("halatafl", Metric::Conversion, 11, 6_485_328_362),
    ];
    for (name, metric, geese, size) in files {
        let announced = hunt::method(&game(name, &[]), metric).cost(geese, geese).disk_bytes;
        assert!(announced >= size, "{name}, {geese}: {announced}");
    }
}

#[test]
fn a_siege_asks_for_no_less_than_it_took() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let cost = pool.install(|| picked(&game("siege", &[])).cost(9, 9));
    // The most resident memory of a build with two threads, in MiB.
    assert!((6_899..6_899 * 3 / 2).contains(&(cost.memory_bytes >> 20)), "{cost:?}");
    // One officer or two stand beside every pattern.
    assert_eq!(cost.positions, 2 * 38_567_100 * (24 + 24 * 23 / 2));
}

#[test]
fn layers_that_were_not_to_be_solved_are_refused() {
    let bell = game("bell-13", &[]);
    for &metric in metrics(&bell) {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut store, _) = solve_with(&bell, metric, 4, folder.path());
        for geese in [3, 5] {
            let error = solve_layer(&mut *hunt::method(&bell, metric), &mut store, geese, 4).expect_err("not planned");
            assert!(matches!(&error, TableError::Refused(why) if why.contains("4 to 4 geese")), "{error}");
        }
    }
}

#[test]
fn geese_that_go_any_way_share_entries_with_all_images() {
    let stored = |name: &str, geese: u32| {
        let game = game(name, &[]);
        let rules = PatternRules::of(&game, game.ruleset().rules.foxes).expect("a game for this method");
        let numbering = PatternNumbering::new(&rules).expect("a small board");
        (rules.symmetries.len(), LayerPatterns::new(&rules, &numbering, geese, 1 << 18, 0).patterns())
    };
    // An eighth or half of all patterns, and a few more: those whose head is its own image are stored with every tail.
    assert_eq!(stored("murray-13", 13), (8, 73_144_304));
    assert_eq!(stored("catch-the-hare", 12), (8, 710_698));
    assert_eq!(stored("masters-15", 4), (2, 24_090));
    assert_eq!(stored("fox-and-hounds", 4).0, 1);
    assert_eq!(stored("two-foxes-24", 13), stored("murray-13", 13));
    assert_eq!(stored("halatafl", 9).0, 2);
}

#[test]
fn every_value_follows_from_the_values_after_it() {
    // A grid with a gap between its files, over which jumps go on.
    const GAP: &str = r#"{"points": [
        "a1", "b1", "d1", "e1", "a2", "b2", "d2", "e2", "a3", "b3", "d3", "e3", "a4", "b4", "d4", "e4"],
        "lines": [
        ["a1", "b1"], ["b1", "d1"], ["d1", "e1"], ["a2", "b2"], ["b2", "d2"], ["d2", "e2"], ["a3", "b3"],
        ["b3", "d3"], ["d3", "e3"], ["a4", "b4"], ["b4", "d4"], ["d4", "e4"], ["a1", "a2"], ["a2", "a3"],
        ["a3", "a4"], ["b1", "b2"], ["b2", "b3"], ["b3", "b4"], ["d1", "d2"], ["d2", "d3"], ["d3", "d4"],
        ["e1", "e2"], ["e2", "e3"], ["e3", "e4"], ["a1", "b2"]]}"#;
    const ONE: Switches = &[("board", GAP), ("geese", "a1,b1,d1"), ("fox_start", "b4"), ("fox_wins_below", "1")];
    const TWO: Switches =
        &[("board", GAP), ("geese", "a1,b1,d1"), ("foxes", "2"), ("fox_start", "b4,d3"), ("fox_wins_below", "1")];
    const GOAL: Switches = &[("fox_goal", r#"["c1", "e2"]"#), ("fox_wins_below", "2")];
    let cases: [(&str, u32, u32, Switches); 16] = [
        ("masters-15", 3, 7, ONE),
        ("masters-15", 3, 7, TWO),
        ("masters-15", 3, 101, GOAL),
        ("two-foxes-24", 3, 1_009, &[]),
        ("siege", 2, 29, &[("fox_wins_below", "1")]),
        ("gasetavl", 2, 29, &[("huff", "remove_fox")]),
        ("masters-15", 4, 1_009, &[("huff", "remove_fox"), ("fox_home_wins", "true")]),
        ("halatafl", 2, 29, &[("fox_wins_below", "1")]),
        ("masters-15", 4, 1_009, &[]),
        ("bell-13", 4, 1_009, &[]),
        ("masters-15", 4, 1_009, &[("chain", "false"), ("fox_diagonal", "capture_only")]),
        ("bell-13", 4, 1_009, &[("fox_wins_below", "3"), ("capture", "forced"), ("forced_chain", "true")]),
        ("bell-13", 4, 1_009, &[("geese_stuck", "pass"), ("fox_home_wins", "true"), ("first_move_forward", "false")]),
        ("murray-13", 4, 1_009, &[("geese_stuck", "pass")]),
        ("strutt-17", 4, 1_009, &[]),
        ("fox-and-hounds", 4, 1_009, &[]),
    ];
    for (name, geese, step, switches) in cases {
        let game = game(name, switches);
        for &metric in metrics(&game) {
            let folder = tempfile::tempdir().expect("a folder");
            let (store, _) = solve_with(&game, metric, geese, folder.path());
            check_everywhere(&game, geese, step, &HuntTables::new(&game, store));
        }
    }
}

/// All placements of one fox or two on these points.
fn placements(points: PointSet<u64>, foxes: u32) -> Vec<PointSet<u64>> {
    let one = points.iter().map(PointSet::of);
    let two = |fox: Point| {
        points.iter().filter(move |&other| other > fox).map(move |other| [fox, other].into_iter().collect())
    };
    if foxes == 1 { one.collect() } else { points.iter().flat_map(two).collect() }
}

/// Checks the positions of every `step`th pattern of a layer against the values after their moves.
fn check_everywhere(game: &Hunt<u64>, geese: u32, step: u32, tables: &HuntTables<u64>) {
    let all = game.all();
    let mut pattern = (1u64 << geese) - 1;
    let points: Vec<_> = all.iter().collect();
    let (mut positions, mut number) = (0, 0);
    while pattern < 1 << points.len() {
        let set: PointSet<u64> =
            (0..points.len()).filter(|index| pattern >> index & 1 == 1).map(|index| points[index]).collect();
        number += 1;
        // Checking every pattern would take minutes.
        let [fewest, most] = fox_numbers(game).expect("a game for this method");
        let numbers = (fewest..=most).filter(|_| number % step == 0);
        for foxes in numbers.flat_map(|number| placements(all - set, number)) {
            let mut positions_of = vec![Position::new(foxes, set, Side::Fox), Position::new(foxes, set, Side::Geese)];
            if fewest < foxes.len() {
                let owed = Position { phase: Phase::Remove, owed: foxes, ..Position::new(foxes, set, Side::Geese) };
                positions_of.push(owed);
            }
            for position in positions_of {
                let told = tables.probe(game, &position).expect("sound tables").expect("a value");
                assert_eq!(told, worked_out(game, tables, &position), "{}", game.position_text(&position));
                positions += 1;
            }
        }
        // Gosper's hack: the next pattern with as many bits.
        let lowest = pattern & pattern.wrapping_neg();
        let ripple = pattern + lowest;
        pattern = (((ripple ^ pattern) / lowest) >> 2) | ripple;
    }
    assert!(positions > 1_000);
}

fn worked_out(game: &Hunt<u64>, tables: &HuntTables<u64>, position: &<Hunt<u64> as Game>::Position) -> TableValue {
    let Some(mover) = game.turn(position).seat() else {
        return TableValue { winner: game.turn(position).outcome().and_then(|outcome| outcome.winner), distance: 0 };
    };
    let mut moves = Vec::new();
    game.legal_moves(position, &mut moves);
    let metric = tables.store.identity().metric;
    let after = |&mv: &_| {
        let next = tables.probe(game, &game.play_unchecked(position, mv)).expect("sound tables").expect("a value");
        next.before(metric.restarts(game.is_irreversible(position, mv)))
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
    assert_eq!(picked(&board(steps)).layout(), "strips");
    assert_eq!(picked(&board(&format!(r#"{steps}, ["c1", "c3"]"#))).layout(), "whole");
}

#[test]
fn huffs_are_taken_where_they_cost_one_of_two_foxes() {
    let cases: [(&str, Switches, [&str; 2]); 9] = [
        ("siege", &[], ["huffs", "whole-huffs"]),
        ("siege", &[("huff", "none")], ["strips", "whole"]),
        ("siege", &[("huff_partial_chain", "true")], ["whole-huffs"; 2]),
        ("siege", &[("huff", "add_goose")], ["whole"; 2]),
        // The board has 37 points, too many for sets of pairs.
        ("hex-siege", &[], ["whole-huffs"; 2]),
        ("renard-1840", &[], ["whole"; 2]),
        ("renard-1840", &[("huff", "remove_fox")], ["strips", "strips"]),
        ("halatafl", &[], ["strips", "whole"]),
        ("bagha-chal", &[("huff", "remove_fox")], ["whole-huffs"; 2]),
    ];
    for (name, switches, layouts) in cases {
        let game = game(name, switches);
        assert_eq!(Metric::ALL.map(|metric| hunt::method(&game, metric).layout()), layouts, "{name} {switches:?}");
    }
}

#[test]
fn large_boards_are_left_to_the_general_method() {
    let layout = |board: &str, foxes: &str| {
        let text = format!(
            r#"{{"name": "large", "extends": "masters-15", "title": "Large", "geese": ["a1", "b1"], "fox_wins_below": 2,
            "board": "{board}", "foxes": {}, "fox_start": {foxes},
            "goose_moves": ["forward", "sideways", "backward"]}}"#,
            foxes.split(',').count()
        );
        let game = Hunt::<u64>::new(&Ruleset::from_text("large.json", &text, &[]).expect("a ruleset"));
        picked(&game).layout()
    };
    // Sets of pairs hold boards of up to 34 points; a half of a board may have 20 points.
    assert_eq!(layout("grid(2,17)", r#"["a5", "b5"]"#), "strips");
    assert_eq!(layout("grid(5,7)", r#"["a5", "b5"]"#), "whole");
    assert_eq!(layout("grid(5,7)", r#"["a5"]"#), "strips");
    assert_eq!(layout("grid(6,7)", r#"["a5"]"#), "whole");
}

#[test]
fn a_game_that_goes_on_without_geese_is_left_to_the_general_method() {
    let layout = |lines: &str| {
        let text = format!(
            r#"{{"name": "endless", "extends": "masters-15", "title": "Endless", "geese": ["a1", "b1"], "fox_start": "b2",
            "geese_stuck": "pass", "fox_wins_below": "auto",
            "board": {{"points": ["a1", "b1", "a2", "b2", "c3"], "lines": [["a1", "b1"], ["a2", "b2"], ["a1", "a2"]{lines}]}}}}"#
        );
        let game = Hunt::<u64>::new(&Ruleset::from_text("endless.json", &text, &[]).expect("a ruleset"));
        (game.ruleset().rules.fox_wins_below, picked(&game).layout())
    };
    // The geese cannot be asked to hem in a fox on a point without lines.
    assert_eq!(layout(""), (0, "whole"));
    assert_eq!(layout(r#", ["b1", "b2"], ["b2", "c3"]"#), (1, "strips"));
}

#[test]
fn other_numbers_of_foxes_are_not_covered() {
    let (one, two) = ("3/3/7/3F3/3G3/GG1/3 g", "3/3/7/3FF2/3G3/GG1/3 g");
    let cases: [(&str, Switches, &str, &str); 5] = [
        ("masters-15", &[], one, two),
        ("two-foxes-24", &[], two, one),
        ("masters-15", &[("huff", "remove_fox")], one, two),
        ("two-foxes-24", &[("huff", "remove_fox")], one, "3/3/7/2FFF2/3G3/GG1/3 g"),
        ("two-foxes-24", &[("huff", "remove_fox")], "3/3/7/3FF2/3G3/GG1/3 g owed=d4,e4", "3/3/7/2FFF2/3G3/GG1/3 f"),
    ];
    // A game with pieces for every one of these positions, which the others refuse.
    let three = [("huff", "remove_fox"), ("foxes", "3"), ("fox_start", "c5,d5,e5")];
    let roomy = self::game("two-foxes-24", &three);
    for (name, switches, covered, stranger) in cases {
        let game = game(name, switches);
        let folder = tempfile::tempdir().expect("a folder");
        let (store, _) = solve(&game, 3, folder.path());
        let tables = HuntTables::new(&game, store);
        let probe =
            |text: &str| tables.probe(&game, &roomy.parse_position(text).expect("a position")).expect("sound tables");
        assert!(probe(covered).is_some(), "{name}");
        assert!(probe(stranger).is_none(), "{name}");
    }
}

#[test]
fn a_position_of_two_foxes_is_found_by_all_its_images() {
    let game = game("two-foxes-24", &[]);
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = solve(&game, 3, folder.path());
    let tables = HuntTables::new(&game, store);
    let symmetries = game.symmetries();
    assert_eq!(symmetries.len(), 8);
    let mut wins = 0;
    for text in ["F2/3/7/1G5/GF5/G2/3", "3/3/7/3F3/5GF/3/2G", "FG1/G2/4G2/7/6F/3/3", "3/2G/3FG2/7/G6/F2/3"] {
        for side in [Side::Fox, Side::Geese] {
            let turn = if side == Side::Fox { "f" } else { "g" };
            let position = game.parse_position(&format!("{text} {turn}")).expect("a position");
            let value = tables.probe(&game, &position).expect("sound tables").expect("a value");
            wins += usize::from(value.winner.is_some());
            for symmetry in &symmetries {
                let image = Position::new(symmetry.set(position.foxes()), symmetry.set(position.geese()), side);
                let told = tables.probe(&game, &image).expect("sound tables").expect("a value");
                assert_eq!(told, value, "{}", game.position_text(&image));
            }
        }
    }
    assert!(wins > 0);
}
