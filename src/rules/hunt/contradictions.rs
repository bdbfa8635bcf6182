//! Keys that do not go together.

use crate::geometry::PointSet;
use crate::rules::Turn;
use crate::rules::ruleset::names_of;

use super::Hunt;
use super::keys::{AttackerMoves, Capture, DirectionName, FillRule, FoxStart, FoxZone, Huff};
use super::ruleset::Ruleset;

/// A key to change, and why.
type Complaint = (&'static str, String);

/// The most pieces that a ruleset may have in hand, so that a position text can always tell them.
const MOST_DROPS: u32 = 199;

/// The first contradiction between the keys of a ruleset.
pub(super) fn first(ruleset: &Ruleset) -> Option<Complaint> {
    fox_side(ruleset)
        .or_else(|| geese_side(ruleset))
        .or_else(|| regions(ruleset))
        .or_else(|| over_at_the_start(ruleset))
}

fn complain(wrong: bool, key: &'static str, message: impl Into<String>) -> Option<Complaint> {
    wrong.then(|| (key, message.into()))
}

fn fox_side(ruleset: &Ruleset) -> Option<Complaint> {
    let rules = &ruleset.rules;
    let (foxes, geese) = (ruleset.fox_points(), ruleset.points(&rules.geese));
    let by_choice = rules.fox_start == FoxStart::Choose;
    let no_zone = rules.fox_zone == FoxZone::Fortress && rules.fortress.is_empty();
    let zone = match rules.fox_zone {
        FoxZone::Any => ruleset.board.all(),
        FoxZone::Fortress => ruleset.points(&rules.fortress),
    };
    let count = || format!("{} point(s) for {} piece(s) of the fox side (key 'foxes')", foxes.len(), rules.foxes);
    let covered = || format!("{} covered by geese at the start", names_of(&ruleset.board, foxes & geese).join(" "));
    complain(rules.foxes == 0, "foxes", "at least 1 is needed")
        .or_else(|| complain(!by_choice && foxes.len() != rules.foxes, "fox_start", count()))
        .or_else(|| complain(!foxes.is_disjoint(geese), "fox_start", covered()))
        .or_else(|| complain(no_zone, "fox_zone", "'fortress' needs the key 'fortress'"))
        .or_else(|| {
            let crowded = by_choice && (zone - geese).len() < rules.foxes;
            complain(crowded, "fox_start", "there are too few empty points to place the fox side on")
        })
        .or_else(|| complain(rules.forced_chain && !rules.chain, "forced_chain", "needs 'chain': true"))
        .or_else(|| {
            let wrong = !rules.fox_captures && rules.capture == Capture::Forced;
            complain(wrong, "capture", "'forced' needs 'fox_captures': true")
        })
        .or_else(|| {
            let wrong = !rules.fox_captures && rules.huff != Huff::None;
            complain(wrong, "huff", "needs 'fox_captures': true; without jumps only 'none' is allowed")
        })
}

fn geese_side(ruleset: &Ruleset) -> Option<Complaint> {
    let rules = &ruleset.rules;
    let total = pieces(ruleset);
    let uses_directions = rules.attacker_moves == AttackerMoves::None;
    let never_forward = !rules.goose_moves.contains(&DirectionName::Forward);
    let two_stocks = rules.drops > 0 && matches!(rules.huff, Huff::AddGoose | Huff::AddGooseHome);
    let below = rules.fox_wins_below;
    complain(total == 0, "geese", "the geese side needs at least one piece on the board or in 'drops'")
        .or_else(|| complain(rules.drops > MOST_DROPS, "drops", format!("{MOST_DROPS} at most")))
        .or_else(|| {
            let message = format!("{below} is more than the {total} pieces of the geese side, so the game would be over at the start");
            complain(total < below, "fox_wins_below", message)
        })
        .or_else(|| {
            let message = "cannot bring geese back in a ruleset with 'drops': both use the stock; 'none' and 'remove_fox' are allowed";
            complain(two_stocks, "huff", message)
        })
        .or_else(|| {
            let wrong = rules.first_move_forward && uses_directions && never_forward;
            complain(wrong, "first_move_forward", "needs 'forward' among 'goose_moves'")
        })
        .or_else(|| {
            let wrong = rules.goose_moves.is_empty() && uses_directions;
            complain(wrong, "goose_moves", "at least one direction is needed")
        })
}

fn regions(ruleset: &Ruleset) -> Option<Complaint> {
    let rules = &ruleset.rules;
    let fortress: PointSet<u128> = ruleset.points(&rules.fortress);
    let total = pieces(ruleset);
    let fillers = if rules.fill_rule == FillRule::AnyPiece { rules.foxes } else { 0 };
    let homeless = rules.attacker_moves != AttackerMoves::None && fortress.is_empty();
    complain(homeless, "attacker_moves", "needs the key 'fortress'; without one use 'goose_moves'").or_else(|| {
        let message = format!("{} points can never be filled by {total} pieces", fortress.len());
        complain(fortress.len() > total.saturating_add(fillers), "fortress", message)
    })
}

/// Geese on the board and in stock at the start.
fn pieces(ruleset: &Ruleset) -> u32 {
    ruleset.points(&ruleset.rules.geese).len().saturating_add(ruleset.rules.drops)
}

/// The check for all that is left: somebody has won, or cannot move, before the game begins.
fn over_at_the_start(ruleset: &Ruleset) -> Option<Complaint> {
    let game = Hunt::<u128>::new(ruleset);
    match game.turn_of(&game.start_position()) {
        Turn::Over(outcome) => Some(("geese", format!("the game would be over at the start: {}", outcome.reason))),
        _ => None,
    }
}
