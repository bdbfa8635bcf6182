//! Players in this process, until there are others.

use crossbeam_channel::unbounded;
use std::time::Instant;

use crate::engine::{Event, Options, Session, registry};
use crate::tournament::arena::Arena;
use crate::tournament::player::{Allowance, Choice, Failure, GameSetup, History, Player};
use crate::tournament::record::{EngineScore, Forfeit, Opinion};

struct Inside {
    session: Box<dyn Session>,
    options: Options,
}

fn refused(message: String) -> Failure {
    Failure { kind: Forfeit::Refused, message }
}

pub(super) fn open(arena: &Arena, engine: usize, ruleset: usize) -> Result<Box<dyn Player>, Failure> {
    let start = |message: String| Failure { kind: Forfeit::Start, message };
    let choice = arena.rulesets[ruleset].choice.as_ref().ok_or_else(|| start("no such game".into()))?;
    if arena.engines[engine].program.is_some() {
        return Err(start("no programs yet".into()));
    }
    let mut options = registry::default_options();
    for (name, value) in &arena.engines[engine].options {
        options.set(name, Some(value)).map_err(|error| start(error.to_string()))?;
    }
    Ok(Box::new(Inside { session: registry::open(choice).map_err(|error| start(error.to_string()))?, options }))
}

impl Player for Inside {
    fn new_game(&mut self, setup: GameSetup<'_>) -> Result<(), Failure> {
        self.session.clear_search();
        self.options.set("Seed", Some(&setup.seed.to_string())).map_err(|error| refused(error.to_string()))
    }

    fn choose(&mut self, history: History<'_>, allowance: &Allowance) -> Result<Choice, Failure> {
        let begin = Instant::now();
        let texts: Vec<&str> = history.moves.iter().map(String::as_str).collect();
        self.session.set_position(history.start, &texts).map_err(|error| refused(error.to_string()))?;
        let (sender, answers) = unbounded();
        let sink = Box::new(move |event| drop(sender.send(event)));
        let started = self.session.start(&allowance.request(), &self.options, sink);
        started.map_err(|error| refused(error.to_string()))?;
        let mut opinion = Opinion::default();
        let mut best = None;
        for event in answers {
            match event {
                Event::Info(info) => {
                    let score = info.lines.first().map(|line| match line.score.mate_moves() {
                        Some(moves) => EngineScore::Mate(moves),
                        None => EngineScore::Centipieces(line.score.0),
                    });
                    opinion = Opinion { score, depth: Some(info.depth), nodes: Some(info.nodes) };
                }
                Event::Done(answer) => best = answer.best,
                _ => {}
            }
        }
        self.session.wait();
        let text = best.ok_or_else(|| Failure { kind: Forfeit::NoMove, message: "gave no move".into() })?;
        Ok(Choice { text, opinion, spent: begin.elapsed() })
    }

    fn ask(&mut self, history: History<'_>, query: &str) -> Result<String, Failure> {
        let texts: Vec<&str> = history.moves.iter().map(String::as_str).collect();
        self.session.set_position(history.start, &texts).map_err(|error| refused(error.to_string()))?;
        Ok(match query {
            "legalmoves" => self.session.legal_moves().join(" "),
            "fen" => self.session.position_text(),
            "hash" => format!("{:016x}", self.session.key()),
            "gameover" => self.session.turn().outcome().is_some().to_string(),
            "p1turn" => (self.session.side_to_move() == Some(crate::rules::Seat::P1)).to_string(),
            "result" => self
                .session
                .turn()
                .outcome()
                .map_or("none", |outcome| match outcome.winner {
                    None => "draw",
                    Some(crate::rules::Seat::P1) => "p1win",
                    Some(_) => "p2win",
                })
                .to_owned(),
            _ => "unknown".to_owned(),
        })
    }
}
