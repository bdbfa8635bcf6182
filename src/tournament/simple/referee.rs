//! One game: the record is ours, and a move counts only when our rules allow it.

use std::time::{Duration, Instant};

use super::player::{Allowance, Player, PlayerError};
use super::spec::Pace;
use crate::engine::Session;
use crate::rules::{Outcome, Seat, Turn};

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ending {
    /// By the rules of the game.
    Rules(&'static str),
    PlyLimit,
    IllegalMove,
    TimeForfeit,
    /// The player broke down.
    Failure(String),
    /// Nobody rolls the dice here.
    Dice,
}

impl Ending {
    pub fn text(&self) -> String {
        match self {
            Ending::Rules(reason) => (*reason).to_owned(),
            Ending::PlyLimit => "ply limit reached".to_owned(),
            Ending::IllegalMove => "illegal move".to_owned(),
            Ending::TimeForfeit => "time forfeit".to_owned(),
            Ending::Failure(message) => format!("the player {message}"),
            Ending::Dice => "games with dice are not played here".to_owned(),
        }
    }
}

/// How a game went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// `None` for a draw.
    pub winner: Option<Seat>,
    pub ending: Ending,
    pub plies: usize,
    pub moves: Vec<String>,
}

/// Plays on from where `session` stands until the end; `players` and `paces` by seat.
pub fn play_game(
    session: &mut dyn Session,
    players: [&mut dyn Player; 2],
    paces: [Pace; 2],
    max_plies: usize,
) -> GameResult {
    let mut game = Game { session, players, paces, left: paces.map(base_time) };
    let (winner, ending) = game.play(max_plies);
    let moves = game.session.moves();
    GameResult { winner, ending, plies: moves.len(), moves }
}

fn base_time(pace: Pace) -> Duration {
    match pace {
        Pace::Clock { base, .. } => base,
        _ => Duration::ZERO,
    }
}

struct Game<'s, 'p> {
    session: &'s mut dyn Session,
    players: [&'p mut dyn Player; 2],
    /// What each may spend, by seat.
    paces: [Pace; 2],
    /// Time left by seat.
    left: [Duration; 2],
}

impl Game<'_, '_> {
    fn play(&mut self, max_plies: usize) -> (Option<Seat>, Ending) {
        let mut moves = self.session.moves();
        loop {
            let seat = match self.session.turn() {
                Turn::Over(Outcome { winner, reason }) => return (winner, Ending::Rules(reason)),
                Turn::Chance => return (None, Ending::Dice),
                Turn::Player(_) if moves.len() >= max_plies => return (None, Ending::PlyLimit),
                Turn::Player(seat) => seat,
            };
            match self.turn_of(seat, &moves) {
                Ok(text) => moves.push(text),
                Err(ending) => return (Some(seat.other()), ending),
            }
        }
    }

    /// One ply; the error is how the player has lost.
    fn turn_of(&mut self, seat: Seat, moves: &[String]) -> Result<String, Ending> {
        let allowance = Allowance { pace: self.paces[seat.index() % 2], left: self.left, seat };
        let start = Instant::now();
        let text = self.players[seat.index() % 2].choose(moves, &allowance).map_err(breakdown)?;
        self.charge(seat, start.elapsed())?;
        let canonical = self.session.canonical_move(&text).map_err(|_| Ending::IllegalMove)?;
        self.session.play(&canonical).map_err(|_| Ending::IllegalMove)?;
        Ok(canonical)
    }

    fn charge(&mut self, seat: Seat, spent: Duration) -> Result<(), Ending> {
        let Pace::Clock { increment, .. } = self.paces[seat.index() % 2] else { return Ok(()) };
        let left = &mut self.left[seat.index() % 2];
        *left = left.checked_sub(spent).ok_or(Ending::TimeForfeit)? + increment;
        Ok(())
    }
}

fn breakdown(error: PlayerError) -> Ending {
    match error {
        PlayerError::Silent => Ending::TimeForfeit,
        other => Ending::Failure(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::registry::{self, RulesetChoice};

    /// Gives prepared answers.
    struct Script(Vec<Result<String, PlayerError>>);

    impl Player for Script {
        fn new_game(&mut self, _seed: u64) -> Result<(), PlayerError> {
            Ok(())
        }

        fn choose(&mut self, _moves: &[String], _allowance: &Allowance) -> Result<String, PlayerError> {
            if self.0.is_empty() { Err(PlayerError::Gone) } else { self.0.remove(0) }
        }
    }

    fn play(p1: &[&str], p2: Vec<Result<String, PlayerError>>, max_plies: usize) -> GameResult {
        let mut session = registry::open(&RulesetChoice::catalog("masters-15")).expect("the default ruleset opens");
        let mut p1 = Script(p1.iter().map(|&text| Ok(text.to_owned())).collect());
        let mut p2 = Script(p2);
        play_game(&mut *session, [&mut p1, &mut p2], [Pace::Nodes(1); 2], max_plies)
    }

    #[test]
    fn an_illegal_move_loses() {
        let result = play(&["a4a6"], Vec::new(), 100);
        assert_eq!((result.winner, result.ending, result.plies), (Some(Seat::P2), Ending::IllegalMove, 0));
    }

    #[test]
    fn a_silent_player_loses_on_time() {
        let result = play(&["a4-a5"], vec![Err(PlayerError::Silent)], 100);
        assert_eq!((result.winner, result.ending), (Some(Seat::P1), Ending::TimeForfeit));
        assert_eq!(result.moves, ["a4a5"]);
    }

    #[test]
    fn the_ply_limit_draws() {
        let result = play(&["a4a5"], vec![Ok("d4d5".to_owned())], 2);
        assert_eq!((result.winner, result.ending, result.plies), (None, Ending::PlyLimit, 2));
    }
}
