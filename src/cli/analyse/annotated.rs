//! A judged game as PGN, JSON and text.

use std::cell::RefCell;
use std::io::{self, Write};

use reynard_engine::rules::Seat;
use reynard_engine::session::Session;
use serde_json::{Value, json};

use crate::cli::output::number_table;
use crate::cli::play::saved;
use crate::tournament::judge::{Judge, JudgeError, JudgedPly, Mark, Verdict};
use crate::tournament::pgn::{Movetext, write_tags};

/// The value of a tag that is missing.
const UNKNOWN: &str = "?";

pub(super) struct AnnotatedGame {
    tags: Vec<(String, String)>,
    /// At the end of the game.
    session: Box<dyn Session>,
    /// Moves that nobody chose, at its beginning.
    opening_plies: usize,
    /// All moves, when they have been judged.
    plies: Vec<JudgedPly>,
}

/// How well a side has played.
#[derive(Default)]
struct SideSummary {
    judged: usize,
    /// The sum of all shares of the point that were given away.
    loss: f64,
    /// In the order of [`Mark::ALL`].
    marks: [usize; 3],
}

impl SideSummary {
    /// In per cent: 100 where nothing was given away.
    fn accuracy(&self) -> Option<f64> {
        (self.judged > 0).then(|| 100.0 * (1.0 - self.loss / self.judged as f64))
    }
}

impl AnnotatedGame {
    /// A game that is not judged yet.
    pub(super) fn new(tags: Vec<(String, String)>, session: Box<dyn Session>, opening_plies: usize) -> AnnotatedGame {
        let mut game = AnnotatedGame { tags, session, opening_plies, plies: Vec::new() };
        if game.tag("Result") == UNKNOWN {
            game.tags.push(("Result".to_owned(), saved::result(&*game.session, None).to_owned()));
        }
        game.tags.retain(|(name, _)| name != "Annotator");
        game.tags.push(("Annotator".to_owned(), concat!("reynard ", env!("CARGO_PKG_VERSION")).to_owned()));
        game
    }

    /// Judges the choices of the players, from the last to the first; `begin` takes `ply 12 of 40` before each.
    ///
    /// # Errors
    /// A table is damaged, or no search can be started.
    pub(super) fn judge(&mut self, judge: &Judge, begin: &mut dyn FnMut(String)) -> anyhow::Result<()> {
        let (begin, all) = (RefCell::new(begin), self.session.moves().len());
        let judged = judge.judge_game(&mut *self.session, |index, _| {
            (*begin.borrow_mut())(format!("ply {} of {all}", index + 1));
            index >= self.opening_plies
        });
        self.plies = judged.map_err(|error| match error {
            JudgeError::Table(error) => anyhow::Error::from(error),
            JudgeError::Search(error) => error.into(),
        })?;
        Ok(())
    }

    fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(known, _)| known == name).map_or(UNKNOWN, |(_, value)| value)
    }

    fn side(&self, mover: Option<Seat>) -> &str {
        mover.map_or("dice", |seat| self.session.game().seat_name(seat))
    }

    pub(super) fn write_pgn(&self, out: &mut dyn Write) -> io::Result<()> {
        write_tags(&self.tags, out)?;
        let movers: Vec<Option<u8>> = self.plies.iter().map(|ply| ply.mover.map(|seat| seat.0)).collect();
        let mut moves = Movetext::new(&movers);
        for (ply, index) in self.plies.iter().zip(0..) {
            moves.ply(&ply.text);
            if let Some(mark) = ply.verdict.as_ref().and_then(Verdict::mark) {
                moves.word(format_args!("${}", mark.nag));
            }
            let comment = match &ply.verdict {
                Some(verdict) => verdict_text(verdict),
                None if index < self.opening_plies => "opening".to_owned(),
                None => continue,
            };
            format!("{{{comment}}}").split(' ').for_each(|word| moves.word(format_args!("{word}")));
        }
        moves.word(format_args!("{}", self.tag("Result")));
        write!(out, "\n{}\n\n", moves.text)
    }

    pub(super) fn json(&self) -> Value {
        let tags: serde_json::Map<_, _> = self.tags.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let moves = self.plies.iter().zip(1..).map(|(ply, number)| {
            let mut object = json!({"ply": number, "move": ply.text, "side": self.side(ply.mover)});
            if let Some(verdict) = &ply.verdict {
                object["mark"] = verdict.mark().map(|mark| mark.sign).into();
                object["loss"] = verdict.loss().into();
                object["value"] = verdict.value.json();
                object["best"] = verdict.best.as_str().into();
                object["best_value"] = verdict.best_value.json();
            }
            object
        });
        let sides = self.summaries().map(|(side, summary)| {
            let [blunders, mistakes, doubtful] = summary.marks;
            json!({
                "side": side, "judged": summary.judged, "accuracy": summary.accuracy(), "blunders": blunders,
                "mistakes": mistakes, "doubtful": doubtful,
            })
        });
        json!({
            "ruleset": self.session.game().ruleset, "tags": tags, "opening_plies": self.opening_plies,
            "moves": moves.collect::<Vec<_>>(), "sides": sides.collect::<Vec<_>>(),
        })
    }

    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [white, black, result] = ["White", "Black", "Result"].map(|name| self.tag(name));
        writeln!(out, "{}: {white} against {black}, {result}\n", self.session.game().ruleset)?;
        let marked = self.plies.iter().zip(1..).filter_map(|(ply, number): (&JudgedPly, u32)| {
            let verdict = ply.verdict.as_ref()?;
            let sign = verdict.mark()?.sign;
            let (side, value, best) = (self.side(ply.mover), &verdict.value, &verdict.best);
            let better = verdict.best_value.to_string();
            Some([
                side.to_owned(),
                number.to_string(),
                format!("{}{sign}", ply.text),
                value.to_string(),
                best.clone(),
                better,
            ])
        });
        let marked: Vec<_> = marked.collect();
        if !marked.is_empty() {
            writeln!(out, "{}\n", number_table(1, ["side", "ply", "move", "value", "better", "value"], marked))?;
        }
        let sides = self.summaries().map(|(side, summary)| {
            let accuracy = summary.accuracy().map_or("n/a".to_owned(), |accuracy| format!("{accuracy:.1} %"));
            let marks = summary.marks.map(|count| count.to_string());
            [side.to_owned(), summary.judged.to_string(), accuracy].into_iter().chain(marks)
        });
        let heads = ["side", "moves judged", "accuracy"].into_iter().chain(Mark::ALL.map(|mark| mark.sign));
        writeln!(out, "{}\n", number_table(1, heads, sides))
    }

    /// By side, in the order of the seats.
    fn summaries(&self) -> impl Iterator<Item = (&str, SideSummary)> {
        let seats = (0..self.session.game().seats.len()).map(|seat| Seat(seat as u8));
        seats.map(|seat| {
            let mut summary = SideSummary::default();
            let own = self.plies.iter().filter(|ply| ply.mover == Some(seat));
            for verdict in own.filter_map(|ply| ply.verdict.as_ref()) {
                summary.judged += 1;
                summary.loss += verdict.loss();
                let mark = verdict.mark().and_then(|mark| Mark::ALL.iter().position(|&known| known == mark));
                mark.iter().for_each(|&index| summary.marks[index] += 1);
            }
            (self.side(Some(seat)), summary)
        })
    }
}

/// `-1.20/8, better c3c4 +0.31/8`; the value alone of a move that is not marked.
fn verdict_text(verdict: &Verdict) -> String {
    let Verdict { best, best_value, value } = verdict;
    match verdict.mark() {
        Some(_) => format!("{value}, better {best} {best_value}"),
        None => value.to_string(),
    }
}
