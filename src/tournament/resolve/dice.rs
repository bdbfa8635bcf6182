//! Checks what a spec asks of games with dice.

use super::rulesets::ResolvedRuleset;
use crate::tournament::header::RulesetHeader;
use crate::tournament::spec::{InvalidKey, Openings, TournamentSpec, ensure};

/// The first thing that does not go together.
pub(super) fn check(spec: &TournamentSpec, rulesets: &[ResolvedRuleset]) -> Result<(), InvalidKey> {
    rulesets.iter().filter(|(_, ruleset)| ruleset.dice).try_for_each(|(_, ruleset)| check_one(spec, ruleset))
}

fn check_one(spec: &TournamentSpec, ruleset: &RulesetHeader) -> Result<(), InvalidKey> {
    let label = &ruleset.label;
    ensure(spec.adjudication.draw.is_none(), "adjudication.draw", || {
        format!("ends level games of two opponents without dice, and in '{label}' dice are rolled")
    })?;
    let is_balanced = matches!(&spec.openings, Openings::Random { balance: Some(_), .. });
    ensure(!is_balanced, "openings.balance", || {
        format!("weighs positions of two opponents without dice, and in '{label}' dice are rolled")
    })
}
