//! Two engines that are asked about a game whose rules we do not know, or that we leave to them.

use super::judge::{Judge, NoStanding, Refusal, Standing, play};
use super::seated::{Notes, SEATS, Seated, clip};
use crate::engine::Session;
use crate::rules::{Seat, Turn};
use crate::tournament::player::{Failure, History};
use crate::tournament::record::{Cause, Ending, Forfeit};

/// Longest answer that is quoted, characters.
const LONGEST_QUOTE: usize = 60;
/// A move of a game that nobody here knows may be long, but it is one word.
const LONGEST_MOVE: usize = 200;

/// The engines' word counts: before every move both are asked `gameover` and then `p1turn`, at the end `result`.
///
/// Where they disagree nobody can say how the game stands: it ends there without a winner, and the disagreement is
/// kept. An answer that is none of the protocol's forfeits the game as refused.
///
/// Nobody loses by the opponent's illegal move. By our own rules, where we know them, a move is legal or not; else both
/// engines are asked for their `legalmoves` before it. A move that neither of them lists is illegal; one that only its
/// own engine lists leaves the game undecided. With engines that do not answer, a move that the opponent refuses
/// afterwards is illegal if its own engine refuses it too, and undecided otherwise.
pub(super) struct EnginesJudge<'a> {
    /// Names and roles of the seats.
    sides: [(String, String); 2],
    /// Our own rules, at the same position.
    rules: Option<&'a mut dyn Session>,
    names: [String; 2],
    /// Plies where the game stands.
    plies: usize,
    /// What each seat lists where the game stands; `None` from an engine that does not say.
    legal: [Option<Vec<String>>; 2],
    /// Who made the last move, and whether it is known to have been a legal one.
    last: Option<(Seat, Legality)>,
    notes: Notes,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Legality {
    Known,
    /// The opponent has not said what is legal.
    Assumed,
}

impl<'a> EnginesJudge<'a> {
    /// `sides` are what seats 0 and 1 are called, and their roles; `rules` stand where the game begins.
    pub(super) fn new(sides: [(String, String); 2], rules: Option<&'a mut dyn Session>) -> Self {
        let names = [String::new(), String::new()];
        EnginesJudge { sides, rules, names, plies: 0, legal: [None, None], last: None, notes: Notes::default() }
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
        let [p1, p2] = &self.names;
        let difference = format!("{query}: {p1} says {first}, {p2} says {second}");
        Ok(Err(self.undecided(history.moves.len(), query, &difference)))
    }

    /// The end of a game about which the engines do not agree.
    fn undecided(&mut self, ply: usize, subject: &str, difference: &str) -> Ending {
        let [p1, p2] = &self.names;
        self.notes.add(ply, &format!("{p1} and {p2} disagree"), difference);
        let reason = format!("the engines disagree about {subject}");
        Ending { winner: None, cause: Cause::Rules, reason }
    }

    /// What both engines make of the game.
    fn answers(&mut self, seated: &mut Seated<'_>, history: History<'_>) -> Result<Standing, (Seat, Failure)> {
        const TRUTH: [&str; 2] = ["true", "false"];
        let is_over = match self.agree(seated, history, "gameover", &TRUTH)? {
            Ok(answer) => answer == "true",
            Err(ending) => return Ok(Standing::Over(ending)),
        };
        if is_over {
            return Ok(Standing::Over(self.ending(seated, history)?));
        }
        let seat = match self.agree(seated, history, "p1turn", &TRUTH)? {
            Ok(answer) if answer == "true" => Seat::P1,
            Ok(_) => Seat::P2,
            Err(ending) => return Ok(Standing::Over(ending)),
        };
        self.learn_legal_moves(seated, history, seat)?;
        Ok(Standing::ToMove(seat))
    }

    fn learn_legal_moves(
        &mut self,
        seated: &mut Seated<'_>,
        history: History<'_>,
        mover: Seat,
    ) -> Result<(), (Seat, Failure)> {
        // The engines have the last word: where they play by other rules than ours, ours say nothing.
        if self.rules.as_ref().is_some_and(|rules| rules.turn() != Turn::Player(mover)) {
            self.notes.add(
                history.moves.len(),
                "referee",
                "has other rules than both engines; legality is left to them",
            );
            self.rules = None;
        }
        if self.rules.is_none() {
            for seat in SEATS {
                self.legal[seat.index()] = move_list(&seated.ask(seat, history, "legalmoves")?);
            }
        }
        Ok(())
    }

    /// The position after the opponent's move is refused by `seat`: whose fault is that?
    fn blame(
        &mut self,
        seated: &mut Seated<'_>,
        history: History<'_>,
        (seat, failure): (Seat, Failure),
    ) -> Result<Standing, (Seat, Failure)> {
        let mover = match self.last {
            Some((mover, Legality::Assumed)) if mover != seat && failure.kind == Forfeit::Refused => mover,
            _ => return Err((seat, failure)),
        };
        let mv = history.moves.last().map_or("", String::as_str);
        match seated.ask(mover, history, "gameover") {
            Err((_, own)) if own.kind == Forfeit::Refused => {
                let message = format!("move '{}': both engines refuse it: {}", clip(mv, LONGEST_QUOTE), own.message);
                Err((mover, Failure { kind: Forfeit::IllegalMove, message }))
            }
            Err(lost) => Err(lost),
            Ok(_) => {
                let [own, other] = [mover, seat].map(|seat| self.names[seat.index()].clone());
                let difference =
                    format!("{own} played {}, {other} refuses it: {}", clip(mv, LONGEST_QUOTE), failure.message);
                Ok(Standing::Over(self.undecided(history.moves.len(), "legalmoves", &difference)))
            }
        }
    }

    /// Whether a move is legal by the lists of both engines.
    fn judge_by_lists(&mut self, mover: Seat, mv: &str) -> Result<Legality, Refusal> {
        let has = |list: &Option<Vec<String>>| list.as_ref().map(|moves| moves.iter().any(|known| known == mv));
        let [own, other] = [mover, mover.other()].map(|seat| has(&self.legal[seat.index()]));
        let quote = clip(mv, LONGEST_QUOTE);
        match (own, other) {
            (_, Some(true)) => Ok(Legality::Known),
            (None | Some(true), None) => Ok(Legality::Assumed),
            (Some(false), _) => {
                Err(Refusal::Illegal(format!("move '{quote}': its own engine does not list it as legal")))
            }
            (None | Some(true), Some(false)) => {
                let name = self.names[mover.other().index()].clone();
                let difference = format!("{name} does not list the move {quote} as legal");
                Err(Refusal::Undecided(self.undecided(self.plies, "legalmoves", &difference)))
            }
        }
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

impl Judge for EnginesJudge<'_> {
    fn seat_name(&self, seat: Seat) -> String {
        self.sides[seat.index() % 2].0.clone()
    }

    fn role(&self, seat: Seat) -> String {
        self.sides[seat.index() % 2].1.clone()
    }

    fn standing(&mut self, seated: &mut Seated<'_>, history: History<'_>) -> Result<Standing, NoStanding> {
        self.names = SEATS.map(|seat| seated.name(seat).to_owned());
        self.plies = history.moves.len();
        match self.answers(seated, history) {
            Ok(standing) => Ok(standing),
            Err(lost) => Ok(self.blame(seated, history, lost)?),
        }
    }

    fn accept(&mut self, seat: Seat, text: &str) -> Result<String, Refusal> {
        let word = match text.split_whitespace().collect::<Vec<_>>()[..] {
            [word] if word.chars().count() <= LONGEST_MOVE => word.to_owned(),
            _ => return Err(Refusal::Illegal(format!("move '{}': expected one word", clip(text, LONGEST_QUOTE)))),
        };
        let legality = match &mut self.rules {
            Some(rules) => play(&mut **rules, &word).map(|_| Legality::Known),
            None => self.judge_by_lists(seat, &word),
        };
        self.last = Some((seat, legality?));
        Ok(word)
    }

    fn accept_roll(&mut self, text: &str) -> Result<String, Refusal> {
        Err(Refusal::Illegal(format!(
            "roll '{}': engines that judge their own games roll no dice",
            clip(text, LONGEST_QUOTE)
        )))
    }

    fn disagreements(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes).into_lines()
    }
}

/// The moves of an answer; `None` from an engine that does not know the query, or says nothing.
fn move_list(answer: &str) -> Option<Vec<String>> {
    let moves: Vec<String> = answer.split_whitespace().map(str::to_owned).collect();
    (!moves.is_empty() && moves != ["unknown"]).then_some(moves)
}
