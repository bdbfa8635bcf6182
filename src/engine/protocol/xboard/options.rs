//! Options and variants: how they are announced and set; the rules change only to a game that XBoard can play.

use super::variant::Variant;
use super::{Refusal, Xboard, error};
use crate::protocol::{NAME, Server};
use crate::session::options::{RULE_SWITCHES, RULES_OPTIONS, RULESET, is_rules_option};
use crate::session::registry::{self, RulesetChoice, WITHOUT_HUFFS};
use crate::session::{OptionKind, OptionSpec, Options, chosen};

/// Options that XBoard sets by commands of its own, or that mean nothing here.
const HIDDEN: [&str; 8] =
    ["UCI_Variant", "RulesFile", "Hash", "Threads", "Ponder", "OwnBook", "UCI_ShowWDL", "UCI_AnalyseMode"];

/// A name at the head of the list of variants: XBoard plays the first one when asked for one that does not exist.
const NO_FALLBACK: &str = "unknown";

/// The lines that answer `protover`.
pub(super) fn features(options: &Options) -> Vec<String> {
    let mut lines = vec!["feature done=0".to_owned()];
    lines.push(format!("feature myname=\"{NAME}\""));
    lines.push("feature setboard=1 usermove=1 ping=1 playother=1 time=1 draw=0 sigint=0 sigterm=0 reuse=1".to_owned());
    lines.push("feature analyze=1 colors=0 debug=1 memory=1 smp=1 san=0 nps=0 name=0 ics=0".to_owned());
    lines.push(format!("feature variants=\"{NO_FALLBACK},{}\"", variants().join(",")));
    let shown = options.specs().filter(|spec| !HIDDEN.contains(&spec.name.as_str()));
    lines.extend(shown.map(|spec| option(spec, options.value(&spec.name))));
    lines.push("feature done=1".to_owned());
    lines
}

/// The names of the rulesets that XBoard can play, and of the adapted games that replace others.
fn variants() -> Vec<&'static str> {
    let fits = |name: &&str| {
        let session = registry::open(&RulesetChoice::catalog(name));
        session.is_ok_and(|session| Variant::of(&*session).is_ok())
    };
    registry::ruleset_names().into_iter().filter(fits).chain(WITHOUT_HUFFS.map(|game| game.name)).collect()
}

fn option(spec: &OptionSpec, value: &str) -> String {
    let kind = match &spec.kind {
        OptionKind::Check => format!("check {}", u8::from(value == "true")),
        OptionKind::Spin { min, max } => format!("spin {value} {min} {max}"),
        OptionKind::Combo(choices) => {
            let star = |choice: &String| if choice == value { format!("*{choice}") } else { choice.clone() };
            format!("combo {}", choices.iter().map(star).collect::<Vec<_>>().join(" /// "))
        }
        OptionKind::Text => format!("string {value}"),
        OptionKind::Button => "button".to_owned(),
    };
    format!("feature option=\"{} -{kind}\"", spec.name)
}

impl Xboard {
    /// Begins a game of a catalog ruleset or an adapted game; if it is refused, the old game and its search go on.
    pub(super) fn variant(&mut self, name: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
        let refuse = |message: String| format!("tellusererror {message}");
        let changes = choice(name, server.engine.options());
        if let Some(obstacle) = obstacle(&changes, server.engine.options()) {
            let other = WITHOUT_HUFFS.iter().find(|game| game.ruleset == name);
            let hint = other.map(|game| format!("; variant {} is this game without that", game.name));
            return Err(refuse(obstacle + &hint.unwrap_or_default()));
        }
        for (option, value) in changes {
            server.engine.set_option(option, Some(value)).map_err(|refusal| refuse(refusal.to_string()))?;
        }
        self.begin(server).map_err(refuse)
    }

    /// Sets an option; an option that changes the rules begins a new game, as the command `variant` does.
    pub(super) fn option(&mut self, rest: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
        let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
        let name = name.trim();
        let value = value.trim();
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

/// Sets an option of the engine; a check box may also be 0 or 1.
pub(super) fn set(name: &str, value: &str, server: &mut Server<'_>) -> Result<(), Refusal> {
    let is_check = server.engine.options().spec(name).is_ok_and(|spec| spec.kind == OptionKind::Check);
    let value = match value {
        "1" if is_check => "true",
        "0" if is_check => "false",
        _ => value,
    };
    server.engine.set_option(name, Some(value)).map_err(|refusal| error(&refusal.to_string(), name))
}

/// The values of the options that choose the rules.
pub(super) fn rules(options: &Options) -> [String; 3] {
    RULES_OPTIONS.map(|name| options.value(name).to_owned())
}

/// The options that choose a variant with their values, in the order in which they are to be set.
fn choice<'a>(name: &'a str, options: &Options) -> Vec<(&'static str, &'a str)> {
    if let Some(game) = WITHOUT_HUFFS.iter().find(|game| game.name == name) {
        return vec![(RULE_SWITCHES, ""), (RULESET, game.ruleset), (RULE_SWITCHES, game.switches)];
    }
    // Switches that came with an adapted game are cleared; switches of the user stay.
    let is_adapted = WITHOUT_HUFFS.iter().any(|game| game.switches == options.value(RULE_SWITCHES));
    let clear = is_adapted.then_some((RULE_SWITCHES, ""));
    clear.into_iter().chain([(RULESET, name)]).collect()
}

/// Why options that choose a game cannot be set, or why XBoard cannot play that game. `None` also for rules that do not
/// compile: the engine's own error says more.
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
