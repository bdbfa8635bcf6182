//! Checks of how games begin, end and are judged.

use super::Checked;
use crate::tournament::spec::error::{ensure, ensure_range};
use crate::tournament::spec::{Balance, EventKind, Openings, Supervision, TournamentSpec};

/// A day.
const LONGEST_MS: u64 = 86_400_000;
const MOST_PLIES: u32 = 100_000;
const MOST_OPENING_PLIES: u32 = 200;
const MOST_WORKERS: usize = 256;
/// Proved results lie beyond this.
const MOST_CP: u32 = 30_000;
const MOST_PROCESSOR: usize = 4_095;

pub(super) fn check(spec: &TournamentSpec) -> Checked {
    openings(spec)?;
    ensure_range("time_margin_ms", spec.time_margin_ms, 0, LONGEST_MS)?;
    ensure_range("max_plies", spec.max_plies.into(), 1, MOST_PLIES.into())?;
    adjudication(spec)?;
    supervision(&spec.supervision)?;
    ensure_range("concurrency", spec.concurrency as u64, 1, MOST_WORKERS as u64)?;
    affinity(&spec.affinity)?;
    events(&spec.events)
}

fn openings(spec: &TournamentSpec) -> Checked {
    let Some(Openings::Random { plies, balance }) = &spec.openings else { return Ok(()) };
    ensure_range("openings.plies", (*plies).into(), 1, MOST_OPENING_PLIES.into())?;
    ensure(*plies < spec.max_plies, "openings.plies", || {
        format!("{plies} is not allowed; expected less than max_plies, which is {}", spec.max_plies)
    })?;
    match balance {
        None => Ok(()),
        Some(Balance::Table { .. }) => needs_tables(spec, "openings.balance.by", "`table`"),
        Some(Balance::Evaluation { max_cp, nodes }) => {
            ensure_range("openings.balance.max_cp", (*max_cp).into(), 0, MOST_CP.into())?;
            ensure_range("openings.balance.nodes", *nodes, 1, 1_000_000_000)
        }
    }
}

fn adjudication(spec: &TournamentSpec) -> Checked {
    let most_plies = u64::from(MOST_PLIES);
    if let Some(rule) = spec.adjudication.draw {
        ensure_range("adjudication.draw.after_plies", rule.after_plies.into(), 0, most_plies)?;
        ensure_range("adjudication.draw.plies", rule.plies.into(), 1, most_plies)?;
        ensure_range("adjudication.draw.score_cp", rule.score_cp.into(), 0, MOST_CP.into())?;
    }
    if let Some(rule) = spec.adjudication.resign {
        ensure_range("adjudication.resign.moves", rule.moves.into(), 1, most_plies)?;
        ensure_range("adjudication.resign.score_cp", rule.score_cp.into(), 1, MOST_CP.into())?;
    }
    if let Some(plies) = spec.adjudication.table_after_plies {
        ensure_range("adjudication.table_after_plies", plies.into(), 0, most_plies)?;
        ensure(spec.adjudication.table, "adjudication.table_after_plies", || {
            "belongs to `table`: true, which is not given".to_owned()
        })?;
    }
    if spec.adjudication.table { needs_tables(spec, "adjudication.table", "true") } else { Ok(()) }
}

/// Refuses a value that only tables give a meaning to.
fn needs_tables(spec: &TournamentSpec, key: &str, value: &str) -> Checked {
    ensure(spec.tables.is_some(), key, || {
        format!("{value} needs tables of perfect play; the key `tables` names their folder")
    })
}

fn supervision(supervision: &Supervision) -> Checked {
    let Supervision { start_ms, ping_ms, stop_ms, untimed_search_ms, line_bytes, lines } = *supervision;
    ensure_range("supervision.start_ms", start_ms, 1, LONGEST_MS)?;
    ensure_range("supervision.ping_ms", ping_ms, 1, LONGEST_MS)?;
    ensure_range("supervision.stop_ms", stop_ms, 1, LONGEST_MS)?;
    ensure_range("supervision.untimed_search_ms", untimed_search_ms, 1, LONGEST_MS)?;
    ensure_range("supervision.line_bytes", line_bytes as u64, 64, 1 << 30)?;
    ensure_range("supervision.lines", lines, 1, 1_000_000_000)
}

fn affinity(processors: &[usize]) -> Checked {
    for (index, &processor) in processors.iter().enumerate() {
        let key = format!("affinity[{index}]");
        ensure_range(&key, processor as u64, 0, MOST_PROCESSOR as u64)?;
        ensure(!processors[..index].contains(&processor), key, || format!("processor {processor} is listed twice"))?;
    }
    Ok(())
}

fn events(events: &[EventKind]) -> Checked {
    for (index, event) in events.iter().enumerate() {
        ensure(!events[..index].contains(event), format!("events[{index}]"), || "is listed twice".to_owned())?;
    }
    Ok(())
}
