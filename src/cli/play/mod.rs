//! `reynard play`: a game against the engine in the terminal.

mod dialogue;
mod moves;
mod picture;
pub(super) mod saved;
mod score;
mod screen;
mod words;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use clap::Args;
use dialogue::Dialogue;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::{Seat, Turn};
use reynard_engine::session::{OptionError, Options, Session, registry};
use score::Score;
use screen::Screen;

use super::exit::{Status, UsageError};
use super::pairs::{Pair, pair};
use super::ruleset::RulesetArgs;

/// Play a game against the engine in the terminal.
///
/// Type a move as two points, d4d5, or as the numbers of the old rule sheets, 17-10; type `help` to see what else
/// there is. On a terminal lines can be edited and come back with the arrow keys; NO_COLOR, TERM=dumb and the locale
/// decide about colours and signs. Without --side you play the side that acts first or, where the rules say first=lot,
/// the one that you draw.
#[derive(Args)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Your side: fox or geese (or what the game calls them, such as officers and attackers), or p1, p2, ...; any for
    /// one by lot, in games with dice for the highest throw, which begins and chooses. The engine plays all others
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,
    /// Seconds that the engine thinks about a move
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    time: Duration,
    /// How well the engine plays: from 0, at random, to 20, as well as it can
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=20))]
    level: Option<u8>,
    /// An option of the engine, for example --option Searcher=mcts; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    option: Vec<Pair>,
    /// Seed of the dice; without it every game has its own
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let refuse = || "expected seconds, more than 0 and at most 86400, for example 0.5".to_owned();
    let seconds: f64 = text.parse().map_err(|_| refuse())?;
    if seconds > 0.0 && seconds <= 86_400.0 { Ok(Duration::from_secs_f64(seconds)) } else { Err(refuse()) }
}

/// The default options with these changes.
///
/// # Errors
/// There is no such option, or it has no such value.
pub(super) fn options(changes: &[Pair]) -> Result<Options, OptionError> {
    let mut options = registry::default_options();
    changes.iter().try_for_each(|(name, value)| options.set(name, Some(value)))?;
    Ok(options)
}

pub(super) fn run(args: &PlayArgs) -> anyhow::Result<Status> {
    let session = args.ruleset.open()?;
    let mut options = options(&args.option)?;
    if let Some(level) = args.level {
        options.set("Skill Level", Some(&level.to_string()))?;
    }
    let seed = args.seed.unwrap_or_else(any_seed);
    let says_seed = args.option.iter().any(|(name, _)| name.eq_ignore_ascii_case("Seed"));
    if args.seed.is_some() || !says_seed {
        options.set("Seed", Some(&seed.to_string()))?;
    }
    options.check_table_path()?;
    let side = args.side.as_deref();
    let is_by_lot = side.map_or(session.game().rules["first"] == "lot", |side| side.eq_ignore_ascii_case("any"));
    let mut game = Dialogue {
        person: if is_by_lot { Seat::P1 } else { seat_of(&*session, side)? },
        // Games with dice begin with a roll.
        has_dice: session.turn() == Turn::Chance,
        session,
        options,
        time: args.time,
        screen: Screen::new()?,
        has_resigned: false,
        has_ended: false,
        score: Score::default(),
    };
    if is_by_lot && !game.draw_lots(&mut ChaCha8Rng::seed_from_u64(seed.into()))? {
        return Ok(Status::Done);
    }
    game.welcome()?;
    game.play()?;
    Ok(Status::Done)
}

/// Another one for every game: the standard library seeds its hash maps from the system's entropy.
fn any_seed() -> u32 {
    RandomState::new().build_hasher().finish() as u32
}

/// The seat that a person's word for a side means: its name in this game or in the family, or p1, p2, ...
fn seat_of(session: &dyn Session, side: Option<&str>) -> Result<Seat, UsageError> {
    let Some(side) = side else { return Ok(Seat::P1) };
    let seats = || (0..session.game().seats.len() as u8).map(Seat);
    let is_meant = |&seat: &Seat| {
        let names = [session.game().seat_name(seat), session.game().role(seat), &format!("p{}", seat.0 + 1)];
        names.iter().any(|name| name.eq_ignore_ascii_case(side))
    };
    let found = seats().find(is_meant);
    let names: Vec<_> = seats().map(|seat| session.game().seat_name(seat)).collect();
    found.ok_or_else(|| UsageError(format!("--side '{side}': expected {} or any", names.join(" or "))))
}
