//! The Fox & Geese family under the battery.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use reynard_engine::geometry::{Point, PointSet, Symmetry, Vector, Word, symmetries};
use reynard_engine::rules::hunt::{FoxGoal, FoxZone, Huff, Hunt, RepetitionKey, Ruleset, Side};
use reynard_engine::rules::{Game, Notation, Piece, perft};

use super::{Subject, joined_ones, run};

impl<W: Word> Subject for Hunt<W> {
    fn recomputed_key(&self, position: &Self::Position) -> Option<u64> {
        let read = self.parse_position(&self.position_text(position));
        read.ok().map(|position| self.key(&position))
    }

    /// Geese that come back can keep a game going for very long.
    fn always_ends(&self) -> bool {
        let rules = &self.ruleset().rules;
        let comes_back = matches!(rules.huff, Huff::AddGoose | Huff::AddGooseHome);
        !comes_back && (rules.repetition != RepetitionKey::None || rules.no_progress > 0)
    }

    fn broken_texts(&self, text: &str) -> Vec<String> {
        vec![text.replacen('/', "", 1), format!("{text} colour=red"), text.replacen('F', "Q", 1), format!("1{text}")]
    }

    fn image_texts(&self, position: &Self::Position) -> Vec<String> {
        let all = symmetries(self.board());
        all.iter()
            .filter(|symmetry| keeps_rules(self, symmetry))
            .map(|symmetry| image(self, position, symmetry))
            .collect()
    }
}

/// Mirrors keep every rule; turns only those of games in which the geese know no direction and there is no goal.
fn keeps_rules<W: Word>(game: &Hunt<W>, symmetry: &Symmetry) -> bool {
    let rules = &game.ruleset().rules;
    let forward = Vector { files: 0, ranks: 1 };
    let has_goal = rules.fox_home_wins || rules.fox_goal != FoxGoal::None;
    let has_direction = rules.first_move_forward || has_goal || rules.huff == Huff::AddGooseHome;
    let goes_all_ways = rules.goose_moves.len() == 5;
    let has_region = !rules.fortress.is_empty() || !rules.drop_zone.is_empty() || rules.fox_zone != FoxZone::Any;
    let same = |names: &[String]| {
        let points: PointSet<u128> = names.iter().filter_map(|name| game.board().parse(name)).collect();
        symmetry.set(points) == points
    };
    let keeps_goal = !matches!(&rules.fox_goal, FoxGoal::Points(names) if !same(names));
    let piles: Vec<String> = rules.piles.keys().cloned().collect();
    let keeps_zones = same(&rules.drop_zone)
        && same(&rules.goose_zone)
        && same(&rules.pen)
        && same(&piles)
        && !matches!(&rules.fox_zone, FoxZone::Points(names) if !same(names));
    keeps_goal
        && keeps_zones
        && (symmetry.vector(forward) == forward || (goes_all_ways && !has_direction && !has_region))
}

fn image<W: Word>(game: &Hunt<W>, position: &<Hunt<W> as Game>::Position, symmetry: &Symmetry) -> String {
    let board = game.board();
    let turned = |name: &str| board.name(symmetry.point(board.parse(name).expect("a point")));
    let pieces: Vec<_> = game.pieces(position).into_iter().map(|piece| (turned(&piece.point), piece)).collect();
    let text = |point: Point| {
        let piece = pieces.iter().find(|(name, _)| *name == board.name(point)).map(|(_, piece)| piece);
        let letter = |piece: &Piece| if piece.owner == Some(game.seat(Side::Fox)) { "F" } else { "G" };
        piece.map_or("1".to_owned(), |piece| match piece.count {
            1 => letter(piece).to_owned(),
            count => format!("({})", letter(piece).repeat(count as usize)),
        })
    };
    let row = |rank: u8| joined_ones(&board.rank_points(rank).iter().map(text).collect::<String>());
    let placement: Vec<String> = (0..board.height()).rev().map(row).collect();
    let text = game.position_text(position);
    let rest = text.split_once(' ').map_or("", |(_, rest)| rest);
    let mut fields: Vec<String> = rest.split(' ').map(str::to_string).collect();
    for field in &mut fields {
        if let Some(names) = field.strip_prefix("owed=").filter(|&names| names != "drop") {
            let mut names: Vec<String> = names.split(',').map(turned).collect();
            names.sort();
            *field = format!("owed={}", names.join(","));
        }
    }
    format!("{} {}", placement.join("/"), fields.join(" "))
}

/// Switches that bring out every key, by ruleset.
pub const SWITCHED: &[(&str, &str)] = &[
    ("masters-15", "goose_moves=forward,forward_diagonal,sideways,backward,backward_diagonal"),
    ("masters-15", "goose_moves=backward_diagonal,sideways"),
    ("masters-15", "fox_diagonal=capture_only huff=add_goose"),
    ("masters-15", "fox_diagonal=none chain=false"),
    ("masters-15", "capture=forced"),
    ("masters-15", "capture=forced forced_chain=true"),
    ("masters-15", "huff=add_goose"),
    ("masters-15", "huff=add_goose huff_partial_chain=true fox_wins_below=1"),
    ("masters-15", "huff=add_goose_home"),
    ("masters-15", "huff=add_goose_home huff_partial_chain=true fox_wins_below=1"),
    ("masters-15", "huff=remove_fox huff_partial_chain=true"),
    ("masters-15", "geese_stuck=pass goose_moves=forward"),
    ("masters-15", "first_move_forward=true fox_start=choose"),
    ("masters-15", "first=fox first_move_forward=true"),
    ("masters-15", "fox_home_wins=true fox_wins_below=auto"),
    ("masters-15", "repetition=geese_lose goose_moves=sideways,backward"),
    ("masters-15", "repetition=fox_loses goose_moves=sideways,backward"),
    ("masters-15", "repetition=none no_progress=20"),
    ("masters-15", "repetition=none no_progress=1"),
    ("masters-15", "no_progress=6"),
    ("masters-15", "geese=22"),
    ("masters-15", "geese=c1,d1,e1,a3 fox_start=d7"),
    ("two-foxes-24", "huff=add_goose"),
    ("two-foxes-24", "huff=add_goose_home"),
    ("two-foxes-24", "huff=remove_fox"),
    ("two-foxes-24", "huff=remove_fox huff_partial_chain=true"),
    ("two-foxes-24", "capture=forced forced_chain=true fox_start=choose"),
    ("siege", "huff=none attacker_moves=any fill_rule=any_piece"),
    ("siege", "huff=add_goose_home attacker_moves=shortest_path"),
    ("siege", "huff=add_goose attacker_moves=forward_sideways first=fox"),
    ("siege", "officers_start=c7,e7 huff_partial_chain=true"),
    ("great-siege", "attacker_moves=any huff=add_goose"),
    ("great-siege", "capture=forced forced_chain=true"),
    ("hex-siege", "attacker_moves=shortest_path capture=forced"),
    ("halatafl", "forced_chain=false huff=remove_fox capture=optional"),
    ("bagha-chal", "chain=true huff=remove_fox"),
    ("bagha-chal", "fox_start=choose first_move_forward=true"),
    ("fox-and-hounds", "fox_captures=true goose_moves=forward_diagonal,backward_diagonal"),
    ("murray-13", "huff=remove_fox no_progress=50"),
    ("catch-the-hare", "huff=add_goose geese_stuck=pass"),
    ("masters-15", "huff=add_goose huff_stock=unlimited"),
    ("two-foxes-24", "huff=add_goose_home huff_stock=unlimited huff_partial_chain=true"),
    ("masters-15", "foxes=2 fox_zone=d7,e7"),
    ("masters-15", "jump_rows=odd"),
    ("masters-17", "jump_rows=any chain=false fox_range=0"),
    ("two-foxes-24", "jump_rows=[2,3] fox_range=2 huff=remove_fox"),
    ("two-foxes-24", "jump_rows=any capture=forced forced_chain=true"),
    ("masters-15", "fox_goal=c2,d2,e2 fox_wins_below=1"),
    ("masters-15", "fox_goal=past_geese"),
    ("masters-15", "fox_stuck=draw geese_stuck=draw goose_moves=forward"),
    ("masters-17", "fox_stuck=pass geese_stuck=pass fox_captures=false"),
    ("murray-13", "no_progress=12 no_progress_result=fox_wins"),
    ("masters-15", "no_progress=9 no_progress_result=geese_win goose_moves=sideways"),
    ("bagha-chal", "placing=alternate fox_start=choose"),
    ("bagha-chal", "placing=alternate fox_start=a1,e5 first=fox chain=true"),
    ("bagha-chal", "placing=fox_then_geese fox_start=choose drops=9 fox_wins_below=5"),
    ("bagha-chal", "placing=geese_then_fox fox_start=choose drops=9 fox_wins_below=5 first=fox"),
    ("bagha-chal", "drop_zone=a3,b3,c3,d3,e3 geese_stuck=pass"),
    ("bagha-chal", "drop_zone=b2,b3,b4,c2,c4 first_drops=4"),
    ("bagha-chal", "goose_moves=[] fox_stuck=pass drops=12 fox_wins_below=5"),
    ("bagha-chal", "drops_rule=any_turn geese=b2,c2,d2 drops=5 fox_wins_below=3"),
    ("bagha-chal", "drops_rule=refill geese=b2,b3,b4,c2,c4,d2,d3,d4 drops=6 chain=true fox_wins_below=5"),
    ("catch-the-hare", "opening_removals=3 fox_start=choose chain=true fox_wins_below=4"),
    ("masters-15", "opening_removals=2 first_move_forward=true"),
    ("catch-the-hare", "capture_by=intervene chain=false pen=a5,b5,c5 fox_wins_below=2"),
    ("masters-15", "goose_zone=c1,d1,e1,c2,d2,e2,a3,b3,c3,d3,e3,f3,g3,a4,b4,c4,e4,f4,g4"),
    ("bagha-chal", "geese=b2,b4,d2,d4 piles={\"b2\":5,\"b4\":5,\"d2\":5,\"d4\":5} drops=0 foxes=2 fox_start=a3,e3"),
    ("catch-the-hare", "geese=b2,b4,d2 piles={\"b2\":4,\"d2\":3} repile=true chain=true fox_wins_below=3"),
    (
        "catch-the-hare",
        "geese=b2,c2,d2 piles={\"c2\":9} repile=true chain=true capture=forced forced_chain=true fox_wins_below=2",
    ),
    ("masters-15", "piles={\"d3\":3,\"d1\":2} jump_rows=any huff=add_goose repile=true"),
];

pub fn check(name: &str, switches: &[(String, String)], context: &str, games: usize) {
    let ruleset = Ruleset::from_catalog(name, switches).unwrap_or_else(|error| panic!("{error}"));
    if ruleset.is_wide() {
        run(&Hunt::<u128>::new(&ruleset), context, games)
    } else {
        run(&Hunt::<u64>::new(&ruleset), context, games)
    }
}

/// A step that costs a fox can never be taken back. Where foxes do not win by a step no other one of theirs is like that.
#[test]
fn steps_that_are_huffed_are_irreversible() {
    let (mut huffed, mut plain) = (0, 0);
    for (name, switch) in [("siege", None), ("masters-15", Some("remove_fox")), ("two-foxes-24", None)] {
        let switches: Vec<_> = switch.map(|huff| ("huff".to_owned(), huff.to_owned())).into_iter().collect();
        let game = Hunt::<u64>::new(&Ruleset::from_catalog(name, &switches).unwrap_or_else(|error| panic!("{error}")));
        for seed in 0..20 {
            let (mut position, mut rng) = (game.start(), ChaCha8Rng::seed_from_u64(seed));
            for _ in 0..200 {
                let Some(mv) = game.random_move(&position, &mut rng) else { break };
                let after = game.play_unchecked(&position, mv);
                if position.is_plain() && position.turn == Side::Fox && position.geese() == after.geese() {
                    let costs = after.foxes().len() < position.foxes().len() || !after.owed.is_empty();
                    let told = game.is_irreversible(&position, mv);
                    assert_eq!(told, costs, "{name}: {}", game.position_text(&position));
                    (huffed, plain) = (huffed + u32::from(costs), plain + u32::from(!costs));
                }
                position = after;
            }
        }
    }
    assert!(huffed > 20 && plain > 20, "{huffed}, {plain}");
}

/// The wide board's code must play a narrow game the same way.
#[test]
fn the_width_of_the_word_changes_nothing() {
    for name in ["masters-15", "two-foxes-24", "bagha-chal", "siege"] {
        let ruleset = Ruleset::from_catalog(name, &[]).unwrap_or_else(|error| panic!("{error}"));
        let (narrow, wide) = (Hunt::<u64>::new(&ruleset), Hunt::<u128>::new(&ruleset));
        assert_eq!(perft(&narrow, &narrow.start(), 4), perft(&wide, &wide.start(), 4), "{name}");
        run(&wide, name, 1);
    }
}

#[test]
fn hole_numbers_are_read_on_the_cross() {
    let ruleset = Ruleset::from_catalog("masters-15", &[]).unwrap_or_else(|error| panic!("{error}"));
    let game = Hunt::<u64>::new(&ruleset);
    let read = |position: &str, text: &str| {
        let position = game.parse_position(position).unwrap_or_else(|error| panic!("{error}"));
        game.parse_move(&position, text).map(|mv| game.move_text(&position, mv)).map_err(|error| error.message)
    };
    let start = "3/3/7/3F3/GGGGGGG/GGG/GGG f";
    assert_eq!(read(start, "17-10"), Ok("d4d5".into()));
    let jump = "3/1G1/3G3/3F3/GGGGGGG/GGG/GGG f";
    assert!(read(jump, "17-5").is_err());
    let open = "3/3/3G3/3F3/GGGGGGG/GGG/GGG f";
    assert_eq!(read(open, "17-5"), Ok("d4xd6".into()));
    assert_eq!(read(open, "17x5"), Ok("d4xd6".into()));
    assert!(read(open, "175").is_err());
    assert!(read(open, "17-34").is_err() && read(open, "0-5").is_err());
}

/// Round a ring of four geese, either way, and then away: one move with two texts.
#[test]
fn other_orders_of_a_chain_are_the_same_move() {
    let ruleset = Ruleset::from_catalog("masters-15", &[]).unwrap_or_else(|error| panic!("{error}"));
    let game = Hunt::<u64>::new(&ruleset);
    let position = game.parse_position("3/3/3G3/2G1G2/2FG3/G2/3 f").unwrap_or_else(|error| panic!("{error}"));
    let canonical = "c3xc5xe5xe3xc3xc1";
    let mv = game.parse_move(&position, canonical).unwrap_or_else(|error| panic!("{error}"));
    for other in ["c3xe3xe5xc5xc3xc1", "C3-E3-E5-C5-C3-C1", "23-25-11-9-23-31"] {
        assert_eq!(game.parse_move(&position, other), Ok(mv), "{other}");
    }
    assert_eq!(game.move_text(&position, mv), canonical);
    // The short chain over c2 has the same ends.
    assert_eq!(game.parse_move(&position, "c3xc1").map(|mv| mv.captured.len()), Ok(1));
    assert!(game.parse_move(&position, "c3xc5xe3").is_err());
}
