//! A match as a tournament of two.

use reynard_engine::session::registry::{self, RulesetChoice, RulesetSource};
use serde_json::json;

use super::args::MatchArgs;
use super::engines;
use crate::cli::exit::UsageError;
use crate::cli::pairs::{Pair, object};
use crate::tournament::TournamentSpec;
use crate::tournament::spec::{
    AdjudicationSpec, EngineSpec, Format, Limits, Openings, ProgramSpec, RulesetObject, RulesetSpec, defaults,
};

/// How late a move may be that has its own time: these players are not to lose by the load of the machine.
const MOVETIME_MARGIN_MS: u64 = 10_000;

impl MatchArgs {
    fn limits(&self) -> Limits {
        let MatchArgs { nodes, depth, .. } = *self;
        let is_untimed = nodes.is_some() || depth.is_some();
        let movetime_ms = self.movetime.or((!is_untimed).then_some(100));
        self.clock.unwrap_or(Limits { nodes, depth, movetime_ms, ..Limits::default() })
    }

    /// The players with what they may spend.
    pub(super) fn players(&self) -> Result<[EngineSpec; 2], UsageError> {
        if self.engines.0.is_empty() {
            return self.own_players();
        }
        let mut players = engines::players(&self.engines, &self.each)?;
        for player in &mut players {
            player.limits.get_or_insert(self.limits());
        }
        Ok(players)
    }

    /// A and B.
    fn own_players(&self) -> Result<[EngineSpec; 2], UsageError> {
        // This program, in processes of its own.
        let program = ProgramSpec { command: "reynard".into(), ..ProgramSpec::default() };
        let program = self.through_protocol.then_some(program);
        let nodes_b = self.nodes_b.map(|nodes| Limits { nodes: Some(nodes), ..Limits::default() });
        let player = |name: &str, options: &[Pair], limits: Limits| {
            let mut player = EngineSpec {
                name: name.to_owned(),
                program: program.clone(),
                limits: Some(limits),
                ..EngineSpec::default()
            };
            for (option, value) in options {
                let refuse = |reason| UsageError(format!("player {name}: {option}: {reason}"));
                engines::set_option(&mut player, option, value).map_err(refuse)?;
            }
            check_options(name, options)?;
            Ok(player)
        };
        Ok([player("A", &self.a, self.limits())?, player("B", &self.b, nodes_b.unwrap_or(self.limits()))?])
    }

    /// The match as a tournament; `has_dice` makes for longer games.
    pub(super) fn spec(&self, has_dice: bool) -> Result<TournamentSpec, UsageError> {
        let players = self.players()?;
        // A game of which the opening is the whole is over when the players would begin.
        let max_plies = self.max_plies.unwrap_or(if has_dice { 10_000 } else { defaults::max_plies() });
        let ruleset = RulesetSpec::Choice(ruleset_object(self.ruleset.choice()));
        let sprt = object("--sprt", &self.sprt, &[])?;
        let format = if sprt.is_some() { Format::Sprt } else { Format::Match };
        let has_clock = players.iter().any(|player| player.limits.is_some_and(|limits| limits.clock_ms.is_some()));
        let time_margin_ms = if has_clock { 0 } else { MOVETIME_MARGIN_MS };
        let engines = players.into();
        Ok(TournamentSpec {
            name: "match".to_owned(),
            openings: self.opening_rule(max_plies)?,
            sprt,
            tables: self.tables.clone(),
            adjudication: AdjudicationSpec {
                draw: object("--draw", &self.draw, &[])?,
                resign: object("--resign", &self.resign, &[])?,
                table: self.adjudicate,
                table_after_plies: None,
            },
            time_margin_ms,
            pv: self.pv,
            seed: self.seed,
            max_plies,
            concurrency: self.concurrency as usize,
            ..TournamentSpec::new(vec![ruleset], engines, format, u64::from(self.games.div_ceil(2)))
        })
    }

    /// What the words say; nothing where they leave it to the usual openings.
    fn opening_rule(&self, max_plies: u32) -> Result<Option<Openings>, UsageError> {
        let is_said = self.openings.iter().any(|(key, _)| key == "kind");
        let kind: &[_] = if is_said { &[] } else { &[("kind", "file")] };
        let random = self.openings_plies.map(|plies| Openings::random(plies, None, max_plies));
        Ok(object("--openings", &self.openings, kind)?.or(random))
    }
}

fn ruleset_object(choice: RulesetChoice) -> RulesetObject {
    let (name, file) = match choice.source {
        RulesetSource::Catalog(name) => (Some(name), None),
        RulesetSource::File(path) => (None, Some(path)),
    };
    let set = choice.switches.into_iter().map(|(key, value)| (key, json!(value))).collect();
    RulesetObject { name, file, set }
}

/// Refuses options before any game: players in processes would only lose by them.
fn check_options(player: &str, options: &[Pair]) -> Result<(), UsageError> {
    let mut known = registry::default_options();
    let set = options.iter().try_for_each(|(name, value)| known.set(name, Some(value)));
    set.and_then(|()| known.check_table_path()).map_err(|error| UsageError(format!("player {player}: {error}")))
}
