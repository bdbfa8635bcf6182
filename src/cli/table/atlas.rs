//! `reynard table atlas`: who wins from every start.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use clap::Args;
use reynard_engine::rules::hunt::Side;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::tablebase::atlas::Survey;
use reynard_engine::tablebase::{Metric, Store, TableBuilder, TableError, TableValue};
use serde_json::{Map, Value as Json, json};

use super::list::Holdings;
use super::{FolderArgs, MetricArgs, table_builder};
use crate::cli::exit::Status;
use crate::cli::output::{lines_of_words, number_table};

/// Show who wins with best play from every start.
///
/// For each ruleset: its own set-up and those that the switch `geese` allows (13, 15, 17, 22), with the fox on every
/// empty point, as far as the tables reach; set-ups that several rulesets share appear once. `table stats` counts all
/// other positions.
#[derive(Args)]
pub(super) struct AtlasArgs {
    /// The games [default: all of the catalog that have tables reaching to their start]
    #[arg(value_name = "RULESET")]
    rulesets: Vec<String>,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    metric: MetricArgs,
    /// Print JSON: {"set_ups": [...]}
    #[arg(long)]
    json: bool,
}

/// The numbered set-ups of the rule sheets.
const NUMBERED: [u32; 4] = [13, 15, 17, 22];

/// The start of a game, and who wins from it.
struct SetUp {
    name: String,
    fingerprint: u64,
    survey: Survey,
}

pub(super) fn run(args: &AtlasArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let folder = args.folder.existing()?;
    let names: Vec<&str> = if args.rulesets.is_empty() {
        registry::ruleset_names()
    } else {
        args.rulesets.iter().map(String::as_str).collect()
    };
    let mut atlas = Atlas {
        folder: &folder,
        metric: args.metric.metric,
        is_asked: !args.rulesets.is_empty(),
        names: registry::names_by_tables(),
        set_ups: Vec::new(),
        unfinished: Vec::new(),
    };
    // Set-ups under their own names go before the same ones by switch.
    names.iter().try_for_each(|name| atlas.add_own(name))?;
    names.iter().try_for_each(|name| atlas.add_switched(name))?;
    if atlas.set_ups.is_empty() {
        let kind = atlas.metric.remark();
        let message = format!("no table in '{}' reaches to the start of a game{kind}", folder.display());
        let parts = [message].into_iter().chain(atlas.unfinished);
        let message = parts.collect::<Vec<_>>().join("; ");
        return Err(TableError::Refused(format!("{message}; 'reynard table build' makes tables")).into());
    }
    if args.json {
        writeln!(out, "{}", atlas.json())?
    } else {
        atlas.print(out)?
    }
    Ok(Status::Done)
}

struct Atlas<'a> {
    folder: &'a Path,
    metric: Metric,
    /// The rulesets were named: one that cannot be shown is an error.
    is_asked: bool,
    /// The catalog's rulesets by the fingerprint of their tables.
    names: BTreeMap<String, Vec<&'static str>>,
    set_ups: Vec<SetUp>,
    /// Games whose tables do not reach to the start: the tables that are there and those that are missing.
    unfinished: Vec<String>,
}

impl Atlas<'_> {
    fn add_own(&mut self, name: &str) -> anyhow::Result<()> {
        let choice = RulesetChoice::catalog(name);
        match self.set_up(name, &choice)? {
            Some(set_up) => self.add(set_up),
            None if self.is_asked => return Err(self.why_not(&choice)?.into()),
            None => {
                let builder = table_builder(&choice, self.metric)?.ok();
                let holdings = builder.map(|builder| self.holdings(&*builder)).transpose()?;
                self.unfinished.extend(holdings.filter(Holdings::is_part).map(|holdings| holdings.to_string()));
            }
        }
        Ok(())
    }

    /// Adds a set-up that is not there already.
    fn add(&mut self, set_up: SetUp) {
        if !self.set_ups.iter().any(|known| known.is_like(&set_up)) {
            self.set_ups.push(set_up);
        }
    }

    fn holdings(&self, builder: &dyn TableBuilder) -> Result<Holdings, TableError> {
        Holdings::of(self.folder, builder.identity(), builder.geese_at_start())
    }

    /// The reason for which a ruleset that can have tables is not shown.
    fn why_not(&self, choice: &RulesetChoice) -> anyhow::Result<TableError> {
        let builder = table_builder(choice, self.metric)??;
        let holdings = self.holdings(&*builder)?;
        Ok(match (holdings.is_empty(), holdings.is_part()) {
            (true, _) => Store::open(self.folder, builder.identity().clone())?.absent(None),
            (_, true) => TableError::Refused(format!("{holdings}; 'reynard table build' goes on from there")),
            _ => {
                let message = "the atlas shows games whose foxes stand on points, or whose one fox is placed first";
                TableError::Refused(format!("{}: {message}", builder.identity().name))
            }
        })
    }

    /// The ruleset with other numbers of geese, where it has such set-ups.
    fn add_switched(&mut self, name: &str) -> anyhow::Result<()> {
        for geese in NUMBERED {
            let mut choice = RulesetChoice::catalog(name);
            choice.switches.push(("geese".to_owned(), geese.to_string()));
            if registry::read(&choice).is_err() {
                continue;
            }
            if let Some(mut set_up) = self.set_up(&format!("{name} geese={geese}"), &choice)? {
                // A ruleset of the catalog may begin so.
                for name in self.names.get(&format!("{:016x}", set_up.fingerprint)).into_iter().flatten() {
                    let own = self.set_up(name, &RulesetChoice::catalog(name))?;
                    if let Some(own) = own.filter(|own| own.is_like(&set_up)) {
                        set_up = own;
                        break;
                    }
                }
                self.add(set_up);
            }
        }
        Ok(())
    }

    /// The start of a game; `None` when there is nothing to show.
    fn set_up(&self, name: &str, choice: &RulesetChoice) -> anyhow::Result<Option<SetUp>> {
        let builder = match table_builder(choice, self.metric)? {
            Ok(builder) => builder,
            Err(error) if self.is_asked => return Err(error.into()),
            Err(_) => return Ok(None),
        };
        let fingerprint = builder.identity().fingerprint;
        let survey = builder.survey(self.folder)?;
        Ok(survey.map(|survey| SetUp { name: name.to_owned(), fingerprint, survey }))
    }

    fn json(&self) -> Json {
        json!({"set_ups": self.set_ups.iter().map(SetUp::json).collect::<Vec<_>>()})
    }

    fn figures(&self) -> String {
        let heads = ["set-up", "winner", "fox on", "plies", "geese", "F", "=", "G"];
        number_table(3, heads, self.set_ups.iter().map(SetUp::row))
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let figures = FIGURES.replace("DISTANCE", self.goal());
        write!(out, "{}\n{}\n", lines_of_words(&figures), self.figures())?;
        if !self.unfinished.is_empty() {
            writeln!(out, "\nNot shown, since tables are missing:")?;
            self.unfinished.iter().try_for_each(|game| write!(out, "{}", lines_of_words(game)))?;
        }
        let mut maps = self.set_ups.iter().filter(|set_up| !set_up.survey.board.is_empty()).peekable();
        if maps.peek().is_some() {
            write!(out, "\n{}", lines_of_words(BOARDS))?;
        }
        for set_up in maps {
            writeln!(out, "\n{}, {}:\n\n{}", set_up.name, set_up.side_to_start(), set_up.survey.board.trim_end())?;
        }
        Ok(())
    }

    /// The event to which distances count.
    fn goal(&self) -> &'static str {
        match self.metric {
            Metric::Conversion => "the next conversion",
            Metric::End => "the end of the game",
        }
    }
}

const FIGURES: &str = "Who wins with best play when the fox starts on its point (* where it chooses one), in how many plies \
                       to DISTANCE; and of all points for the fox, how many the fox wins (F), are draws (=) \
                       and the geese win (G):";
const BOARDS: &str = "The winner by the point on which the fox starts: F fox, G geese, = draw; o for geese.";

impl SetUp {
    /// Whether a game of the same rules begins as this one.
    fn is_like(&self, other: &SetUp) -> bool {
        self.fingerprint == other.fingerprint && self.survey.begins_like(&other.survey)
    }

    fn side_to_start(&self) -> String {
        let forward = if self.survey.first_move_forward { ", the first move forward" } else { "" };
        let verb = if self.survey.first == Side::Fox { "moves" } else { "move" };
        format!("{} {verb} first{forward}", self.survey.first.role())
    }

    /// A row of the figures.
    fn row(&self) -> [String; 8] {
        let survey = &self.survey;
        let choice = if survey.fox_start.is_some() { "" } else { "*" };
        let [fox_on, winner, plies] = match survey.start() {
            None => ["", "not known", ""].map(str::to_owned),
            Some((point, value)) => {
                let winner = value.winner.map_or("draw", Side::role).to_owned();
                let plies = value.winner.map_or(String::new(), |_| value.distance.to_string());
                [format!("{point}{choice}"), winner, plies]
            }
        };
        // Several foxes start on their own points only.
        let count = |points: usize| if survey.board.is_empty() { String::new() } else { points.to_string() };
        let [fox, draws, geese] = survey.counts().map(count);
        [self.name.clone(), winner, fox_on, plies, survey.geese.to_string(), fox, draws, geese]
    }

    fn json(&self) -> Json {
        let survey = &self.survey;
        let points: Map<String, Json> =
            survey.points.iter().map(|(point, value)| (point.clone(), value_json(value))).collect();
        json!({
            "ruleset": self.name,
            "fingerprint": format!("{:016x}", self.fingerprint),
            "geese": survey.geese,
            "set_up": survey.set_up,
            "first": survey.first.role(),
            "first_move_forward": survey.first_move_forward,
            "fox_start": survey.fox_start,
            "best_or_own_point": survey.start().map(|(point, _)| point),
            "value": survey.value().as_ref().map(value_json),
            "points": points,
            "board": survey.board.lines().collect::<Vec<_>>(),
        })
    }
}

fn value_json(value: &TableValue<Side>) -> Json {
    json!({"winner": value.winner.map(Side::role), "plies": value.distance})
}
