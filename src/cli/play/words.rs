//! What the terminal says about a game, in words that a player knows.

use reynard_engine::rules::{Outcome, PieceType, Seat};
use reynard_engine::search::PvLine;
use reynard_engine::session::{Session, registry};

use crate::cli::rules::words_of;
use crate::tournament::judge::Verdict;

pub(super) const DICE_HELP: &str = "The dice: press Enter, or type a roll of your own, 6+3.";

pub(super) const POINTS_HELP: &str =
    "The point alone is enough where one move goes there; blanks between points do no harm.";

pub(super) const HELP: &str = "\
moves      list your legal moves
hint       let the engine suggest one
eval       what the engine thinks of the position
rules      all rules of this game
undo       take back your last move and the answer to it, or the end of the game
board      draw the board again
flip       turn the board round
resign     give the game up
new        begin a new game
rematch    the same with the sides changed; who wins the most games wins the match
review     the moves of yours that cost most
save FILE  write the game into a file, as PGN
load FILE  go on with a game that was saved
help       this list
quit       leave the game";

pub(super) const AFTER_THE_END: &str = "undo, review, new, rematch, save FILE or quit?";

/// The ruleset and the side of the person, in a sentence.
pub(super) fn greeting(session: &dyn Session, person: Seat) -> String {
    let own = session.game().seat_name(person);
    let part = match session.game().seats.len() {
        1 => "alone".to_owned(),
        _ if own.ends_with(|last: char| last.is_ascii_digit()) => own.to_owned(),
        _ => format!("the {own}"),
    };
    format!("{}: you play {part}. Type a move, or 'help'.", session.game().ruleset)
}

/// The goal and the moves of a side, and who does well, by labels.
pub(super) fn introduction(session: &dyn Session, person: Seat) -> Vec<(&'static str, String)> {
    let Some(text) = words_of(session) else { return Vec::new() };
    let own = session.game().seat_name(person);
    let is_own = |name: &str| name == own || text.sides.len() == 1;
    let side = text.sides.iter().find(|side| is_own(&side.name));
    let of_side = side.map(|side| [("Goal", side.goal.clone()), ("Moves", side.moves.clone())]);
    let rules = &session.game().rules;
    // A game of the catalog is known by its title.
    let is_own_file = !registry::all_ruleset_names().contains(&session.game().ruleset.as_str());
    let about = rules["about"].as_str().filter(|about| is_own_file && !about.is_empty());
    let about = about.map(|about| ("About", about.to_owned()));
    let mut rows: Vec<(&'static str, String)> = about.into_iter().chain(of_side.into_iter().flatten()).collect();
    rows.extend(text.balance.map(|balance| ("Balance", balance)));
    rows
}

/// The number of pegs that are left, in games of pegs.
pub(super) fn pegs_left(session: &dyn Session) -> Option<String> {
    session.game().capabilities.pieces.iter().any(|kind| kind.kind == PieceType::Peg).then(|| {
        let pegs = session.pieces().len();
        format!("{pegs} {} left", if pegs == 1 { "peg" } else { "pegs" })
    })
}

/// A move with what it means where its text does not show that.
pub(super) fn move_words(text: &str) -> String {
    match text.split_once(':') {
        Some((counter, steps)) => format!("{text} (counter {counter} moves {steps})"),
        None => text.to_owned(),
    }
}

/// The result of the game for the person, with its reason.
pub(super) fn ending(session: &dyn Session, person: Seat, outcome: Option<Outcome>) -> String {
    let is_alone = session.game().seats.len() == 1;
    let Some(outcome) = outcome else {
        return format!("{}: you have given up.", if is_alone { "Not solved" } else { "You lose" });
    };
    let result = match outcome.winner {
        Some(Seat::P1) if is_alone => return "Solved.".to_owned(),
        _ if is_alone => "Not solved".to_owned(),
        None => "The game is drawn".to_owned(),
        Some(seat) if seat == person => "You win".to_owned(),
        Some(seat) if session.game().seats.len() > 2 => format!("{} wins", session.game().seat_name(seat)),
        Some(_) => "You lose".to_owned(),
    };
    let pegs = pegs_left(session).map_or(String::new(), |pegs| format!(", {pegs}"));
    format!("{result}: {}{pegs}.", session.reason().unwrap_or_default())
}

/// A score in words, for the side that is to move. Where nobody or hardly anybody draws, a draw counts half.
pub(super) fn opinion(session: &dyn Session, line: Option<&PvLine<String>>) -> String {
    let Some(line) = line else { return "no opinion".to_owned() };
    let percent = |chance: u16| (chance + 5) / 10;
    let [win, draw, loss] = line.wdl.0;
    match line.mate {
        Some(moves) if moves > 0 && session.game().seats.len() == 1 => {
            format!("solves it with {}", counted(moves, "more move"))
        }
        Some(1) => "wins at once".to_owned(),
        Some(moves) if moves > 1 => format!("wins in at most {}", counted(moves, "move")),
        Some(moves) if session.game().seats.len() > 1 => format!("loses in at most {}", counted(-moves, "move")),
        Some(_) => "it cannot be solved any more".to_owned(),
        None if line.score.is_loss() => "loses, say the tables".to_owned(),
        None if line.score.is_certain() => "wins, say the tables".to_owned(),
        None if session.game().seats.len() == 2 && !session.game().capabilities.has_dice => {
            let [win, draw, loss] = [win, draw, loss].map(percent);
            format!("{win} % to win, {draw} % to draw, {loss} % to lose, by its guess")
        }
        None => format!("{} % to win, by its guess", percent(win + draw / 2)),
    }
}

/// `Your move 7, c3c4: your chances fell from 62 % to 30 %; better was b3b4.`
pub(super) fn review(verdict: &Verdict, played: &str, number: usize) -> String {
    let [before, after] = [&verdict.best_value, &verdict.value].map(|value| (value.share() * 100.0).round());
    let better = &verdict.best;
    format!("Your move {number}, {played}: your chances fell from {before} % to {after} %; better was {better}.")
}

fn counted(number: i32, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
