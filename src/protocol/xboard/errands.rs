//! Searches on behalf of XBoard: what they are for, and what becomes of their answers.

use super::{Mode, Refusal, Xboard, error, moves, print};
use crate::engine::{Answer, GoMode, GoRequest};
use crate::protocol::Desk;
use crate::rules::{Seat, Turn};
use crate::search::SearchInfo;

/// What the answer of a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Errand {
    Move,
    Hint,
    Analysis,
    /// The question has been withdrawn.
    Nothing,
}

/// What a search for a hint may cost.
const HINT_NODES: u64 = 50_000;

impl Xboard {
    /// A ping is answered when everything before it is done, the engine's own move included.
    pub(super) fn ping(&mut self, number: &str, desk: &mut Desk<'_>) {
        self.pings.push(format!("pong {number}").trim_end().to_owned());
        if !self.is_on_move() {
            self.answer_pings(desk);
        }
    }

    fn answer_pings(&mut self, desk: &mut Desk<'_>) {
        self.pings.drain(..).for_each(|pong| desk.say(&pong));
    }

    /// Searches when the mode asks for it.
    pub(super) fn carry_on(&mut self, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let Turn::Player(seat) = desk.engine.session().turn() else { return Ok(()) };
        match self.mode {
            Mode::Playing(own) if own == seat && !self.is_on_move() => {
                let request = self.move_request(seat, desk);
                self.search(Errand::Move, &request, desk)
            }
            Mode::Analysing => {
                let request = GoRequest { mode: GoMode::Infinite, ..GoRequest::default() };
                self.search(Errand::Analysis, &request, desk)
            }
            _ => Ok(()),
        }
    }

    /// A search among the moves that XBoard can show.
    fn move_request(&self, seat: Seat, desk: &Desk<'_>) -> GoRequest {
        let session = desk.engine.session();
        let mut request = self.clocks.request(seat, session.moves().len());
        let legal = session.legal_moves();
        if !legal.iter().all(|text| moves::is_expressible(text)) {
            request.root_moves = legal.into_iter().filter(|text| moves::is_expressible(text)).collect();
        }
        request
    }

    fn search(&mut self, errand: Errand, request: &GoRequest, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        self.report = None;
        desk.start(request).map_err(|refusal| error(&refusal.to_string(), "go"))?;
        self.errands.push_back(errand);
        Ok(())
    }

    pub(super) fn hint(&mut self, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let is_idle = self.errands.iter().all(|&errand| errand == Errand::Nothing);
        match desk.engine.session().turn() {
            Turn::Player(_) if is_idle => self.search(Errand::Hint, &GoRequest::nodes(HINT_NODES), desk),
            _ => Ok(()),
        }
    }

    pub(super) fn status(&self, desk: &mut Desk<'_>) {
        if self.errands.back() == Some(&Errand::Analysis) {
            let legal_moves = desk.engine.session().legal_moves().len();
            desk.say(&print::status(self.report.as_ref(), legal_moves));
        }
    }

    /// Whether the engine is about to make a move.
    pub(super) fn is_on_move(&self) -> bool {
        self.errands.contains(&Errand::Move)
    }

    /// Ends every search; the answers go nowhere.
    pub(super) fn withdraw(&mut self, desk: &mut Desk<'_>) {
        desk.engine.stop();
        self.errands.iter_mut().for_each(|errand| *errand = Errand::Nothing);
        self.answer_pings(desk);
    }

    pub(super) fn show(&mut self, info: SearchInfo<String>, desk: &mut Desk<'_>) {
        // A comment of the protocol: XBoard keeps it in its log.
        info.remark.iter().for_each(|remark| desk.say(&format!("# {remark}")));
        let is_wanted = matches!(self.errands.front(), Some(Errand::Move | Errand::Analysis));
        if is_wanted && self.shows_thinking {
            print::thinking(&info).iter().for_each(|line| desk.say(line));
        }
        if is_wanted {
            self.report = Some(info);
        }
    }

    pub(super) fn deliver(&mut self, answer: &Answer, desk: &mut Desk<'_>) {
        let errand = self.errands.pop_front().unwrap_or(Errand::Nothing);
        let Some(best) = &answer.best else { return };
        match errand {
            Errand::Move => self.make_move(best, desk),
            Errand::Hint => desk.say(&format!("Hint: {}", moves::legs(best).join(","))),
            Errand::Analysis | Errand::Nothing => {}
        }
    }

    fn make_move(&mut self, text: &str, desk: &mut Desk<'_>) {
        // The search has found it in this very position, which nothing has changed since.
        if desk.engine.session_mut().play(text).is_ok() {
            moves::commands(text).iter().for_each(|line| desk.say(line));
            self.claim(desk);
        }
        self.answer_pings(desk);
    }

    /// Tells the result of a game that has just ended.
    pub(super) fn claim(&self, desk: &mut Desk<'_>) {
        let Some(outcome) = desk.engine.session().turn().outcome() else { return };
        let is_winner = matches!(self.mode, Mode::Playing(own) if outcome.winner == Some(own));
        if !(is_winner && self.leaves_claims_to_loser) {
            desk.say(&print::result(outcome));
        }
    }
}
