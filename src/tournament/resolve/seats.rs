//! Checks what a spec asks of puzzles, of games of more than two seats and of games with dice.

use super::rulesets::ResolvedRuleset;
use crate::tournament::header::RulesetHeader;
use crate::tournament::spec::{Format, InvalidKey, Openings, TournamentSpec, ensure};

/// The first thing that does not go together.
pub(super) fn check(spec: &TournamentSpec, rulesets: &[ResolvedRuleset]) -> Result<(), InvalidKey> {
    rulesets.iter().try_for_each(|(_, ruleset)| check_one(spec, ruleset))
}

/// Why a ruleset is no ordinary game, in words; `None` for two seats without dice.
fn oddity(ruleset: &RulesetHeader) -> Option<String> {
    let label = &ruleset.label;
    match ruleset.seats.len() {
        1 => Some(format!("'{label}' is a puzzle for one player")),
        2 if ruleset.dice => Some(format!("in '{label}' dice are rolled")),
        2 => None,
        seats => Some(format!("'{label}' has {seats} seats")),
    }
}

fn check_one(spec: &TournamentSpec, ruleset: &RulesetHeader) -> Result<(), InvalidKey> {
    let Some(oddity) = oddity(ruleset) else { return Ok(()) };
    let (is_puzzle, has_two_seats) = (ruleset.seats.len() == 1, ruleset.seats.len() == 2);
    let decides = matches!(spec.format, Format::Sprt | Format::Swiss | Format::Knockout);
    ensure(!is_puzzle || !decides, "format", || {
        let format = spec.format.name();
        format!("`{format}` goes by who beats whom, and {oddity}; expected `match`, `round-robin` or `gauntlet`")
    })?;
    ensure(spec.adjudication.resign.is_none() || has_two_seats, "adjudication.resign", || {
        format!("compares the scores of two opponents, and {oddity}")
    })?;
    ensure(spec.adjudication.draw.is_none(), "adjudication.draw", || {
        format!("ends level games of two opponents without dice, and {oddity}")
    })?;
    let is_balanced = matches!(&spec.openings, Openings::Random { balance: Some(_), .. });
    ensure(!is_balanced, "openings.balance", || format!("weighs positions of two opponents without dice, and {oddity}"))
}
