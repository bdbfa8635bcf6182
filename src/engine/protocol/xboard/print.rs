//! Lines that the engine writes to XBoard.

use super::variant::Variant;
use super::{moves, options};
use crate::rules::{Outcome, Seat};
use crate::search::{PvLine, SearchInfo};
use crate::session::registry::{self, RulesetChoice};
use crate::session::{OptionKind, OptionSpec, Options, Session};

/// The score that stands for "mate in 0".
const MATE: i64 = 100_000;

/// Options that XBoard sets by commands of its own, or that have no meaning here.
const HIDDEN: [&str; 8] =
    ["UCI_Variant", "RulesFile", "Hash", "Threads", "Ponder", "OwnBook", "UCI_ShowWDL", "UCI_AnalyseMode"];

/// XBoard begins the first game of the list when it is asked for one that is not there, unless it finds this name first.
const NO_FALLBACK: &str = "unknown";

/// The answer to `protover`.
pub(super) fn features(options: &Options) -> Vec<String> {
    let mut lines = vec!["feature done=0".to_owned()];
    lines.push(concat!("feature myname=\"reynard ", env!("CARGO_PKG_VERSION"), "\"").to_owned());
    lines.push("feature setboard=1 usermove=1 ping=1 playother=1 time=1 draw=0 sigint=0 sigterm=0 reuse=1".to_owned());
    lines.push("feature analyze=1 colors=0 debug=1 memory=1 smp=1 san=0 nps=0 name=0 ics=0".to_owned());
    lines.push(format!("feature variants=\"{NO_FALLBACK},{}\"", variants().join(",")));
    let shown = options.specs().filter(|spec| !HIDDEN.contains(&spec.name.as_str()));
    lines.extend(shown.map(|spec| option(spec, options.value(&spec.name))));
    lines.push("feature done=1".to_owned());
    lines
}

/// The rulesets that XBoard can play, and those that it can by other rules.
fn variants() -> Vec<&'static str> {
    let fits = |name: &&str| {
        let session = registry::open(&RulesetChoice::catalog(name));
        session.is_ok_and(|session| Variant::of(&*session).is_ok())
    };
    registry::ruleset_names().into_iter().filter(fits).chain(options::adapted()).collect()
}

fn option(spec: &OptionSpec, value: &str) -> String {
    let kind = match &spec.kind {
        OptionKind::Check { .. } => format!("check {}", u8::from(value == "true")),
        OptionKind::Spin { min, max, .. } => format!("spin {value} {min} {max}"),
        OptionKind::Combo { choices, .. } => {
            let star = |choice: &String| if choice == value { format!("*{choice}") } else { choice.clone() };
            format!("combo {}", choices.iter().map(star).collect::<Vec<_>>().join(" /// "))
        }
        OptionKind::Text { .. } => format!("string {value}"),
        OptionKind::Button => "button".to_owned(),
    };
    format!("feature option=\"{} -{kind}\"", spec.name)
}

/// One line of thinking output for each line of play; nothing for a finished game, nor where no line is new.
pub(super) fn thinking(info: &SearchInfo<String>, session: &mut dyn Session) -> Vec<String> {
    let time = info.elapsed.as_millis() / 10;
    let mut text = |line: &PvLine<String>| {
        format!("{} {} {time} {} {}", info.depth, score(line), info.nodes, moves::line(session, &line.pv))
    };
    info.lines.iter().filter(|_| info.depth > 0 && info.current.is_none()).map(&mut text).collect()
}

fn score(line: &PvLine<String>) -> i64 {
    match line.mate {
        Some(moves) if moves > 0 => MATE + i64::from(moves),
        Some(moves) => i64::from(moves) - MATE,
        None => i64::from(line.score.0),
    }
}

/// The claim that ends a game.
pub(super) fn result(outcome: Outcome, reason: &str) -> String {
    let result = match outcome.winner {
        None => "1/2-1/2",
        Some(Seat::P1) => "1-0",
        Some(_) => "0-1",
    };
    format!("{result} {{{reason}}}")
}

/// The answer to `.` during an analysis, also before its first report.
pub(super) fn status(report: Option<&SearchInfo<String>>, session: &mut dyn Session) -> String {
    let legal_moves = session.legal_moves().len();
    let Some(info) = report else { return format!("stat01: 0 0 0 {legal_moves} {legal_moves}") };
    let pv = info.lines.first().map_or(&[][..], |line| &line.pv);
    let best = moves::line(session, &pv[..pv.len().min(1)]);
    let time = info.elapsed.as_millis() / 10;
    format!("stat01: {time} {} {} 0 {legal_moves} {best}", info.nodes, info.depth).trim_end().to_owned()
}
