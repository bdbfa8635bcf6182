//! What `reynard match` prints.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::tournament::GameRecord;
use crate::tournament::standings::{ReasonCount, Summary};

/// Won, drawn and lost games.
#[derive(Clone, Copy, Default)]
struct Count {
    won: u64,
    drawn: u64,
    lost: u64,
}

impl Count {
    fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Points by games, a draw half a point; `None` without games.
    fn rate(self) -> Option<f64> {
        let points = self.won as f64 + self.drawn as f64 / 2.0;
        (self.games() > 0).then(|| points / self.games() as f64)
    }

    fn json(self) -> Value {
        let Count { won, drawn, lost } = self;
        json!({"games": self.games(), "won": won, "drawn": drawn, "lost": lost, "score": self.rate()})
    }
}

/// All results of a player.
fn total(summary: &Summary, player: usize) -> Count {
    let tally = &summary.engines[player].overall.results;
    Count { won: tally.wins, drawn: tally.draws, lost: tally.losses }
}

/// What the sides are called, by seat, with the results of a player there.
fn sides(summary: &Summary, player: usize) -> Vec<(&str, Count)> {
    let played = &summary.engines[player].overall.roles;
    let count = |role: &str| {
        let results = played.iter().find(|results| results.role == role);
        results.map(|found| Count { won: found.wins, drawn: found.draws, lost: found.losses }).unwrap_or_default()
    };
    summary.rulesets[0].seats.iter().map(|(role, name)| (name.as_str(), count(role))).collect()
}

/// The winning side (`None` for a draw), reason and number of games, the most frequent first.
fn endings(summary: &Summary) -> Vec<(Option<&str>, &str, u64)> {
    let ruleset = &summary.rulesets[0];
    let side = |seat: usize| Some(ruleset.seats[seat % 2].1.as_str());
    let favoured = ruleset.favoured_seat;
    let of_reason = |reason: &'_ ReasonCount| {
        [(side(favoured), reason.wins), (None, reason.draws), (side(favoured + 1), reason.losses)]
    };
    let all = ruleset
        .reasons
        .iter()
        .flat_map(|reason| of_reason(reason).map(|(winner, games)| (winner, reason.reason.as_str(), games)));
    let mut endings: Vec<_> = all.filter(|&(.., games)| games > 0).collect();
    endings.sort_by_key(|&(.., games)| std::cmp::Reverse(games));
    endings
}

/// One line about a game that is over.
pub(super) fn tell(record: &GameRecord, out: &mut dyn Write) -> io::Result<()> {
    let ending = &record.ending;
    let outcome = match ending.winner() {
        None => "draw".to_owned(),
        Some(seat) => format!("{} wins", ['A', 'B'][record.fixture.seats[seat.index()] % 2]),
    };
    let plies = record.opening.moves.len() + record.moves.len();
    writeln!(out, "game {}: {outcome} after {plies} plies, {}", record.fixture.game + 1, ending.reason)?;
    out.flush()
}

/// The result as tables; `options` are those of A and B as they were given.
pub(super) fn print(options: [&str; 2], summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let [a, b] = options;
    writeln!(out, "\nA: {a}\nB: {b}\n")?;
    writeln!(out, "{:<24} {:>6} {:>6} {:>6} {:>6} {:>8}", "", "games", "won", "drawn", "lost", "score")?;
    for (player, letter) in ["A", "B"].into_iter().enumerate() {
        print_count(letter, total(summary, player), out)?;
        for (side, count) in sides(summary, player) {
            print_count(&format!("{letter} as {side}"), count, out)?;
        }
    }
    writeln!(out, "\nHow the games ended:")?;
    for (winner, reason, games) in endings(summary) {
        let outcome = winner.map_or("draw".to_owned(), |side| format!("win for {side}"));
        writeln!(out, "{games:>6}  {outcome}: {reason}")?;
    }
    writeln!(out, "Average length: {:.1} plies", summary.rulesets[0].average_plies.unwrap_or(0.0))
}

fn print_count(label: &str, count: Count, out: &mut dyn Write) -> io::Result<()> {
    let Count { won, drawn, lost } = count;
    let rate = count.rate().map_or("-".to_owned(), |rate| format!("{:.1} %", rate * 100.0));
    writeln!(out, "{label:<24} {:>6} {won:>6} {drawn:>6} {lost:>6} {rate:>8}", count.games())
}

/// The result as one object; `options` are those of A and B as they were given.
pub(super) fn json(options: [&str; 2], summary: &Summary) -> Value {
    let player = |player: usize| {
        let sides = sides(summary, player).into_iter().map(|(side, count)| (side.to_owned(), count.json()));
        let mut object = total(summary, player).json();
        object["options"] = json!(options[player]);
        object["sides"] = Value::Object(sides.collect());
        object
    };
    let ending = |(winner, reason, games)| json!({"winner": winner, "reason": reason, "games": games});
    json!({
        "games": summary.games,
        "a": player(0),
        "b": player(1),
        "endings": endings(summary).into_iter().map(ending).collect::<Vec<_>>(),
        "average_plies": summary.rulesets[0].average_plies.unwrap_or(0.0),
    })
}
