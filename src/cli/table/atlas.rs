//! `reynard table atlas`: who wins from every start.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::FolderArgs;
use super::holdings::Holdings;
use super::stats::ResultRow;
use super::text::side;
use crate::cli::exit::Status;
use crate::cli::number_table::{lines_of_words, number_table};
use crate::engine::registry::{self, RulesetChoice};
use crate::rules::hunt::Side;
use crate::tablebase::atlas::Survey;
use crate::tablebase::{Store, TableBuilder, TableError, TableValue};

/// Tell who wins with best play from every start.
///
/// For each ruleset: its own set-up and those that the switch `geese` allows (13, 15, 17, 22), with the fox on every empty
/// point, as far as the tables reach; set-ups that several rulesets share appear once. Then, for every number of geese,
/// the share of all positions that each side wins.
#[derive(Args)]
pub(super) struct AtlasArgs {
    /// The games [default: all of the catalog that have tables reaching to their start]
    #[arg(value_name = "RULESET")]
    rulesets: Vec<String>,
    #[command(flatten)]
    folder: FolderArgs,
    /// Print JSON: {"set_ups": [...], "layers": [...]}
    #[arg(long)]
    json: bool,
}

/// The numbered set-ups of the rule sheets.
const NUMBERED: [u32; 4] = [13, 15, 17, 22];

/// A set-up with the rulesets that begin with it.
struct SetUp {
    name: String,
    fingerprint: u64,
    survey: Survey,
}

/// The results of all positions of some rules, by geese and side to move.
#[derive(Serialize)]
struct Layer {
    ruleset: String,
    #[serde(flatten)]
    row: ResultRow,
}

pub(super) fn run(args: &AtlasArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let folder = args.folder.existing()?;
    let names: Vec<&str> = match args.rulesets.is_empty() {
        true => registry::ruleset_names(),
        false => args.rulesets.iter().map(String::as_str).collect(),
    };
    let mut atlas = Atlas {
        folder: &folder,
        is_asked: !args.rulesets.is_empty(),
        set_ups: Vec::new(),
        layers: Vec::new(),
        counted: BTreeSet::new(),
        unfinished: Vec::new(),
    };
    // Set-ups under their own names go before the same ones by switch.
    names.iter().try_for_each(|name| atlas.add_own(name))?;
    names.iter().try_for_each(|name| atlas.add_switched(name))?;
    names.iter().try_for_each(|name| atlas.add_layers(name))?;
    if atlas.set_ups.is_empty() {
        let message = format!("no table in '{}' reaches to the start of a game with one fox", folder.display());
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
    /// The rulesets were named: one that cannot be shown is an error.
    is_asked: bool,
    set_ups: Vec<SetUp>,
    layers: Vec<Layer>,
    /// The fingerprints of the rules whose tables are among the layers.
    counted: BTreeSet<u64>,
    /// What is there and what is missing of games whose tables do not reach to the start.
    unfinished: Vec<String>,
}

impl Atlas<'_> {
    fn add_own(&mut self, name: &str) -> anyhow::Result<()> {
        let choice = RulesetChoice::catalog(name);
        match self.survey(&choice)? {
            Some((fingerprint, survey)) => self.add(name.to_owned(), fingerprint, survey),
            None if self.is_asked => return Err(self.why_not(&choice)?.into()),
            None => {
                let builder = registry::read(&choice)?.table_builder().ok();
                let holdings = builder.map(|builder| self.holdings(&*builder)).transpose()?;
                self.unfinished.extend(holdings.filter(Holdings::is_part).map(|holdings| holdings.to_string()));
            }
        }
        Ok(())
    }

    fn holdings(&self, builder: &dyn TableBuilder) -> Result<Holdings, TableError> {
        Holdings::of(self.folder, builder.identity(), builder.geese_at_start())
    }

    /// Why there is nothing to show of a ruleset that can have tables.
    fn why_not(&self, choice: &RulesetChoice) -> anyhow::Result<TableError> {
        let builder = registry::read(choice)?.table_builder()?;
        let holdings = self.holdings(&*builder)?;
        Ok(match (holdings.is_empty(), holdings.is_part()) {
            (true, _) => Store::open(self.folder, builder.identity().clone())?.absent(None),
            (_, true) => TableError::Refused(format!("{holdings}; 'reynard table build' goes on from there")),
            _ => TableError::Refused(format!("{}: the atlas shows games of one fox only", builder.identity().name)),
        })
    }

    /// The ruleset with other numbers of geese, where it has such set-ups.
    fn add_switched(&mut self, name: &str) -> anyhow::Result<()> {
        for geese in NUMBERED {
            let mut choice = RulesetChoice::catalog(name);
            choice.switches.push(("geese".to_owned(), geese.to_string()));
            if registry::read(&choice).is_ok()
                && let Some((fingerprint, survey)) = self.survey(&choice)?
            {
                self.add(format!("{name} geese={geese}"), fingerprint, survey);
            }
        }
        Ok(())
    }

    /// `None` when there is nothing to show.
    fn survey(&self, choice: &RulesetChoice) -> anyhow::Result<Option<(u64, Survey)>> {
        match registry::read(choice)?.table_builder() {
            Ok(table_builder) => {
                let survey = table_builder.survey(self.folder)?;
                Ok(survey.map(|survey| (table_builder.identity().fingerprint, survey)))
            }
            Err(error) if self.is_asked => Err(error.into()),
            Err(_) => Ok(None),
        }
    }

    /// Adds a set-up unless it is there.
    fn add(&mut self, name: String, fingerprint: u64, survey: Survey) {
        let is_there = self.set_ups.iter().any(|set_up| {
            let other = &set_up.survey;
            let same_rules = set_up.fingerprint == fingerprint && other.first_move_forward == survey.first_move_forward;
            same_rules && other.set_up == survey.set_up && other.first == survey.first
        });
        if !is_there {
            self.set_ups.push(SetUp { name, fingerprint, survey });
        }
    }

    /// The counts of the tables that the set-ups of a ruleset use, once for all rulesets that share them.
    fn add_layers(&mut self, name: &str) -> anyhow::Result<()> {
        let Ok(table_builder) = registry::read(&RulesetChoice::catalog(name))?.table_builder() else { return Ok(()) };
        let identity = table_builder.identity();
        let is_used = self.set_ups.iter().any(|set_up| set_up.fingerprint == identity.fingerprint);
        if !is_used || !self.counted.insert(identity.fingerprint) {
            return Ok(());
        }
        let rows = ResultRow::all(&Store::open(self.folder, identity.clone())?);
        self.layers.extend(rows.into_iter().map(|row| Layer { ruleset: name.to_owned(), row }));
        Ok(())
    }

    fn json(&self) -> Json {
        let set_ups: Vec<Json> = self.set_ups.iter().map(SetUp::json).collect();
        json!({"set_ups": set_ups, "layers": self.layers})
    }

    fn figures(&self) -> String {
        let heads = ["set-up", "winner", "fox on", "plies", "geese", "F", "=", "G"];
        number_table(3, heads, self.set_ups.iter().map(SetUp::row))
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        write!(out, "{}\n{}\n", lines_of_words(FIGURES), self.figures())?;
        if !self.unfinished.is_empty() {
            writeln!(out, "\nNot shown, since tables are missing:")?;
            self.unfinished.iter().try_for_each(|game| write!(out, "{}", lines_of_words(game)))?;
        }
        write!(out, "\n{}", lines_of_words(BOARDS))?;
        for set_up in &self.set_ups {
            writeln!(out, "\n{}, {}:\n\n{}", set_up.name, set_up.side_to_start(), set_up.survey.board.trim_end())?;
        }
        write!(out, "\n{}", lines_of_words("Of all positions, the share that each side wins, in per cent:"))?;
        for layers in self.layers.chunk_by(|one, next| one.ruleset == next.ruleset) {
            let rows = layers.iter().map(|Layer { row, .. }| row.name().into_iter().chain(row.shares()));
            let table = number_table(0, ["geese", "turn", "fox", "draw", "geese"], rows);
            writeln!(out, "\n{}\n\n{table}", layers[0].ruleset)?;
        }
        Ok(())
    }
}

const FIGURES: &str = "Who wins with best play when the fox starts on its point (* where it chooses one), in how many plies \
                       to the next conversion; and of all points for the fox, how many the fox wins (F), are draws (=) \
                       and the geese win (G):\n";
const BOARDS: &str = "The winner by the point on which the fox starts: F fox, G geese, = draw; o for geese.";

impl SetUp {
    fn side_to_start(&self) -> String {
        let forward = if self.survey.first_move_forward { ", the first move forward" } else { "" };
        let verb = if self.survey.first == Side::Fox { "moves" } else { "move" };
        format!("{} {verb} first{forward}", side(self.survey.first))
    }

    /// A row of the figures.
    fn row(&self) -> [String; 8] {
        let survey = &self.survey;
        let choice = if survey.fox_start.is_some() { "" } else { "*" };
        let [fox_on, winner, plies] = match survey.start() {
            None => ["", "not known", ""].map(str::to_owned),
            Some((point, value)) => {
                let winner = value.winner.map_or("draw", side).to_owned();
                let plies = value.winner.map_or(String::new(), |_| value.distance.to_string());
                [format!("{point}{choice}"), winner, plies]
            }
        };
        let [fox, draws, geese] = survey.counts().map(|points| points.to_string());
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
            "first": side(survey.first),
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
    json!({"winner": value.winner.map(side), "plies": value.distance})
}
