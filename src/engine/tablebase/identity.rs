//! The identity of a table: what its values depend on of all that a ruleset says.

use serde_json::Value;

use super::{Metric, TableError};
use crate::rules::hunt::{RepetitionKey, Ruleset};

/// The rules that decide the value of a position, their hash, and what distances count.
#[derive(Clone, PartialEq, Debug)]
pub struct Identity {
    /// The name of the ruleset.
    pub name: String,
    /// The hash of [`rules`](Identity::rules).
    pub fingerprint: u64,
    /// The keys of the ruleset as JSON; those that decide no value are set to fixed ones.
    pub rules: Value,
    /// What distances count.
    pub metric: Metric,
}

impl Identity {
    /// That of tables with distances to conversion.
    ///
    /// Rulesets that differ only in set-up, names or what happens before the first goose has moved share their tables.
    ///
    /// # Errors
    /// Under these rules a repeated position is lost by one side, so that no position has a value of its own.
    pub fn of(ruleset: &Ruleset) -> Result<Identity, TableError> {
        let rules = &ruleset.rules;
        if !matches!(rules.repetition, RepetitionKey::Draw | RepetitionKey::None) {
            let message = "tables ignore repetition, so `repetition` must be `draw` or `none` in their ruleset";
            return Err(TableError::Refused(format!("{}: {message}", ruleset.heading.name)));
        }
        let fingerprint = rules.core_fingerprint();
        let rules = serde_json::to_value(rules.core()).unwrap_or_default();
        Ok(Identity { name: ruleset.heading.name.clone(), fingerprint, rules, metric: Metric::Conversion })
    }

    /// The name of the ruleset, and what distances count where that is not the next conversion.
    pub fn title(&self) -> String {
        format!("{}{}", self.name, self.metric.remark())
    }

    /// The command that builds these tables.
    pub(crate) fn build_command(&self) -> String {
        let option = if self.metric == Metric::End { " --metric end" } else { "" };
        format!("reynard table build {}{option}", self.name)
    }

    /// The names of their files, as a shell knows them.
    pub(crate) fn file_pattern(&self) -> String {
        format!("{:016x}-*.{}", self.fingerprint, self.metric.extension())
    }

    /// The same rules with distances of another kind.
    pub fn with_metric(self, metric: Metric) -> Identity {
        Identity { metric, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(name: &str, switches: &[(&str, &str)]) -> u64 {
        let switches: Vec<_> = switches.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        let ruleset = Ruleset::from_catalog(name, &switches).expect("a ruleset");
        Identity::of(&ruleset).expect("an identity").fingerprint
    }

    #[test]
    fn set_ups_share_tables_and_rules_do_not() {
        let masters = fingerprint("masters-15", &[]);
        for same in ["masters-13", "masters-17", "masters-22"] {
            assert_eq!(fingerprint(same, &[]), masters, "{same}");
        }
        assert_eq!(fingerprint("masters-15", &[("fox_start", "choose"), ("first", "fox")]), masters);
        assert_eq!(fingerprint("bell-13", &[]), fingerprint("bell-17", &[]));
        for other in ["bell-13", "murray-13", "strutt-17", "renard-1668"] {
            assert_ne!(fingerprint(other, &[]), masters, "{other}");
        }
        assert_ne!(fingerprint("masters-15", &[("chain", "false")]), masters);
        assert_ne!(fingerprint("masters-15", &[("fox_wins_below", "4")]), masters);
    }

    #[test]
    fn a_loss_by_repetition_is_refused() {
        let switches = [("repetition".to_owned(), "geese_lose".to_owned())];
        let ruleset = Ruleset::from_catalog("masters-15", &switches).expect("a ruleset");
        assert!(Identity::of(&ruleset).is_err());
    }
}
