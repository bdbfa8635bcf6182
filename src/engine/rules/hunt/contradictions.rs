//! Refuses keys that contradict each other. Whether the game would be over at its start only the compiled game can
//! tell, so this module and the game know each other.

use super::Hunt;
use super::keys::{AttackerMoves, Capture, DirectionName, FillRule, FoxStart, FoxZone, Huff, Rules};
use super::ruleset::Ruleset;
use crate::geometry::PointSet;
use crate::rules::ruleset::{RefusedKey, names_of, refuse_if};
use crate::rules::{Game, Notation, Turn};

/// The most pieces that a ruleset may have in hand, so that a position text can always tell them.
const MOST_DROPS: u32 = 199;

/// Refuses the first contradiction between the keys of a ruleset.
pub(super) fn check(ruleset: &Ruleset) -> Result<(), RefusedKey> {
    fox_side(ruleset)?;
    geese_side(ruleset)?;
    regions(ruleset)?;
    over_at_the_start(ruleset)
}

fn fox_side(rules: &Rules) -> Result<(), RefusedKey> {
    let (foxes, geese) = (rules.fox_points(), rules.points(&rules.geese));
    let by_choice = rules.fox_start == FoxStart::Choose;
    let zone = match rules.fox_zone {
        FoxZone::Any => rules.board.all(),
        FoxZone::Fortress => rules.points(&rules.fortress),
    };
    let count = format!("{} point(s) for {} piece(s) of the fox side (key 'foxes')", foxes.len(), rules.foxes);
    let covered = format!("{} covered by geese at the start", names_of(&rules.board, foxes & geese).join(" "));
    let too_few = "there are too few empty points to place the fox side on";
    refuse_if(rules.foxes == 0, "foxes", "at least 1 is needed")?;
    refuse_if(!by_choice && foxes.len() != rules.foxes, "fox_start", count)?;
    refuse_if(!foxes.is_disjoint(geese), "fox_start", covered)?;
    refuse_if(
        rules.fox_zone == FoxZone::Fortress && rules.fortress.is_empty(),
        "fox_zone",
        "'fortress' needs the key 'fortress'",
    )?;
    refuse_if(by_choice && (zone - geese).len() < rules.foxes, "fox_start", too_few)?;
    refuse_if(rules.forced_chain && !rules.chain, "forced_chain", "needs 'chain': true")?;
    if !rules.fox_captures {
        refuse_if(rules.capture == Capture::Forced, "capture", "'forced' needs 'fox_captures': true")?;
        let message = "needs 'fox_captures': true; without jumps only 'none' is allowed";
        refuse_if(rules.huff != Huff::None, "huff", message)?;
    }
    Ok(())
}

fn geese_side(rules: &Rules) -> Result<(), RefusedKey> {
    let total = pieces(rules);
    let below = rules.fox_wins_below;
    let too_many =
        format!("{below} is more than the {total} pieces of the geese side, so the game would be over at the start");
    refuse_if(total == 0, "geese", "the geese side needs at least one piece on the board or in 'drops'")?;
    refuse_if(rules.drops > MOST_DROPS, "drops", format!("{MOST_DROPS} at most"))?;
    refuse_if(total < below, "fox_wins_below", too_many)?;
    refuse_if(
        rules.drops > 0 && matches!(rules.huff, Huff::AddGoose | Huff::AddGooseHome),
        "huff",
        "cannot bring geese back in a ruleset with 'drops': both use the stock; 'none' and 'remove_fox' are allowed",
    )?;
    if rules.attacker_moves == AttackerMoves::None {
        let never_forward = rules.first_move_forward && !rules.goose_moves.contains(&DirectionName::Forward);
        refuse_if(never_forward, "first_move_forward", "needs 'forward' among 'goose_moves'")?;
        refuse_if(rules.goose_moves.is_empty(), "goose_moves", "at least one direction is needed")?;
    }
    Ok(())
}

fn regions(rules: &Rules) -> Result<(), RefusedKey> {
    let fortress: PointSet<u128> = rules.points(&rules.fortress);
    let total = pieces(rules);
    let fillers = if rules.fill_rule == FillRule::AnyPiece { rules.foxes } else { 0 };
    let homeless = rules.attacker_moves != AttackerMoves::None && fortress.is_empty();
    refuse_if(homeless, "attacker_moves", "needs the key 'fortress'; without one use 'goose_moves'")?;
    let message = format!("{} points can never be filled by {total} pieces", fortress.len());
    refuse_if(fortress.len() > total.saturating_add(fillers), "fortress", message)
}

/// Geese on the board and in stock at the start.
fn pieces(rules: &Rules) -> u32 {
    rules.points(&rules.geese).len().saturating_add(rules.drops)
}

/// The check for all that is left: somebody has won, or cannot move, before the game begins.
fn over_at_the_start(ruleset: &Ruleset) -> Result<(), RefusedKey> {
    let game = Hunt::<u128>::new(ruleset);
    match game.turn(&game.start()) {
        Turn::Over(outcome) => {
            Err(("geese", format!("the game would be over at the start: {}", game.reason_text(outcome.reason))))
        }
        _ => Ok(()),
    }
}
