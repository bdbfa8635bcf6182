//! `reynard tournament calibrate`: whether games ended as the engines' scores forecast.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use reynard_engine::rules::Seat;
use reynard_engine::search::{Score, Wdl, WdlModel};
use reynard_engine::session::{MeasuredWdl, Options, Session, registry};
use serde_json::{Value, json};

use super::results;
use crate::cli::exit::{Status, UsageError};
use crate::cli::live::{LiveView, Unit};
use crate::cli::output::{lines_of_words, number_table};
use crate::tournament::calibration::{
    BINS, Forecaster, Forecasts, ReliabilityBin, fit, forecasts, log_loss, points, reliability,
};
use crate::tournament::header::{EngineHead, JournalHeader};
use crate::tournament::report::number;

/// Compare the scores that engines gave with how the games ended
///
/// Every score is a forecast: wdl says what chances of a win, a draw and a loss go with it. The first table has what
/// the forecasts of each engine and side cost (minus the logarithm of the chance given to what came, 1.099 for knowing
/// nothing), and what those of a curve cost that was fitted to the games from openings of even numbers; both are
/// measured on the others. The second one sets what wdl foretold against what came.
#[derive(Args)]
pub(super) struct CalibrateArgs {
    /// Directory of the results
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Treat all rulesets as one, side by side
    #[arg(long)]
    pooled: bool,
    /// Show the reliability of the fitted curves, on the games that they were not fitted to
    #[arg(long)]
    fitted: bool,
    /// Say nothing on standard error while the games are read
    #[arg(long)]
    quiet: bool,
    /// Print one object of JSON
    #[arg(long)]
    json: bool,
    /// Print the fitted curves as the program keeps its own (src/engine/session/measured_wdl.json), one for both sides,
    /// by scores as p1 sees them: those of its own searchers that forecast the games held out better than the curve for
    /// all games does
    #[arg(long, conflicts_with_all = ["pooled", "fitted", "json"])]
    curves: bool,
}

/// The forecasts of an engine as one side.
struct Group {
    engine: String,
    side: String,
    ruleset: String,
    /// Sixteen hexadecimal digits; `None` for rules that are not known here.
    fingerprint: Option<String>,
    /// By the rules that were played: the model of the scores, and the games.
    parts: Vec<(ScoreModel, Vec<Forecasts>)>,
}

/// The chances that the program reads from the scores of an engine on a seat.
struct ScoreModel {
    session: Option<Box<dyn Session>>,
    seat: Seat,
    options: Options,
    /// Whether this program gave the scores.
    is_own: bool,
}

impl ScoreModel {
    fn chances(&self, score: i32) -> [f64; 3] {
        let score = Score(score);
        let wdl = self.session.as_ref().map_or(score.wdl(), |session| session.wdl(score, self.seat, &self.options));
        shares(wdl)
    }
}

fn shares(wdl: Wdl) -> [f64; 3] {
    wdl.0.map(|thousandths| f64::from(thousandths) / 1000.0)
}

/// By the curve for all games.
fn plain_chances(score: i32) -> [f64; 3] {
    shares(Score(score).wdl())
}

/// What was found about a group.
struct Finding {
    group: Group,
    curve: Option<WdlModel>,
    /// Of the program's reading and of the fitted curve, on the games held out.
    log_loss: [Option<f64>; 2],
    /// Of the curve for all games, likewise.
    plain_log_loss: Option<f64>,
    bins: [ReliabilityBin; BINS],
}

pub(super) fn run(args: &CalibrateArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let archive = results::read(&args.dir)?;
    let mut view = LiveView::new(Unit::Games, Some(archive.len() as u64), 0, args.quiet);
    let games = (1..).zip(archive.games()).map(|(read, game)| {
        view.advance(read, String::new);
        game
    });
    let groups = groups(&archive.header, forecasts(games)?, args);
    let findings: Vec<Finding> = groups.into_iter().map(|group| find(group, args.fitted)).collect();
    if args.curves {
        print_curves(&findings, out)?;
    } else if args.json {
        writeln!(out, "{}", Value::from_iter(findings.iter().map(Finding::json)))?;
    } else if findings.is_empty() {
        writeln!(out, "No scores in games of two players that ended by the rules, a table or the limit of plies.")?;
    } else {
        print_log_losses(&findings, out)?;
        print_reliability(&findings, out)?;
    }
    Ok(Status::Done)
}

/// The forecasts by engine, side and ruleset; for curves those of both sides together, as p1 would give them.
fn groups(header: &JournalHeader, found: BTreeMap<Forecaster, Vec<Forecasts>>, args: &CalibrateArgs) -> Vec<Group> {
    let CalibrateArgs { pooled, curves, .. } = *args;
    let mut groups: BTreeMap<(usize, String, Option<usize>), Group> = BTreeMap::new();
    for (Forecaster { engine, ruleset, seat }, games) in found {
        let rules = &header.rulesets[ruleset];
        let side = rules.seats[usize::from(seat)].role.clone();
        let (seat, games) = match seat {
            1 if curves => (0, games.into_iter().map(Forecasts::mirrored).collect()),
            _ => (seat, games),
        };
        let role = if curves { String::new() } else { side.clone() };
        let group = groups.entry((engine, role, (!pooled).then_some(ruleset))).or_insert_with(|| Group {
            engine: header.engines[engine].clone(),
            side: side.clone(),
            ruleset: if pooled { "all".to_owned() } else { rules.label.clone() },
            fingerprint: rules.fingerprint.clone(),
            parts: Vec::new(),
        });
        let own = header.played.games().engines.get(engine).filter(|engine| engine.program.is_none());
        // The scores of a foreign engine are read by our defaults.
        let options = own.map_or_else(registry::default_options, |engine| own_options(engine, &side));
        let is_own = own.is_some();
        group.parts.push((ScoreModel { session: rules.session().ok(), seat: Seat(seat), options, is_own }, games));
    }
    groups.into_values().collect()
}

/// The options of an engine of this program on a side.
fn own_options(engine: &EngineHead, side: &str) -> Options {
    let mut options = registry::default_options();
    let of_side = engine.by_role.get(side).and_then(Value::as_object);
    let given = [Some(&engine.options), of_side].into_iter().flatten().flatten();
    // Names that are no options any more are ignored.
    given.for_each(|(name, value)| drop(options.set(name, value.as_str())));
    options
}

fn find(group: Group, fitted: bool) -> Finding {
    let games = || group.parts.iter().flat_map(|(_, games)| games);
    let held_out = || games().filter(|game| game.is_held_out());
    let curve = fit(games().filter(|game| !game.is_held_out()));
    let as_fitted = |curve: WdlModel| held_out().map(move |game| (game, move |score| curve.chances(score)));
    let by_program = || {
        let parts = group.parts.iter();
        parts.flat_map(|(model, games)| games.iter().map(move |game| (game, move |score| model.chances(score))))
    };
    Finding {
        plain_log_loss: log_loss(held_out().map(|game| (game, plain_chances))),
        log_loss: [
            log_loss(by_program().filter(|(game, _)| game.is_held_out())),
            curve.map(as_fitted).and_then(log_loss),
        ],
        bins: match (fitted, curve) {
            (false, _) => reliability(by_program()),
            (true, Some(curve)) => reliability(as_fitted(curve)),
            // Without games to fit to there is nothing to hold against those held out.
            (true, None) => Default::default(),
        },
        curve,
        group,
    }
}

impl Finding {
    fn games(&self) -> usize {
        self.group.parts.iter().map(|(_, games)| games.len()).sum()
    }

    fn positions(&self) -> usize {
        self.group.parts.iter().flat_map(|(_, games)| games).map(|game| game.scores.len()).sum()
    }

    /// The curve as the program keeps it; `None` for scores of others, and where it is no better than that for all
    /// games.
    fn as_kept(&self) -> Option<MeasuredWdl> {
        let Group { ruleset, fingerprint, parts, .. } = &self.group;
        let (model, _) = parts.first().filter(|(model, _)| model.is_own)?;
        let is_better = self.log_loss[1]? < self.plain_log_loss?;
        let WdlModel { won_from, lost_below, scale } = self.curve.filter(|_| is_better)?;
        Some(MeasuredWdl {
            ruleset: ruleset.clone(),
            fingerprint: fingerprint.clone()?,
            searcher: model.options.searcher().tree_search()?.name().to_owned(),
            model: WdlModel { won_from: won_from.round(), lost_below: lost_below.round(), scale: scale.round() },
        })
    }

    fn json(&self) -> Value {
        let Group { engine, side, ruleset, .. } = &self.group;
        let curve = self.curve.map(|WdlModel { won_from, lost_below, scale }| {
            json!({"won_from_cp": won_from, "lost_below_cp": lost_below, "scale_cp": scale})
        });
        json!({
            "engine": engine, "role": side, "ruleset": ruleset, "games": self.games(), "positions": self.positions(),
            "log_loss": self.log_loss[0], "log_loss_fitted": self.log_loss[1], "curve": curve, "bins": self.bins,
        })
    }
}

/// The curves of this program's searchers, one a line.
///
/// # Errors
/// Two engines search in the same way.
fn print_curves(findings: &[Finding], out: &mut dyn Write) -> anyhow::Result<()> {
    let mut curves: Vec<MeasuredWdl> = Vec::new();
    for curve in findings.iter().filter_map(Finding::as_kept) {
        let is_same =
            |known: &MeasuredWdl| (&known.fingerprint, &known.searcher) == (&curve.fingerprint, &curve.searcher);
        if curves.iter().any(is_same) {
            let MeasuredWdl { ruleset, searcher, .. } = curve;
            let message = format!("two engines play {ruleset} by {searcher}: curves are those of one engine each");
            return Err(UsageError(message).into());
        }
        curves.push(curve);
    }
    let lines: Vec<String> = curves.iter().map(|curve| json!(curve).to_string()).collect();
    Ok(writeln!(out, "[\n{}\n]", lines.join(",\n"))?)
}

fn print_log_losses(findings: &[Finding], out: &mut dyn Write) -> anyhow::Result<()> {
    let rows = findings.iter().map(|found| {
        let Group { engine, side, ruleset, .. } = &found.group;
        let of_curve = |figure: fn(WdlModel) -> f64| number(found.curve.map(figure), 0);
        let curve =
            [of_curve(|curve| curve.won_from), of_curve(|curve| curve.lost_below), of_curve(|curve| curve.scale)];
        let [games, positions] = [found.games(), found.positions()].map(|count| count.to_string());
        let [by_program, fitted] = found.log_loss.map(|loss| number(loss, 3));
        let group = [engine, side, ruleset].map(String::clone);
        group.into_iter().chain([games, positions, by_program, fitted]).chain(curve)
    });
    let header =
        ["engine", "as", "ruleset", "games", "positions", "log loss", "fitted", "won from", "lost below", "scale"];
    writeln!(out, "{}", number_table(3, header, rows))?;
    let note = "Log loss: of wdl, and of a curve fitted to the other half, on the games from openings of odd numbers. Won from, lost \
                below, scale: that curve, in hundredths of a piece.";
    Ok(writeln!(out, "{}", lines_of_words(note))?)
}

fn print_reliability(findings: &[Finding], out: &mut dyn Write) -> anyhow::Result<()> {
    let header = ["engine", "as", "ruleset", "foretold %", "positions", "games", "told", "came", "±", "W", "D", "L"];
    let rows =
        findings.iter().flat_map(|found| found.bins.iter().enumerate().map(move |(place, bin)| (found, place, bin)));
    let rows = rows.filter(|(.., bin)| bin.positions > 0).map(|(found, place, bin)| {
        let Group { engine, side, ruleset, .. } = &found.group;
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        let range = format!("{} to {}", place * 100 / BINS, (place + 1) * 100 / BINS);
        let [positions, games] = [bin.positions, bin.games].map(|count| count.to_string());
        let [forecast, came, error] = [points(bin.predicted), points(bin.observed), bin.error()].map(percent);
        let of_result = |result: usize| format!("{} {}", percent(bin.predicted[result]), percent(bin.observed[result]));
        let [won, drawn, lost] = [0, 1, 2].map(of_result);
        let group = [engine, side, ruleset].map(String::clone);
        group.into_iter().chain([range, positions, games, forecast, came, error, won, drawn, lost])
    });
    writeln!(out, "{}", number_table(3, header, rows))?;
    let note = "Points in per cent, a draw being half of one: what wdl told on average, and what came, ± for 95 % with \
                a game counted once a row. W, D, L: told and came.";
    Ok(write!(out, "{}", lines_of_words(note))?)
}
