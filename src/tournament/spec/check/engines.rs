//! Checks of the participants and of what they may spend.

use super::Checked;
use crate::tournament::spec::error::ensure_range;
use crate::tournament::spec::{
    EngineSpec, InvalidKey, Limits, OptionValues, ProgramSpec, TournamentSpec, ensure, value_text,
};

/// All pairs of so many are still a list that fits.
const MOST_ENGINES: usize = 256;
const LONGEST_NAME: usize = 100;
/// A day.
const LONGEST_MS: u64 = 86_400_000;
const MOST_MOVES_TO_GO: u32 = 10_000;
const MOST_DEPTH: u32 = 10_000;
const MOST_ODDS: f64 = 1_000.0;

pub(super) fn check(spec: &TournamentSpec) -> Checked {
    let count = spec.engines.len();
    ensure((2..=MOST_ENGINES).contains(&count), "engines", || {
        format!("{count} engines are given; expected 2 to {MOST_ENGINES}")
    })?;
    limits(&spec.limits, "limits")?;
    for (index, engine) in spec.engines.iter().enumerate() {
        let key = format!("engines[{index}]");
        let earlier = spec.engines[..index].iter().position(|other| other.name == engine.name);
        name(&engine.name, earlier, &format!("{key}.name"))?;
        if let Some(program) = &engine.program {
            self::program(program, &format!("{key}.program"))?;
        }
        options(engine, &key)?;
        spending(spec, engine, &key)?;
        ensure_range(format!("{key}.time_margin_ms"), engine.time_margin_ms.unwrap_or(0), 0, LONGEST_MS)?;
    }
    Ok(())
}

fn name(name: &str, earlier: Option<usize>, key: &str) -> Checked {
    let is_plain = !name.chars().any(char::is_control) && name.trim() == name;
    ensure(is_plain && (1..=LONGEST_NAME).contains(&name.len()), key, || {
        format!("{name:?} is not allowed; expected 1 to {LONGEST_NAME} bytes without line breaks or blanks at the ends")
    })?;
    match earlier {
        Some(index) => {
            Err(InvalidKey::new(key, format!("'{name}' is also the name of engines[{index}]; names are unique")))
        }
        None => Ok(()),
    }
}

fn program(program: &ProgramSpec, key: &str) -> Checked {
    // The system takes no zero bytes in any of these.
    let is_text = |text: &str| !text.contains('\0');
    let command = program.command.to_string_lossy();
    ensure(!command.is_empty() && is_text(&command), format!("{key}.command"), || {
        "expected the path or the name of a program".to_owned()
    })?;
    for (index, argument) in program.args.iter().enumerate() {
        ensure(is_text(argument), format!("{key}.args[{index}]"), || "zero bytes are not allowed".to_owned())?;
    }
    for (name, value) in &program.env {
        let is_fine = !name.is_empty() && !name.contains('=') && is_text(name) && is_text(value);
        ensure(is_fine, format!("{key}.env.{name}"), || {
            "expected a name without '=' and texts without zero bytes".to_owned()
        })?;
    }
    Ok(())
}

/// The shape of names and values; whether the engine knows them is seen when they are set.
fn options(engine: &EngineSpec, key: &str) -> Checked {
    option_list(&engine.options, &format!("{key}.options"))?;
    engine.by_role.iter().try_for_each(|(role, values)| option_list(values, &format!("{key}.as.{role}")))
}

fn option_list(values: &OptionValues, key: &str) -> Checked {
    for (name, value) in values {
        let is_fine = !name.trim().is_empty() && !name.chars().any(char::is_control);
        ensure(is_fine, key, || format!("{name:?} is not the name of an option"))?;
        let text = value_text(value);
        let is_line = text.is_some_and(|text| !text.chars().any(char::is_control));
        ensure(is_line, format!("{key}.{name}"), || {
            format!("{value} is not allowed; expected a text without line breaks, a number, true or false")
        })?;
    }
    Ok(())
}

/// Every engine stops searching by itself.
fn spending(spec: &TournamentSpec, engine: &EngineSpec, key: &str) -> Checked {
    if let Some(own) = &engine.limits {
        limits(own, &format!("{key}.limits"))?;
    }
    let effective = engine.limits.unwrap_or(spec.limits);
    let limits_key = if engine.limits.is_some() { format!("{key}.limits") } else { "limits".to_owned() };
    ensure(effective.is_bounded(), limits_key, || {
        let name = &engine.name;
        format!("nothing bounds the searches of '{name}'; expected at least one of clock_ms, movetime_ms, nodes, depth")
    })?;
    let Some(odds) = engine.time_odds else { return Ok(()) };
    let odds_key = format!("{key}.time_odds");
    ensure(odds > 0.0 && odds <= MOST_ODDS, odds_key.clone(), || {
        format!("{odds} is not allowed; expected a number above 0 and at most {MOST_ODDS}")
    })?;
    ensure(effective.is_timed(), odds_key, || {
        "multiplies times, but there is neither clock_ms nor movetime_ms".to_owned()
    })
}

fn limits(limits: &Limits, key: &str) -> Checked {
    let Limits { clock_ms, increment_ms, moves_to_go, movetime_ms, nodes, depth } = *limits;
    let wide = |number: Option<u32>| number.map(u64::from);
    let ranges = [
        ("clock_ms", clock_ms, 1, LONGEST_MS),
        ("increment_ms", increment_ms, 0, LONGEST_MS),
        ("moves_to_go", wide(moves_to_go), 1, u64::from(MOST_MOVES_TO_GO)),
        ("movetime_ms", movetime_ms, 1, LONGEST_MS),
        ("nodes", nodes, 1, u64::MAX),
        ("depth", wide(depth), 1, u64::from(MOST_DEPTH)),
    ];
    for (name, value, min, max) in ranges {
        let Some(value) = value else { continue };
        ensure_range(format!("{key}.{name}"), value, min, max)?;
    }
    for (name, is_given) in [("increment_ms", increment_ms.is_some()), ("moves_to_go", moves_to_go.is_some())] {
        ensure(!is_given || clock_ms.is_some(), format!("{key}.{name}"), || "needs clock_ms beside it".to_owned())?;
    }
    Ok(())
}
