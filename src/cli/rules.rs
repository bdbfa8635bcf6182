//! `reynard rules`: the games, what their rules say, and their boards as they stand, for a terminal or as a picture.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};
use comfy_table::{ContentArrangement, Table, presets};
use reynard_engine::files;
use reynard_engine::rules::catalog::{self, RuleText};
use reynard_engine::rules::ruleset::Family;
use reynard_engine::rules::{GameInfo, Seat};
use reynard_engine::session::Session;
use reynard_engine::session::registry::{self, OpenError, RulesetChoice};
use serde_json::Value;

use super::exit::{Status, complain};
use super::output::{columns, quoted, window_columns};
use super::ruleset::{RulesetArgs, file_choice};
use crate::svg;
use crate::tournament::report::short;

#[derive(Args)]
pub(super) struct RulesArgs {
    #[command(subcommand)]
    command: RulesCommand,
}

#[derive(Subcommand)]
enum RulesCommand {
    /// List the games of the catalog, one a line
    List {
        /// Also list the other hunts of the world, by region
        #[arg(long)]
        all: bool,
    },
    /// Show a game: where it comes from, every rule in force, and the board as it stands at the start
    Show(RulesetArgs),
    /// Draw the board as it stands in a position, for a terminal or as an SVG picture
    Draw(DrawArgs),
    /// Explain a game in words: set-up, goals, moves, captures, special rules and how it ends
    Text(RulesetArgs),
    /// Check a ruleset file of your own and say what it describes, or what is wrong with it
    Check {
        /// The ruleset file, JSON; src/engine/rules/catalog/README.md explains how to write one
        file: PathBuf,
    },
}

pub(super) fn run(args: &RulesArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    match &args.command {
        RulesCommand::List { all } => list(*all, out),
        RulesCommand::Show(ruleset) => show(&*ruleset.open()?, out),
        RulesCommand::Draw(args) => draw(args, out),
        RulesCommand::Text(ruleset) => explain(&*ruleset.open()?, out),
        RulesCommand::Check { file } => check(file, out),
    }
}

fn list(all: bool, out: &mut dyn Write) -> anyhow::Result<Status> {
    let regions = catalog::regions().filter(|_| all).map(|(region, names)| (region, names.collect::<Vec<_>>()));
    let groups: Vec<_> = std::iter::once(("", registry::ruleset_names())).chain(regions).collect();
    let width = groups.iter().flat_map(|(_, names)| names).map(|name| name.len()).max().unwrap_or(0);
    for (region, names) in groups {
        if !region.is_empty() {
            writeln!(out, "\n{region}:")?;
        }
        for name in names {
            let session = registry::open(&RulesetChoice::catalog(name))?;
            let line = format!("{name:<width$}  {}", text(&session.game().rules, "about"));
            writeln!(out, "{}", short(&line, columns()))?;
        }
    }
    Ok(Status::Done)
}

/// The keys that the head of the page has already.
const HEAD: [&str; 6] = ["name", "title", "extends", "about", "source", "fingerprint"];

fn show(session: &dyn Session, out: &mut dyn Write) -> anyhow::Result<Status> {
    let rules = &session.game().rules;
    let mut head = ["title", "about"].map(|key| text(rules, key)).into_iter().filter(|text| !text.is_empty());
    head.try_for_each(|text| writeln!(out, "{text}"))?;
    writeln!(out)?;
    for key in ["name", "extends", "source", "fingerprint"] {
        let value = text(rules, key);
        if !value.is_empty() {
            writeln!(out, "{key:<12} {value}")?;
        }
    }
    if let Some(balance) = words_of(session).and_then(|words| words.balance) {
        writeln!(out, "{:<12} {balance}", "balance")?;
    }
    writeln!(out, "\nRules in force:")?;
    for (key, value) in rules.as_object().into_iter().flatten() {
        if !HEAD.contains(&key.as_str()) {
            writeln!(out, "  {key:<19} {}", plain(value))?;
        }
    }
    let legend = &session.game().legend;
    let comma = if legend.is_empty() { "" } else { ", " };
    writeln!(out, "\nThe start{comma}{legend}:\n")?;
    writeln!(out, "{}\n\n{}", session.draw().trim_end(), session.position_text())?;
    Ok(Status::Done)
}

/// The widest lines of a text that is read, not scanned.
const MOST_COLUMNS: usize = 100;
const FEWEST_COLUMNS: usize = 40;

/// All rules of a game in words.
pub(super) fn explain(session: &dyn Session, out: &mut dyn Write) -> anyhow::Result<Status> {
    let words = words_of(session).with_context(|| format!("{} has no rules in words", session.game().ruleset))?;
    write!(out, "{}", explained(&session.game().rules, words))?;
    Ok(Status::Done)
}

/// The rules of a session in words: those of the catalog where they hold as they are, and what is made from keys where
/// the ruleset, by its file or by switches, changes a game of the catalog or none.
pub(super) fn words_of(session: &dyn Session) -> Option<RuleText> {
    let rules = &session.game().rules;
    let relatives = [text(rules, "name"), text(rules, "extends")].into_iter().filter_map(|name| {
        let known = registry::open(&RulesetChoice::catalog(name)).ok()?.game().rules.clone();
        (known["family"] == rules["family"]).then_some((known, catalog::rule_text(name)?))
    });
    let changes = |known: &Value| {
        rules
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(key, value)| !HEAD.contains(&key.as_str()) && known[key.as_str()] != **value)
            .count()
    };
    match relatives.min_by_key(|(known, _)| changes(known)) {
        Some((known, words)) if changes(&known) == 0 => Some(words),
        like => catalog::text_of_keys(
            catalog::Language::English,
            rules,
            like.as_ref().map(|(known, words)| (known, words.clone())),
        ),
    }
}

fn explained(rules: &Value, words: RuleText) -> String {
    let mut rows = vec![("About", text(rules, "about").to_owned()), ("Set-up", words.setup)];
    let sides: Vec<(String, String)> = words
        .sides
        .into_iter()
        .map(|side| (side.name, format!("Goal: {}\nMoves: {}", side.goal, side.moves)))
        .collect();
    rows.extend(sides.iter().map(|(name, text)| (name.as_str(), text.clone())));
    rows.push(("Captures", words.captures));
    let labels = std::iter::once("Special").chain(std::iter::repeat(""));
    rows.extend(labels.zip(words.special));
    rows.push(("End", words.end));
    rows.extend(words.balance.map(|balance| ("Balance", balance)));
    rows.push(("Source", text(rules, "source").to_owned()));
    rows.retain(|(_, text)| !text.is_empty());
    rows.iter_mut().for_each(|(_, text)| text.push_str("\n "));
    format!("{}\n\n{}", text(rules, "title"), page(&rows))
}

/// Labels beside texts, as wide as people read.
pub(super) fn page(rows: &[(&str, String)]) -> String {
    let mut page = Table::new();
    let columns = window_columns().unwrap_or(MOST_COLUMNS).clamp(FEWEST_COLUMNS, MOST_COLUMNS) as u16;
    page.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    for (label, text) in rows {
        page.add_row([label, text.as_str()]);
    }
    // Tables leave a blank on either side.
    page.lines().map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned() + "\n").collect()
}

fn check(file: &Path, out: &mut dyn Write) -> anyhow::Result<Status> {
    match registry::open(&file_choice(file)) {
        Ok(session) => {
            writeln!(out, "ok: {}", summary(&*session))?;
            if let Some(line) = weights(&*session, file)? {
                writeln!(out, "{line}")?;
            }
            Ok(Status::Done)
        }
        Err(error @ OpenError::File(_)) => Err(error.into()),
        Err(error) => {
            complain(&error);
            Ok(Status::Negative)
        }
    }
}

/// What evaluates positions of a hunt, in a sentence.
fn weights(session: &dyn Session, file: &Path) -> anyhow::Result<Option<String>> {
    if session.game().family != Family::Hunt {
        return Ok(None);
    }
    let with = |weights: Option<String>| match weights {
        Some(weights) => format!("with the learned weights of {weights}"),
        None => "without learned weights".to_owned(),
    };
    let of = |searcher| {
        let mut options = registry::default_options();
        options.set("Searcher", Some(searcher)).map(|()| session.weights(&options))
    };
    Ok(Some(match (of("alphabeta")?, of("mcts")?) {
        (None, None) => format!(
            "it plays without learned weights; to learn and test some: reynard tune learn --rules {}",
            quoted(&file.display().to_string())
        ),
        (weights, same) if weights == same => format!("it plays {}", with(weights)),
        (alphabeta, mcts) => format!("mcts plays {}, alphabeta {}", with(mcts), with(alphabeta)),
    }))
}

/// A game in one line.
fn summary(session: &dyn Session) -> String {
    let GameInfo { rules, board, .. } = session.game();
    format!(
        "{} ({}): {} points, {} lines; the first to act: {}, with {} moves",
        text(rules, "name"),
        text(rules, "title"),
        board.points.len(),
        board.lines.len(),
        session.game().seat_name(Seat::P1),
        session.legal_moves().len(),
    )
}

fn text<'a>(rules: &'a Value, key: &str) -> &'a str {
    rules[key].as_str().unwrap_or("")
}

/// A value as `--set` reads it: lists with commas, texts without quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "(none)".to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[derive(Args)]
struct DrawArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Draw this position instead of the start
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Play these moves before; the last one is marked
    #[arg(long, value_name = "MOVE", num_args = 1.., value_delimiter = ',')]
    moves: Vec<String>,
    /// Write a picture into a file, or to standard output (-)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn draw(args: &DrawArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let mut session = args.ruleset.open()?;
    let moves: Vec<&str> = args.moves.iter().map(String::as_str).collect();
    session.set_position(args.position.as_deref(), &moves)?;
    let Some(path) = &args.svg else {
        writeln!(out, "{}", session.draw().trim_end())?;
        return Ok(Status::Done);
    };
    let text = svg::picture(&*session).into_string() + "\n";
    if path == Path::new("-") {
        out.write_all(text.as_bytes())?;
    } else {
        files::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Status::Done)
}
