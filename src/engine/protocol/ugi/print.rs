//! Lines that the engine writes.

use std::time::Duration;

use super::Flavour;
use crate::search::{BestMove, CurrentMove, PvLine, Score, SearchInfo};
use crate::session::{OptionKind, OptionSpec};

/// The hundredths that stand for "the side to move has already won".
const ALREADY_WON_CP: i32 = 30_000;

/// The line that announces an option.
pub(super) fn option(spec: &OptionSpec) -> String {
    let default = &spec.default;
    let kind = match &spec.kind {
        OptionKind::Check => format!("check default {default}"),
        OptionKind::Spin { min, max } => format!("spin default {default} min {min} max {max}"),
        OptionKind::Combo(choices) => format!("combo default {default} var {}", choices.join(" var ")),
        OptionKind::Text if default.is_empty() => "string default <empty>".to_owned(),
        OptionKind::Text => format!("string default {default}"),
        OptionKind::Button => "button".to_owned(),
    };
    format!("option name {} type {kind}", spec.name)
}

/// Whether reports have the chances of a win, a draw and a loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WdlField {
    Told,
    LeftOut,
}

/// One line for each line of play, or the result of a finished game; then the remark, if there is one.
pub(super) fn info_lines(info: &SearchInfo<String>, wdl: WdlField) -> Vec<String> {
    let mut texts = match (&info.current, info.depth, info.lines.first()) {
        (Some(CurrentMove { mv, number }), depth, _) => {
            vec![format!("info depth {} currmove {mv} currmovenumber {number}", depth + 1)]
        }
        (None, 0, Some(line)) => vec![result_line(line, wdl)],
        _ => info.lines.iter().zip(1..).map(|(line, rank)| info_line(info, line, rank, wdl)).collect(),
    };
    texts.extend(info.remark.iter().map(|remark| format!("info string {remark}")));
    texts
}

/// A game that is over has been won, lost or drawn by the side to move.
fn result_line(line: &PvLine<String>, wdl: WdlField) -> String {
    let score = match line.mate {
        Some(_) if line.score > Score::DRAW => format!("cp {ALREADY_WON_CP}"),
        Some(_) => "mate 0".to_owned(),
        None => "cp 0".to_owned(),
    };
    format!("info depth 0 score {score}{} nodes 0 nps 0 time 0 hashfull 0 tbhits 0", wdl.text(line))
}

impl WdlField {
    /// The field of a line, with a blank before it.
    fn text(self, line: &PvLine<String>) -> String {
        let [win, draw, loss] = line.wdl.0;
        match self {
            WdlField::Told => format!(" wdl {win} {draw} {loss}"),
            WdlField::LeftOut => String::new(),
        }
    }
}

fn info_line(info: &SearchInfo<String>, line: &PvLine<String>, rank: usize, wdl: WdlField) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {rank} score {}{} nodes {} nps {} time {} hashfull {} tbhits {}",
        info.depth,
        info.seldepth,
        score(line),
        wdl.text(line),
        info.nodes,
        per_second(info.nodes, info.elapsed),
        info.elapsed.as_millis(),
        info.hashfull,
        info.tbhits,
    );
    if let Some(visits) = line.visits {
        text += &format!(" visits {visits}");
    }
    if !line.pv.is_empty() {
        text += " pv ";
        text += &line.pv.join(" ");
    }
    text
}

fn score(line: &PvLine<String>) -> String {
    match line.mate {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", line.score.0),
    }
}

/// Nodes per second, counting at least a millisecond.
pub(super) fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1000);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// `bestmove`; the expected reply only where the flavour allows it.
pub(super) fn best_move(answer: Option<&BestMove<String>>, flavour: Flavour) -> String {
    match (answer, flavour) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(BestMove { best, ponder: Some(ponder) }), Flavour::Uci) => format!("bestmove {best} ponder {ponder}"),
        (Some(BestMove { best, .. }), _) => format!("bestmove {best}"),
    }
}

/// The end of a perft or a benchmark.
pub(super) fn total(label: &str, work: &str, nodes: Option<u64>, elapsed: Duration) -> String {
    match nodes {
        Some(nodes) => format!("{label} {nodes}\ntime {}\nnps {}", elapsed.as_millis(), per_second(nodes, elapsed)),
        None => format!("info string {work} stopped"),
    }
}
