//! Two engines that are asked about a game whose rules we do not know.

use super::judge::{Judge, NoStanding, Standing};
use super::seated::{Notes, SEATS, Seated, clip};
use crate::rules::Seat;
use crate::tournament::player::{Failure, History};
use crate::tournament::record::{Cause, Ending, Forfeit};

/// Longest answer that is quoted, characters.
const LONGEST_QUOTE: usize = 60;
/// A move of a game that nobody here knows may be long, but it is one word.
const LONGEST_MOVE: usize = 200;

/// The engines' word counts: before every move both are asked `gameover` and then `p1turn`, at the end `result`.
///
/// Where they disagree nobody can say how the game stands: it ends there without a winner, and the disagreement is
/// kept. An answer that is none of the protocol's forfeits the game as refused. Moves are passed on as they come.
pub(super) struct EnginesJudge {
    /// Names and roles of the seats.
    sides: [(String, String); 2],
    notes: Notes,
}

impl EnginesJudge {
    /// `sides` are what seats 0 and 1 are called, and their roles.
    pub fn new(sides: [(String, String); 2]) -> Self {
        EnginesJudge { sides, notes: Notes::default() }
    }

    /// What both engines answer, or the ending when they do not answer the same.
    fn agree(
        &mut self,
        seated: &mut Seated<'_>,
        history: History<'_>,
        query: &str,
        vocabulary: &[&str],
    ) -> Result<Result<String, Ending>, (Seat, Failure)> {
        let first = word(seated, Seat::P1, history, query, vocabulary)?;
        let second = word(seated, Seat::P2, history, query, vocabulary)?;
        if first == second {
            return Ok(Ok(first));
        }
        let [p1, p2] = SEATS.map(|seat| seated.name(seat).to_owned());
        let difference = format!("{query}: {p1} says {first}, {p2} says {second}");
        self.notes.add(history.moves.len(), &format!("{p1} and {p2} disagree"), &difference);
        let reason = format!("the engines disagree about {query}");
        Ok(Err(Ending { winner: None, cause: Cause::Rules, reason }))
    }

    fn ending(&mut self, seated: &mut Seated<'_>, history: History<'_>) -> Result<Ending, (Seat, Failure)> {
        let result = match self.agree(seated, history, "result", &["p1win", "p2win", "draw"])? {
            Ok(result) => result,
            Err(disagreement) => return Ok(disagreement),
        };
        let winner = match result.as_str() {
            "p1win" => Some(Seat::P1),
            "p2win" => Some(Seat::P2),
            _ => None,
        };
        let reason = match winner {
            Some(seat) => format!("both engines say that {} has won", self.seat_name(seat)),
            None => "both engines say draw".to_owned(),
        };
        Ok(Ending { winner: winner.map(|seat| seat.0), cause: Cause::Rules, reason })
    }
}

/// The answer of one engine; anything outside the vocabulary is a failure.
fn word(
    seated: &mut Seated<'_>,
    seat: Seat,
    history: History<'_>,
    query: &str,
    vocabulary: &[&str],
) -> Result<String, (Seat, Failure)> {
    let answer = seated.ask(seat, history, query)?;
    if vocabulary.contains(&answer.as_str()) {
        return Ok(answer);
    }
    let told = clip(&answer, LONGEST_QUOTE);
    let message = format!("answers '{told}' to query {query}; expected {}", vocabulary.join(" or "));
    Err((seat, Failure { kind: Forfeit::Refused, message }))
}

impl Judge for EnginesJudge {
    fn seat_name(&self, seat: Seat) -> String {
        self.sides[seat.index() % 2].0.clone()
    }

    fn role(&self, seat: Seat) -> String {
        self.sides[seat.index() % 2].1.clone()
    }

    fn standing(&mut self, seated: &mut Seated<'_>, history: History<'_>) -> Result<Standing, NoStanding> {
        const TRUTH: [&str; 2] = ["true", "false"];
        let is_over = match self.agree(seated, history, "gameover", &TRUTH)? {
            Ok(answer) => answer == "true",
            Err(ending) => return Ok(Standing::Over(ending)),
        };
        if is_over {
            return Ok(Standing::Over(self.ending(seated, history)?));
        }
        Ok(match self.agree(seated, history, "p1turn", &TRUTH)? {
            Ok(answer) if answer == "true" => Standing::ToMove(Seat::P1),
            Ok(_) => Standing::ToMove(Seat::P2),
            Err(ending) => Standing::Over(ending),
        })
    }

    fn accept(&mut self, text: &str) -> Result<String, String> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            [word] if word.chars().count() <= LONGEST_MOVE => Ok(word.to_owned()),
            _ => Err(format!("move '{}': expected one word", clip(text, LONGEST_QUOTE))),
        }
    }

    fn disagreements(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes).into_lines()
    }
}
