//! `reynard table atlas`.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use clap::Args;
use serde_json::{Map, Value as Json, json};

use super::FolderArgs;
use super::text::{self, side};
use crate::cli::exit::Status;
use crate::engine::registry::{self, RulesetChoice};
use crate::rules::hunt::Side;
use crate::tablebase::atlas::{Survey, Value};
use crate::tablebase::{ResultCounts, Store, TableError};

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

/// The share of positions that each side wins, by rules and geese.
struct Layer {
    name: String,
    geese: u32,
    /// The side to move: `g` or `f`.
    turn: char,
    tally: ResultCounts,
}

pub(super) fn run(args: &AtlasArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let folder = args.folder.path();
    let names: Vec<&str> = match args.rulesets.is_empty() {
        true => registry::ruleset_names(),
        false => args.rulesets.iter().map(String::as_str).collect(),
    };
    let mut atlas = Atlas::new(&folder, !args.rulesets.is_empty());
    // Set-ups under their own names go before the same ones by switch.
    names.iter().try_for_each(|name| atlas.add_own(name))?;
    names.iter().try_for_each(|name| atlas.add_switched(name))?;
    names.iter().try_for_each(|name| atlas.add_layers(name))?;
    if atlas.set_ups.is_empty() {
        let message = format!("no table in '{}' reaches to the start of a game with one fox", folder.display());
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
}

impl<'a> Atlas<'a> {
    fn new(folder: &'a Path, is_asked: bool) -> Self {
        Atlas { folder, is_asked, set_ups: Vec::new(), layers: Vec::new(), counted: BTreeSet::new() }
    }

    fn add_own(&mut self, name: &str) -> anyhow::Result<()> {
        match self.survey(&RulesetChoice::catalog(name))? {
            Some((fingerprint, survey)) => self.add(name.to_owned(), fingerprint, survey),
            None if self.is_asked => {
                let message = "no table reaches to its start, or it has more than one fox";
                return Err(TableError::Refused(format!("{name}: {message}")).into());
            }
            None => {}
        }
        Ok(())
    }

    /// The ruleset with other numbers of geese, where it has such set-ups.
    fn add_switched(&mut self, name: &str) -> anyhow::Result<()> {
        for geese in NUMBERED {
            let mut choice = RulesetChoice::catalog(name);
            choice.switches.push(("geese".to_owned(), geese.to_string()));
            if registry::is_playable(&choice)
                && let Some((fingerprint, survey)) = self.survey(&choice)?
            {
                self.add(format!("{name} geese={geese}"), fingerprint, survey);
            }
        }
        Ok(())
    }

    /// `None` when there is nothing to show.
    fn survey(&self, choice: &RulesetChoice) -> anyhow::Result<Option<(u64, Survey)>> {
        match registry::table_builder(choice)? {
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
        let Ok(table_builder) = registry::table_builder(&RulesetChoice::catalog(name))? else { return Ok(()) };
        let identity = table_builder.identity();
        let is_used = self.set_ups.iter().any(|set_up| set_up.fingerprint == identity.fingerprint);
        if !is_used || !self.counted.insert(identity.fingerprint) {
            return Ok(());
        }
        for (&geese, file) in Store::open(self.folder, identity.clone())?.layers() {
            let summary = &file.header().summary;
            for (turn, tally) in [('g', summary.geese_to_move), ('f', summary.fox_to_move)] {
                self.layers.push(Layer { name: name.to_owned(), geese, turn, tally });
            }
        }
        Ok(())
    }

    fn json(&self) -> Json {
        let layer = |layer: &Layer| {
            let ResultCounts { fox_wins, draws, geese_win } = layer.tally;
            json!({"ruleset": layer.name, "geese": layer.geese, "turn": layer.turn.to_string(), "fox_wins": fox_wins,
                "draws": draws, "geese_win": geese_win})
        };
        json!({
            "set_ups": self.set_ups.iter().map(SetUp::json).collect::<Vec<_>>(),
            "layers": self.layers.iter().map(layer).collect::<Vec<_>>(),
        })
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.set_ups.iter().try_for_each(|set_up| writeln!(out, "{}", set_up.line()))?;
        writeln!(out, "\nThe winner by the point on which the fox starts: F fox, G geese, = draw; o for geese.")?;
        for set_up in &self.set_ups {
            writeln!(out, "\n{}, {}:\n\n{}", set_up.name, set_up.side_to_start(), set_up.survey.board.trim_end())?;
        }
        writeln!(out, "\nOf all positions, the share that each side wins, in per cent:")?;
        let mut name = "";
        for layer in &self.layers {
            if layer.name != name {
                name = &layer.name;
                writeln!(out, "\n{name}\ngeese  turn     fox    draw   geese")?;
            }
            writeln!(out, "{}", layer.line())?;
        }
        Ok(())
    }
}

impl SetUp {
    fn side_to_start(&self) -> String {
        let forward = if self.survey.first_move_forward { ", the first move forward" } else { "" };
        let verb = if self.survey.first == Side::Fox { "moves" } else { "move" };
        format!("{} {verb} first{forward}", side(self.survey.first))
    }

    /// The set-up in a line.
    fn line(&self) -> String {
        let survey = &self.survey;
        let [fox, draws, geese] = survey.counts();
        let value = match survey.start() {
            None => "not known".to_owned(),
            Some((point, value)) => {
                let how = if survey.fox_start.is_some() { "fox on" } else { "fox chooses" };
                format!("{how} {point}: {}", text::value(value))
            }
        };
        let points = survey.points.len();
        format!(
            "{:<22} {:>2} geese, {value}; of {points} fox points {fox} are won by the fox, {draws} drawn, {geese} lost",
            self.name, survey.geese
        )
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

impl Layer {
    fn line(&self) -> String {
        let ResultCounts { fox_wins, draws, geese_win } = self.tally;
        let total = (fox_wins + draws + geese_win).max(1) as f64;
        let [fox, draw, geese] = [fox_wins, draws, geese_win].map(|count| 100.0 * count as f64 / total);
        format!("{:>5}  {:>4}  {fox:>6.2}  {draw:>6.2}  {geese:>6.2}", self.geese, self.turn)
    }
}

fn value_json(value: &Value) -> Json {
    json!({"winner": value.winner.map(side), "plies": value.plies})
}
