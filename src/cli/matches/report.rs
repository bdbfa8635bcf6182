//! The report of a match, as text or as one object.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::rules::Seat;
use crate::tournament::GameRecord;
use crate::tournament::mistakes::MistakeResults;
use crate::tournament::standings::{ReasonCount, RoleResults, Summary};
use crate::tournament::stats::{Sample, Trinomial};

fn count_json(count: Trinomial) -> Value {
    let Trinomial { losses, draws, wins } = count;
    json!({"games": count.games(), "won": wins, "drawn": draws, "lost": losses, "score": count.rate()})
}

/// All results of a player.
fn total(summary: &Summary, player: usize) -> Trinomial {
    let results = &summary.engines[player].overall.results;
    Trinomial { losses: results.losses, draws: results.draws, wins: results.wins }
}

/// What the sides are called, by seat, with the results of a player there; with more than two seats those that it held
/// together.
fn sides(summary: &Summary, player: usize) -> Vec<(&str, Trinomial)> {
    let played = &summary.engines[player].overall.roles;
    let count = |role: &RoleResults| Trinomial { losses: role.losses, draws: role.draws, wins: role.wins };
    let seats = &summary.rulesets[0].seats;
    match seats.len() {
        2 => {
            let of_role = |role: &str| role_results(summary, player, role).map(count).unwrap_or_default();
            seats.iter().map(|(role, name)| (name.as_str(), of_role(role))).collect()
        }
        _ => played.iter().map(|results| (results.role.as_str(), count(results))).collect(),
    }
}

/// The results of a player in a role, if it played any.
fn role_results<'a>(summary: &'a Summary, player: usize, role: &str) -> Option<&'a RoleResults> {
    summary.engines[player].overall.roles.iter().find(|results| results.role == role)
}

/// The winning side (`None` for a draw), reason and number of games, the most frequent first.
fn endings(summary: &Summary) -> Vec<(Option<String>, &str, u64)> {
    let ruleset = &summary.rulesets[0];
    let [favoured, other] = ruleset.side_names();
    let of_reason = |reason: &'_ ReasonCount| {
        [(Some(favoured.clone()), reason.wins), (None, reason.draws), (Some(other.clone()), reason.losses)]
    };
    let all = ruleset
        .reasons
        .iter()
        .flat_map(|reason| of_reason(reason).map(|(winner, games)| (winner, reason.reason.as_str(), games)));
    let mut endings: Vec<_> = all.filter(|&(.., games)| games > 0).collect();
    endings.sort_by_key(|&(.., games)| std::cmp::Reverse(games));
    endings
}

/// The player who holds a seat.
fn letter(record: &GameRecord, seat: Seat) -> char {
    ['A', 'B'][record.fixture.seats.get(seat.index()).map_or(0, |engine| engine % 2)]
}

/// One line about a game that is over.
pub(super) fn tell(record: &GameRecord, out: &mut dyn Write) -> io::Result<()> {
    let ending = &record.ending;
    let outcome = match ending.winner() {
        None => "draw".to_owned(),
        Some(seat) if record.fixture.is_puzzle() => {
            let verb = if seat == Seat::P1 { "solves it" } else { "does not solve it" };
            format!("{} {verb}", letter(record, Seat::P1))
        }
        Some(seat) if record.fixture.seats.len() > 2 => {
            format!("{} wins from seat {}", letter(record, seat), seat.index() + 1)
        }
        Some(seat) => format!("{} wins", letter(record, seat)),
    };
    let plies = record.opening.moves.len() + record.moves.len();
    writeln!(out, "game {}: {outcome} after {plies} plies, {}", record.fixture.game + 1, ending.reason)?;
    out.flush()
}

/// The result as tables; `options` are those of A and B as they were given.
pub(super) fn print(options: [&str; 2], summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let [a, b] = options;
    writeln!(out, "\nA: {a}\nB: {b}\n")?;
    if summary.has_meetings() {
        print_meeting(summary, out)?;
    }
    print_mistakes(summary, out)?;
    print_puzzles(summary, out)?;
    print_seats(summary, out)?;
    writeln!(out, "\nHow the games ended:")?;
    for (winner, reason, games) in endings(summary) {
        let outcome = match winner {
            Some(side) if !summary.has_meetings() => side,
            Some(side) => format!("win for {side}"),
            None => "draw".to_owned(),
        };
        writeln!(out, "{games:>6}  {outcome}: {reason}")?;
    }
    writeln!(out, "Average length: {:.1} plies", summary.rulesets[0].average_plies.unwrap_or(0.0))
}

fn print_meeting(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{:<24} {:>6} {:>6} {:>6} {:>6} {:>8}", "", "games", "won", "drawn", "lost", "score")?;
    for (player, letter) in ["A", "B"].into_iter().enumerate() {
        print_count(letter, total(summary, player), out)?;
        for (side, count) in sides(summary, player) {
            print_count(&format!("{letter} as {side}"), count, out)?;
        }
    }
    Ok(())
}

/// What both players gave away, where their moves were judged.
fn print_mistakes(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    if summary.engines.iter().all(|engine| engine.overall.mistakes.is_none()) {
        return Ok(());
    }
    writeln!(
        out,
        "\n{:<24} {:>12} {:>10} {:>9} {:>9}",
        "by the tables", "moves judged", "at stake", "mistakes", "per game"
    )?;
    for (player, letter) in ["A", "B"].into_iter().enumerate() {
        print_found(letter, summary.engines[player].overall.mistakes.as_ref(), out)?;
        for (role, name) in &summary.rulesets[0].seats {
            let found = role_results(summary, player, role).and_then(|played| played.mistakes.as_ref());
            print_found(&format!("{letter} as {name}"), found, out)?;
        }
    }
    Ok(())
}

fn print_found(label: &str, found: Option<&MistakeResults>, out: &mut dyn Write) -> io::Result<()> {
    let Some(MistakeResults { judged, at_stake, mistakes, per_game, .. }) = found else { return Ok(()) };
    let per_game = per_game.map_or("-".to_owned(), |rate| format!("{rate:.2}"));
    writeln!(out, "{label:<24} {judged:>12} {at_stake:>10} {mistakes:>9} {per_game:>9}")
}

/// What both players solved, and in how many moves.
fn print_puzzles(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    if !summary.puzzles.is_empty() {
        let heads = ["attempts", "solved", "moves used", "fewest", "most", "in vain"];
        writeln!(out, "{:<6}{}", "", heads.map(|head| format!("{head:>12}")).concat())?;
    }
    for results in &summary.puzzles {
        let mean = |moves: Option<f64>| moves.map_or("-".to_owned(), |moves| format!("{moves:.1}"));
        let count = |moves: Option<u64>| moves.map_or("-".to_owned(), |moves| moves.to_string());
        let cells = [
            results.attempts.to_string(),
            results.solved.to_string(),
            mean(results.mean_moves),
            count(results.fewest_moves),
            count(results.most_moves),
            mean(results.mean_moves_unsolved),
        ];
        let letter = ['A', 'B'][results.engine % 2];
        writeln!(out, "{letter:<6}{}", cells.map(|cell| format!("{cell:>12}")).concat())?;
    }
    Ok(())
}

/// How often each seat won, where there are more than two.
fn print_seats(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let ruleset = &summary.rulesets[0];
    for seat in ruleset.by_seat.iter().filter(|_| ruleset.seats.len() > 2) {
        let who = seat.engine.map_or("all".to_owned(), |engine| ['A', 'B'][engine % 2].to_string());
        let percent = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
        let bounds = format!("{} to {}", percent(seat.wilson_low), percent(seat.wilson_high));
        let (role, games, wins, share) = (&seat.role, seat.games, seat.wins, percent(seat.share));
        writeln!(out, "seat {role}, {who}: {wins} of {games} games won, {share} ({bounds})")?;
    }
    Ok(())
}

fn print_count(label: &str, count: Trinomial, out: &mut dyn Write) -> io::Result<()> {
    let Trinomial { losses, draws, wins } = count;
    let rate = count.rate().map_or("-".to_owned(), |rate| format!("{:.1} %", rate * 100.0));
    writeln!(out, "{label:<24} {:>6} {wins:>6} {draws:>6} {losses:>6} {rate:>8}", count.games())
}

/// A player's mistakes, overall and by side, where moves were judged.
fn add_mistakes(object: &mut Value, summary: &Summary, player: usize) {
    let Some(found) = summary.engines[player].overall.mistakes else { return };
    object["mistakes"] = json!(found);
    for (role, name) in &summary.rulesets[0].seats {
        if let Some(found) = role_results(summary, player, role).and_then(|played| played.mistakes) {
            object["sides"][name]["mistakes"] = json!(found);
        }
    }
}

/// The result as one object; `options` are those of A and B as they were given.
pub(super) fn json(options: [&str; 2], summary: &Summary) -> Value {
    let player = |player: usize| {
        let sides = sides(summary, player).into_iter().map(|(side, count)| (side.to_owned(), count_json(count)));
        let mut object = count_json(total(summary, player));
        object["options"] = json!(options[player]);
        object["sides"] = Value::Object(sides.collect());
        add_mistakes(&mut object, summary, player);
        object
    };
    let ending = |(winner, reason, games)| json!({"winner": winner, "reason": reason, "games": games});
    json!({
        "seats": summary.rulesets[0].by_seat,
        "puzzles": summary.puzzles,
        "games": summary.games,
        "a": player(0),
        "b": player(1),
        "endings": endings(summary).into_iter().map(ending).collect::<Vec<_>>(),
        "average_plies": summary.rulesets[0].average_plies.unwrap_or(0.0),
    })
}
