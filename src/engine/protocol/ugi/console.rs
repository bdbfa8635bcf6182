//! Commands for people at a terminal.

use super::{Refusal, query};
use crate::protocol::Server;
use crate::rules::{MAX_PERFT_PLIES, Seat};
use crate::session::{Session, Task};

const HELP: &str = "\
d                          draw the board
moves                      list the legal moves
play M ...                 play moves
undo                       take the last move back
go movetime 1000           search for a second; also go depth 8, go nodes 100000, go infinite with stop
eval                       explain the static evaluation
position startpos|fen TEXT [moves M ...]
setoption name UCI_Variant value NAME    choose a ruleset; uci lists them and every other option
query gameover|result|reason|players|turn|p1turn|p1name|fen|legalmoves|islegal M|hash
      board|rules|game|pieces|moves|table|chances
                           (p2turn, p2name and so on for every player)
perft N                    count the leaves of the game tree at N plies
bench                      the reproducible node count of every ruleset
isready, uginewgame, quit
The whole protocol is described in protocol.md.";

/// Runs a command of this kind, or refuses an unknown one.
pub(super) fn command(command: &str, rest: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
    match command {
        "d" => server.say_lines(&drawing(server.engine.session())),
        "eval" => server.say_lines(&evaluation(server)),
        "moves" => server.say(&server.engine.session().legal_moves().join(" ")),
        "play" => play(rest, server)?,
        "undo" => undo(server)?,
        "perft" => perft(rest, server)?,
        "bench" => server.start(Task::Bench).map_err(|error| error.to_string())?,
        "help" => server.say_lines(HELP),
        _ => return Err(format!("unknown command '{command}'; help lists them")),
    }
    Ok(())
}

fn drawing(session: &dyn Session) -> String {
    let state = query::situation(session);
    let board = session.draw();
    format!(
        "{}\n\nruleset {}\nfen {}\nhash {:016x}\n{state}",
        board.trim_end(),
        session.ruleset(),
        session.position_text(),
        session.key()
    )
}

fn evaluation(server: &Server<'_>) -> String {
    let session = server.engine.session();
    if let Some(verdict) = query::verdict(session) {
        return verdict;
    }
    let terms = session.explain(&server.engine.options_to_move());
    let total: i32 = terms.iter().map(|&(_, value)| value).sum();
    let lines: String = terms.iter().map(|(name, value)| format!("{name:<24} {value:>7}\n")).collect();
    let owner = session.seat_name(Seat::P1);
    let mut text =
        format!("{lines}{:<24} {total:>7} hundredths of a piece, from the point of view of p1 ({owner})", "total");
    let everybody = session.evaluations(&server.engine.options_to_move());
    if everybody.len() > 2 {
        for (seat, value) in (0..).map(Seat).zip(everybody) {
            text += &format!("\n{:<24} {value:>7} as {} sees it", seat.name(), session.seat_name(seat));
        }
    }
    text
}

fn play(texts: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
    if texts.is_empty() {
        return Err("play: a move is missing".to_owned());
    }
    texts.iter().try_for_each(|text| server.engine.session_mut().play(text)).map_err(|error| error.to_string())
}

fn undo(server: &mut Server<'_>) -> Result<(), Refusal> {
    match server.engine.session_mut().undo() {
        true => Ok(()),
        false => Err("undo: no move to take back".to_owned()),
    }
}

fn perft(words: &[&str], server: &mut Server<'_>) -> Result<(), Refusal> {
    let depth = match words {
        [text] => text
            .parse()
            .ok()
            .filter(|&depth| depth <= MAX_PERFT_PLIES)
            .ok_or_else(|| format!("perft: '{text}' is not a number of plies from 0 to {MAX_PERFT_PLIES}"))?,
        _ => return Err("perft: expected a number of plies".to_owned()),
    };
    server.start(Task::Perft(depth)).map_err(|error| error.to_string())
}
