//! Every check of a spec that needs no other file, in the order of its keys.

mod conditions;
mod engines;

use super::error::{InvalidKey, ensure, ensure_range};
use super::{Format, SprtSpec, TournamentSpec};

/// What nobody has a use for, and no number in the program overflows from.
const MOST_PAIRS: u64 = 1_000_000_000;
const MOST_RULESETS: usize = 256;
/// Beyond this many Elo the expected score is 1 to nine digits.
const MOST_ELO: f64 = 4_000.0;

pub(super) type Checked = Result<(), InvalidKey>;

/// The first thing wrong.
pub(super) fn check(spec: &TournamentSpec) -> Checked {
    let rulesets = spec.rulesets.len();
    ensure((1..=MOST_RULESETS).contains(&rulesets), "rulesets", || {
        format!("{rulesets} rulesets are given; expected 1 to {MOST_RULESETS}")
    })?;
    engines::check(spec)?;
    format(spec)?;
    length(spec)?;
    sprt(spec)?;
    conditions::check(spec)
}

fn format(spec: &TournamentSpec) -> Checked {
    let engines = spec.engines.len();
    let needs_two = matches!(spec.format, Format::Match | Format::Sprt);
    ensure(!needs_two || engines == 2, "engines", || {
        format!("{engines} engines are given; the format `{}` needs exactly 2", spec.format.name())
    })
}

/// How many games a pairing has.
fn length(spec: &TournamentSpec) -> Checked {
    match (spec.pairs, spec.games) {
        (None, None) => Err(InvalidKey::new("pairs", "is missing; exactly one of `pairs` and `games` is needed")),
        (Some(_), Some(_)) => {
            Err(InvalidKey::new("games", "stands beside `pairs`; exactly one of `pairs` and `games` is needed"))
        }
        (Some(pairs), None) => ensure_range("pairs", pairs, 1, MOST_PAIRS),
        (None, Some(games)) => {
            let is_fine = games % 2 == 0 && (2..=2 * MOST_PAIRS).contains(&games);
            ensure(is_fine, "games", || {
                let most = 2 * MOST_PAIRS;
                format!(
                    "{games} is not allowed; expected an even number from 2 to {most}, because every opening is played twice"
                )
            })
        }
    }
}

fn sprt(spec: &TournamentSpec) -> Checked {
    match (&spec.sprt, spec.format) {
        (None, Format::Sprt) => Err(InvalidKey::new("sprt", "is missing; the format `sprt` needs it")),
        (None, _) => Ok(()),
        (Some(test), Format::Sprt) => bounds(test),
        (Some(_), format) => {
            let message = format!("belongs to the format `sprt` only; this is `{}`", format.name());
            Err(InvalidKey::new("sprt", message))
        }
    }
}

fn bounds(test: &SprtSpec) -> Checked {
    let elos = [("sprt.elo0", test.elo0), ("sprt.elo1", test.elo1)];
    for (key, elo) in elos {
        ensure(elo.abs() <= MOST_ELO, key, || {
            format!("{elo} is not allowed; expected a number from -{MOST_ELO} to {MOST_ELO}")
        })?;
    }
    ensure(test.elo0 < test.elo1, "sprt.elo1", || {
        format!("{} is not allowed; expected more than elo0, which is {}", test.elo1, test.elo0)
    })?;
    for (key, chance) in [("sprt.alpha", test.alpha), ("sprt.beta", test.beta)] {
        ensure(chance > 0.0 && chance < 0.5, key, || {
            format!("{chance} is not allowed; expected a number above 0 and below 0.5")
        })?;
    }
    Ok(())
}
