//! Options and variants; the rules change only to a game that XBoard can play.

use super::variant::Variant;
use super::{Refusal, Xboard, error};
use crate::protocol::Server;
use crate::session::options::{RULE_SWITCHES, RULES_OPTIONS, RULESET, is_rules_option};
use crate::session::registry::WITHOUT_HUFFS;
use crate::session::{OptionKind, Options, chosen, registry};

/// The names of the games that XBoard can play only by other rules.
pub(super) fn adapted() -> impl Iterator<Item = &'static str> {
    WITHOUT_HUFFS.iter().map(|&(name, ..)| name)
}

impl Xboard {
    /// Begins a game of a catalog ruleset or an adapted one; a refused one leaves the old game as it is, its search
    /// included.
    pub(super) fn variant(&mut self, name: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
        let tell = |message: String| format!("tellusererror {message}");
        let changes = choice(name, server.engine.options());
        if let Some(obstacle) = obstacle(&changes, server.engine.options()) {
            let other = WITHOUT_HUFFS.iter().find(|&&(_, ruleset, _)| ruleset == name);
            let hint = other.map(|(adapted, ..)| format!("; variant {adapted} is this game without that"));
            return Err(tell(obstacle + &hint.unwrap_or_default()));
        }
        for (option, value) in changes {
            server.engine.set_option(option, Some(value)).map_err(|refusal| tell(refusal.to_string()))?;
        }
        self.begin(server).map_err(tell)
    }

    /// Sets an option; one that changes the rules begins a new game as `variant` does.
    pub(super) fn option(&mut self, rest: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
        let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
        let (name, value) = (name.trim(), value.trim());
        if is_rules_option(name)
            && let Some(obstacle) = obstacle(&[(name, value)], server.engine.options())
        {
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

/// The options that choose a variant, in this order.
fn choice<'a>(name: &'a str, options: &Options) -> Vec<(&'static str, &'a str)> {
    if let Some(&(_, ruleset, switches)) = WITHOUT_HUFFS.iter().find(|&&(adapted, ..)| adapted == name) {
        return vec![(RULE_SWITCHES, ""), (RULESET, ruleset), (RULE_SWITCHES, switches)];
    }
    // The switches of an adapted game go with it, those that somebody has set stay.
    let is_adapted = WITHOUT_HUFFS.iter().any(|&(.., switches)| switches == options.value(RULE_SWITCHES));
    let clear = is_adapted.then_some((RULE_SWITCHES, ""));
    clear.into_iter().chain([(RULESET, name)]).collect()
}

/// Why options that choose a game cannot be set, or why XBoard cannot play that game. None where the rules do not
/// compile, of which the engine says more.
fn obstacle(changes: &[(&str, &str)], options: &Options) -> Option<String> {
    let mut options = options.clone();
    for (name, value) in changes {
        if let Err(refusal) = options.set(name, Some(value)) {
            return Some(refusal.to_string());
        }
    }
    let session = registry::open(&chosen(&options).ok()?).ok()?;
    Variant::of(&*session).err()
}
