//! Options and variants; the rules change only to a game that XBoard can play.

use super::variant::Variant;
use super::{Refusal, Xboard, error};
use crate::engine::options::{RULES_OPTIONS, RULESET, is_rules_option};
use crate::engine::{OptionKind, Options, chosen, registry};
use crate::protocol::Server;

impl Xboard {
    /// Begins a game of a catalog ruleset; a refused one leaves the old game as it is, its search included.
    pub(super) fn variant(&mut self, name: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
        let tell = |message: String| format!("tellusererror {message}");
        if let Some(obstacle) = obstacle(RULESET, name, server.engine.options()) {
            return Err(tell(obstacle));
        }
        server.engine.set_option(RULESET, Some(name)).map_err(|refusal| tell(refusal.to_string()))?;
        self.begin(server).map_err(tell)
    }

    /// Sets an option; one that changes the rules begins a new game as `variant` does.
    pub(super) fn option(&mut self, rest: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
        let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
        let (name, value) = (name.trim(), value.trim());
        if let Some(obstacle) = obstacle(name, value, server.engine.options()) {
            return Err(error(&obstacle, name));
        }
        let before = rules(server.engine.options());
        set(name, value, server)?;
        if rules(server.engine.options()) == before {
            return Ok(());
        }
        self.begin(server).map_err(|message| error(&message, name))?;
        self.carry_on(server)
    }

    /// Begins a game of the rules that have just been chosen, and shows it to XBoard.
    fn begin(&mut self, server: &mut Server<'_>) -> Result<(), String> {
        self.is_game_chosen = true;
        self.withdraw(server);
        server.engine.new_game();
        let variant = Variant::of(server.engine.session())?;
        server.say(&variant.setup(server.engine.session()));
        variant.pieces().iter().for_each(|line| server.say(line));
        Ok(())
    }
}

/// Sets an option of the engine, a check box also by 0 or 1.
pub(super) fn set(name: &str, value: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
    let is_check = server.engine.options().spec(name).is_ok_and(|spec| matches!(spec.kind, OptionKind::Check { .. }));
    let value = match (is_check, value) {
        (true, "1") => "true",
        (true, "0") => "false",
        _ => value,
    };
    server.engine.set_option(name, Some(value)).map_err(|refusal| error(&refusal.to_string(), name))
}

/// What the options say about the rules.
pub(super) fn rules(options: &Options) -> [String; 3] {
    RULES_OPTIONS.map(|name| options.value(name).to_owned())
}

/// Why XBoard cannot play the game that an option would choose. There is none when the option chooses no game, and
/// none when the engine refuses it anyway, which then says more.
fn obstacle(name: &str, value: &str, options: &Options) -> Option<String> {
    if !is_rules_option(name) {
        return None;
    }
    let mut options = options.clone();
    options.set(name, Some(value)).ok()?;
    let session = registry::open(&chosen(&options).ok()?).ok()?;
    Variant::of(&*session).err()
}
