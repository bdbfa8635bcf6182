//! A look back at a game: the moves of the person that cost most.

use std::time::Duration;

use reynard_engine::rules::{Seat, Turn};
use reynard_engine::session::{GoRequest, Options, Searched, Session, search_and_wait};

/// For a whole game, however long.
const MOST_TIME: Duration = Duration::from_secs(10);
const MOST_TIME_A_MOVE: Duration = Duration::from_millis(250);
/// What costs less may be noise.
const LEAST_COST: f64 = 0.05;
const MOST_SLIPS: usize = 3;

/// A move after which the person's chances were worse.
pub(super) struct Slip {
    /// Counts the person's moves from 1.
    number: usize,
    played: String,
    better: String,
    /// The share of the point that was to be expected.
    before: f64,
    after: f64,
}

impl Slip {
    fn cost(&self) -> f64 {
        self.before - self.after
    }

    /// `Your move 7, c3c4: your chances fell from 62 % to 30 %; better was b3b4.`
    pub(super) fn words(&self) -> String {
        let [before, after] = [self.before, self.after].map(|share| (share * 100.0).round());
        let Slip { number, played, better, .. } = self;
        format!("Your move {number}, {played}: your chances fell from {before} % to {after} %; better was {better}.")
    }
}

/// A position of the game as a short search judges it.
struct Judgement {
    /// The person's share of the point.
    share: f64,
    /// The person was to move.
    is_own: bool,
    /// The best move, where the person had more than one.
    best: Option<String>,
}

/// The worst moves of `person`, worst first. The session is in the end as it was.
///
/// # Errors
/// A search cannot be started.
pub(super) fn slips(session: &mut dyn Session, options: &Options, person: Seat) -> anyhow::Result<Vec<Slip>> {
    let moves = session.moves();
    let time = (MOST_TIME / (moves.len() as u32 + 1)).min(MOST_TIME_A_MOVE);
    let mut judgements = Vec::new();
    // From the end, so that what was found later is known earlier.
    let judged = loop {
        match judge(session, options, person, time) {
            Ok(judgement) => judgements.push(judgement),
            Err(error) => break Err(error),
        }
        if !session.undo() {
            break Ok(());
        }
    };
    moves[session.moves().len()..].iter().try_for_each(|text| session.play(text))?;
    judged?;
    judgements.reverse();
    let mut number = 0;
    let mut slips: Vec<Slip> = Vec::new();
    for ((played, before), after) in moves.iter().zip(&judgements).zip(judgements.iter().skip(1)) {
        number += usize::from(before.is_own);
        let better = before.best.clone().filter(|best| best != played);
        slips.extend(better.map(|better| Slip {
            number,
            played: played.clone(),
            better,
            before: before.share,
            after: after.share,
        }));
    }
    slips.retain(|slip| slip.cost() >= LEAST_COST);
    slips.sort_by(|one, other| other.cost().total_cmp(&one.cost()));
    slips.truncate(MOST_SLIPS);
    Ok(slips)
}

fn judge(session: &mut dyn Session, options: &Options, person: Seat, time: Duration) -> anyhow::Result<Judgement> {
    let seat = match session.turn() {
        Turn::Over(outcome) => {
            let share = outcome.winner.map_or(0.5, |winner| if winner == person { 1.0 } else { 0.0 });
            return Ok(Judgement { share, is_own: false, best: None });
        }
        Turn::Player(seat) => seat,
        Turn::Chance => anyhow::bail!("dice cannot be judged"),
    };
    let Searched { report: info, answer } = search_and_wait(session, &GoRequest::move_time(time), options)?;
    let line = info.and_then(|info| info.lines.into_iter().next());
    let share = line.map_or(0.5, |line| f64::from(line.wdl.0[0]) / 1000.0 + f64::from(line.wdl.0[1]) / 2000.0);
    let is_own = seat == person;
    let best = answer.map(|answer| answer.best).filter(|_| is_own && session.legal_moves().len() > 1);
    Ok(Judgement { share: if is_own { share } else { 1.0 - share }, is_own, best })
}
