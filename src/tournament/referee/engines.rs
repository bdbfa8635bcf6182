//! The judge that asks both engines, for games whose rules we do not know or leave to them.

use reynard_engine::rules::{Seat, Turn};
use reynard_engine::session::Session;

use super::GameEnd;
use super::judge::{Action, Judge, illegal, play};
use super::players::{SEATS, SeatedPlayers, clip};
use crate::tournament::player::{Failure, MoveHistory};
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
    /// What the sides are called, by seat.
    sides: [String; 2],
    /// Our own rules, at the same position.
    rules: Option<&'a mut dyn Session>,
    /// Plies where the game stands.
    plies: usize,
    /// What each seat lists where the game stands; `None` from an engine that does not say.
    legal: [Option<Vec<String>>; 2],
    /// Who made the last move, if the opponent has not said that it is legal.
    unconfirmed: Option<Seat>,
}

impl<'a> EnginesJudge<'a> {
    /// `rules` stand where the game begins.
    pub(super) fn new(rules: Option<&'a mut dyn Session>) -> Self {
        let side = |seat: Seat| rules.as_ref().map_or(seat.name(), |rules| rules.game().seat_name(seat)).to_owned();
        let sides = SEATS.map(side);
        EnginesJudge { sides, rules, plies: 0, legal: [None, None], unconfirmed: None }
    }

    /// What both engines answer; when they do not answer the same, the game ends.
    fn agree(
        &mut self,
        players: &mut SeatedPlayers<'_>,
        history: MoveHistory<'_>,
        query: &str,
        vocabulary: &[&str],
    ) -> Result<String, GameEnd> {
        let first = word(players, Seat::P1, history, query, vocabulary)?;
        let second = word(players, Seat::P2, history, query, vocabulary)?;
        if first == second {
            return Ok(first);
        }
        let [p1, p2] = players.names;
        Err(self.undecided(players, query, &format!("{query}: {p1} says {first}, {p2} says {second}")))
    }

    /// The end of a game about which the engines do not agree.
    fn undecided(&self, players: &mut SeatedPlayers<'_>, subject: &str, difference: &str) -> GameEnd {
        let [p1, p2] = players.names;
        players.disagreements.add(self.plies, &format!("{p1} and {p2} disagree"), difference);
        GameEnd::Over(Ending::new(None, Cause::Rules, format!("the engines disagree about {subject}")))
    }

    /// What both engines make of the game.
    fn answers(&mut self, players: &mut SeatedPlayers<'_>, history: MoveHistory<'_>) -> Result<Action, GameEnd> {
        const TRUTH: [&str; 2] = ["true", "false"];
        if self.agree(players, history, "gameover", &TRUTH)? == "true" {
            return Err(self.ending(players, history)?);
        }
        let is_first = self.agree(players, history, "p1turn", &TRUTH)? == "true";
        let seat = if is_first { Seat::P1 } else { Seat::P2 };
        self.learn_legal_moves(players, history, seat)?;
        Ok(Action::Move(seat))
    }

    fn learn_legal_moves(
        &mut self,
        players: &mut SeatedPlayers<'_>,
        history: MoveHistory<'_>,
        mover: Seat,
    ) -> Result<(), GameEnd> {
        // The engines have the last word: where they play by other rules than ours, ours say nothing.
        if self.rules.as_ref().is_some_and(|rules| rules.turn() != Turn::Player(mover)) {
            let difference = "has other rules than both engines; legality is left to them";
            players.disagreements.add(self.plies, "referee", difference);
            self.rules = None;
        }
        if self.rules.is_none() {
            for seat in SEATS {
                self.legal[seat.index()] = move_list(&players.ask(seat, history, "legalmoves")?);
            }
        }
        Ok(())
    }

    /// Where a player refuses the position after the opponent's move: whose fault is that?
    fn blame(&mut self, players: &mut SeatedPlayers<'_>, history: MoveHistory<'_>, end: GameEnd) -> GameEnd {
        let (mover, refusal) = match (end, self.unconfirmed) {
            (GameEnd::Failed(seat, failure), Some(mover)) if mover != seat && failure.kind == Forfeit::Refused => {
                (mover, failure.message)
            }
            (end, _) => return end,
        };
        let mv = clip(history.moves.last().map_or("", String::as_str), LONGEST_QUOTE);
        match players.ask(mover, history, "gameover") {
            Err(GameEnd::Failed(_, own)) if own.kind == Forfeit::Refused => {
                illegal(mover, format!("move '{mv}': both engines refuse it: {}", own.message))
            }
            Err(end) => end,
            Ok(_) => {
                let [own, other] = [mover, mover.other()].map(|seat| players.name(seat));
                self.undecided(players, "legalmoves", &format!("{own} played {mv}, {other} refuses it: {refusal}"))
            }
        }
    }

    /// Judges a move by the lists of both engines; who made it, if the opponent does not say what is legal.
    fn judge_by_lists(&self, players: &mut SeatedPlayers<'_>, mover: Seat, mv: &str) -> Result<Option<Seat>, GameEnd> {
        let has = |list: &Option<Vec<String>>| list.as_ref().map(|moves| moves.iter().any(|known| known == mv));
        let [own, other] = [mover, mover.other()].map(|seat| has(&self.legal[seat.index()]));
        let quote = clip(mv, LONGEST_QUOTE);
        match (own, other) {
            (_, Some(true)) => Ok(None),
            (None | Some(true), None) => Ok(Some(mover)),
            (Some(false), _) => {
                Err(illegal(mover, format!("move '{quote}': its own engine does not list it as legal")))
            }
            (None | Some(true), Some(false)) => {
                let name = players.name(mover.other());
                Err(self.undecided(players, "legalmoves", &format!("{name} does not list the move {quote} as legal")))
            }
        }
    }

    fn ending(&mut self, players: &mut SeatedPlayers<'_>, history: MoveHistory<'_>) -> Result<GameEnd, GameEnd> {
        let result = self.agree(players, history, "result", &["p1win", "p2win", "draw"])?;
        let winner = SEATS.into_iter().find(|seat| result == format!("{}win", seat.name()));
        let reason = match winner {
            Some(seat) => format!("both engines say that {} has won", self.sides[seat.index()]),
            None => "both engines say draw".to_owned(),
        };
        Ok(GameEnd::Over(Ending::new(winner, Cause::Rules, reason)))
    }
}

/// The answer of one engine; anything outside the vocabulary is a failure.
fn word(
    players: &mut SeatedPlayers<'_>,
    seat: Seat,
    history: MoveHistory<'_>,
    query: &str,
    vocabulary: &[&str],
) -> Result<String, GameEnd> {
    let answer = players.ask(seat, history, query)?;
    if vocabulary.contains(&answer.as_str()) {
        return Ok(answer);
    }
    let told = clip(&answer, LONGEST_QUOTE);
    let message = format!("answers '{told}' to query {query}; expected {}", vocabulary.join(" or "));
    Err(GameEnd::Failed(seat, Failure::new(Forfeit::Refused, message)))
}

impl Judge for EnginesJudge<'_> {
    fn next(&mut self, players: &mut SeatedPlayers<'_>, history: MoveHistory<'_>) -> Result<Action, GameEnd> {
        self.plies = history.moves.len();
        self.answers(players, history).map_err(|end| self.blame(players, history, end))
    }

    fn accept(&mut self, players: &mut SeatedPlayers<'_>, action: &Action, text: &str) -> Result<String, GameEnd> {
        let quote = || clip(text, LONGEST_QUOTE);
        let Action::Move(seat) = *action else {
            let message = format!("roll '{}': engines that judge their own games roll no dice", quote());
            return Err(GameEnd::Impossible(message));
        };
        let word = match text.split_whitespace().collect::<Vec<_>>()[..] {
            [word] if word.chars().count() <= LONGEST_MOVE => word.to_owned(),
            _ => return Err(illegal(seat, format!("move '{}': expected one word", quote()))),
        };
        self.unconfirmed = match &mut self.rules {
            Some(rules) => play(&mut **rules, &word).map(|_| None).map_err(|message| illegal(seat, message))?,
            None => self.judge_by_lists(players, seat, &word)?,
        };
        Ok(word)
    }
}

/// The moves of an answer; `None` from an engine that does not know the query, or says nothing.
fn move_list(answer: &str) -> Option<Vec<String>> {
    let moves: Vec<String> = answer.split_whitespace().map(str::to_owned).collect();
    (!moves.is_empty() && moves != ["unknown"]).then_some(moves)
}
