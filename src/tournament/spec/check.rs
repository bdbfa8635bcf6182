//! Checks of a spec that need no other file: the bounds of its schema, then what depends on several keys.

use super::error::{InvalidKey, ensure, ensure_bounds};
use super::{
    AdjudicationSpec, Balance, EngineSpec, Format, Limits, Openings, OptionValues, ProgramSpec, SprtSpec,
    TournamentSpec, engine, value_text,
};

type Checked = Result<(), InvalidKey>;

/// The first thing wrong.
pub(super) fn check(spec: &TournamentSpec) -> Checked {
    ensure_bounds(spec)?;
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
    }
    format(spec)?;
    length(spec)?;
    sprt(spec)?;
    openings(spec)?;
    adjudication(spec)
}

fn name(name: &str, earlier: Option<usize>, key: &str) -> Checked {
    let is_plain = !name.chars().any(char::is_control) && name.trim() == name;
    ensure(is_plain && (1..=engine::LONGEST_NAME).contains(&name.len()), key, || {
        let most = engine::LONGEST_NAME;
        format!("{name:?} is not allowed; expected 1 to {most} bytes without line breaks or blanks at the ends")
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
    ensure(engine.time_odds.is_none() || effective.is_timed(), format!("{key}.time_odds"), || {
        "multiplies times, but there is neither clock_ms nor movetime_ms".to_owned()
    })
}

fn limits(limits: &Limits, key: &str) -> Checked {
    let Limits { clock_ms, increment_ms, moves_to_go, .. } = limits;
    for (name, is_given) in [("increment_ms", increment_ms.is_some()), ("moves_to_go", moves_to_go.is_some())] {
        ensure(!is_given || clock_ms.is_some(), format!("{key}.{name}"), || "needs clock_ms beside it".to_owned())?;
    }
    Ok(())
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
    let one = "exactly one of `pairs` and `games` is needed";
    ensure(spec.pairs.is_some() || spec.games.is_some(), "pairs", || format!("is missing; {one}"))?;
    ensure(spec.pairs.is_none() || spec.games.is_none(), "games", || format!("stands beside `pairs`; {one}"))?;
    ensure(spec.games.is_none_or(|games| games.is_multiple_of(2)), "games", || {
        "expected an even number, because every opening is played twice".to_owned()
    })
}

fn sprt(spec: &TournamentSpec) -> Checked {
    match (&spec.sprt, spec.format) {
        (None, Format::Sprt) => Err(InvalidKey::new("sprt", "is missing; the format `sprt` needs it")),
        (None, _) => Ok(()),
        (Some(SprtSpec { elo0, elo1, .. }), Format::Sprt) => ensure(elo0 < elo1, "sprt.elo1", || {
            format!("{elo1} is not allowed; expected more than elo0, which is {elo0}")
        }),
        (Some(_), format) => {
            let message = format!("belongs to the format `sprt` only; this is `{}`", format.name());
            Err(InvalidKey::new("sprt", message))
        }
    }
}

fn openings(spec: &TournamentSpec) -> Checked {
    let Some(Openings::Random { plies, balance }) = &spec.openings else { return Ok(()) };
    ensure(*plies < spec.max_plies, "openings.plies", || {
        format!("{plies} is not allowed; expected less than max_plies, which is {}", spec.max_plies)
    })?;
    match balance {
        Some(Balance::Table { .. }) => needs_tables(spec, "openings.balance.by", "`table`"),
        Some(Balance::Evaluation { .. }) | None => Ok(()),
    }
}

fn adjudication(spec: &TournamentSpec) -> Checked {
    let AdjudicationSpec { table, table_after_plies, .. } = spec.adjudication;
    ensure(table || table_after_plies.is_none(), "adjudication.table_after_plies", || {
        "belongs to `table`: true, which is not given".to_owned()
    })?;
    if table { needs_tables(spec, "adjudication.table", "true") } else { Ok(()) }
}

/// Refuses a value that only tables give a meaning to.
fn needs_tables(spec: &TournamentSpec, key: &str, value: &str) -> Checked {
    ensure(spec.tables.is_some(), key, || {
        format!("{value} needs tables of perfect play; the key `tables` names their folder")
    })
}
