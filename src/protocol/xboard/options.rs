//! Options and variants; the rules change only to a game that XBoard can play.

use super::sheet::Sheet;
use super::{Refusal, Xboard, error};
use crate::engine::{OptionKind, Options, SearchSession, chosen, registry};
use crate::protocol::Desk;

/// The options that choose the rules.
const RULESET: &str = "UCI_Variant";
const RULE_SWITCHES: &str = "RuleSwitches";
const RULES_FILE: &str = "RulesFile";
const RULES: [&str; 3] = [RULESET, RULE_SWITCHES, RULES_FILE];

impl Xboard {
    /// Begins a game of a catalog ruleset; a refused one leaves the old game as it is, its search included.
    pub(super) fn variant(&mut self, name: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let tell = |message: String| format!("tellusererror {message}");
        if let Some(obstacle) = obstacle(RULESET, name, desk.engine.options()) {
            return Err(tell(obstacle));
        }
        desk.engine.set_option(RULESET, Some(name)).map_err(|refusal| tell(refusal.to_string()))?;
        self.begin(desk).map_err(tell)
    }

    /// Sets an option; one that changes the rules begins a new game as `variant` does.
    pub(super) fn option(&mut self, rest: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
        let (name, value) = (name.trim(), value.trim());
        if let Some(obstacle) = obstacle(name, value, desk.engine.options()) {
            return Err(error(&obstacle, name));
        }
        let before = rules(desk.engine.options());
        set(name, value, desk)?;
        if rules(desk.engine.options()) == before {
            return Ok(());
        }
        self.begin(desk).map_err(|message| error(&message, name))?;
        self.carry_on(desk)
    }

    /// Begins a game of the rules that have just been chosen, and shows it to XBoard.
    fn begin(&mut self, desk: &mut Desk<'_>) -> Result<(), String> {
        self.withdraw(desk);
        desk.engine.new_game();
        let sheet = Sheet::of(desk.engine.session())?;
        desk.say(&sheet.setup(desk.engine.session()));
        sheet.pieces().iter().for_each(|line| desk.say(line));
        Ok(())
    }
}

/// Sets an option of the engine, a check box also by 0 or 1.
pub(super) fn set(name: &str, value: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
    let is_check = desk.engine.options().spec(name).is_ok_and(|spec| matches!(spec.kind, OptionKind::Check { .. }));
    let value = match (is_check, value) {
        (true, "1") => "true",
        (true, "0") => "false",
        _ => value,
    };
    desk.engine.set_option(name, Some(value)).map_err(|refusal| error(&refusal.to_string(), name))
}

/// What the options say about the rules.
fn rules(options: &Options) -> [String; 3] {
    RULES.map(|name| options.value(name).to_owned())
}

/// Why XBoard cannot play the game that an option would choose. There is none when the option chooses no game, and
/// none when the engine refuses it anyway, which then says more.
fn obstacle(name: &str, value: &str, options: &Options) -> Option<String> {
    let session = prospect(name, value, options)?;
    Sheet::of(&*session).err()
}

/// The game that an option would choose.
fn prospect(name: &str, value: &str, options: &Options) -> Option<Box<dyn SearchSession>> {
    let name = options.spec(name).ok()?.name.clone();
    if !RULES.contains(&name.as_str()) {
        return None;
    }
    let mut options = options.clone();
    options.set(&name, Some(value)).ok()?;
    if name == RULESET {
        options.set(RULES_FILE, None).ok()?;
    }
    registry::open(&chosen(&options).ok()?).ok()
}
