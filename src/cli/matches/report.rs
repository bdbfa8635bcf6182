//! The report of a match, as text or as one object.

use std::io::{self, Write};

use reynard_engine::rules::Seat;
use serde_json::{Value, json};

use crate::cli::output::{lines_of_words, number_table};
use crate::tournament::GameRecord;
use crate::tournament::mistakes::JudgedPlay;
use crate::tournament::report::{LineStyle, elo_line, pairs_line, sprt_line, warnings};
use crate::tournament::standings::{RoleResults, Summary};
use crate::tournament::stats::{Sample, Trinomial};

/// What a player did, overall or as one side.
#[derive(Default)]
struct PlayerResults<'a> {
    /// What the side is called.
    side: Option<&'a str>,
    games: Trinomial,
    /// Where its moves were judged.
    judged: Option<&'a JudgedPlay>,
}

impl<'a> PlayerResults<'a> {
    /// Those overall, then those by seat.
    fn all(summary: &'a Summary, player: usize) -> Vec<PlayerResults<'a>> {
        let overall = &summary.engines[player].overall;
        let (results, roles, seats) = (&overall.results, &overall.roles, &summary.rulesets[0].seats);
        let mut all = vec![PlayerResults { side: None, games: results.games, judged: overall.judged.as_ref() }];
        all.extend(seats.iter().map(|(role, side)| {
            let played = roles.iter().find(|played| played.role == *role);
            PlayerResults { side: Some(side), ..played.map(Self::in_role).unwrap_or_default() }
        }));
        all
    }

    fn in_role(played: &'a RoleResults) -> Self {
        PlayerResults { side: Some(&played.role), games: played.games, judged: played.judged.as_ref() }
    }

    fn json(&self) -> Value {
        let Trinomial { losses, draws, wins } = self.games;
        let (games, score) = (self.games.games(), self.games.rate());
        let mut object = json!({"games": games, "won": wins, "drawn": draws, "lost": losses, "score": score});
        if let Some(JudgedPlay { mistakes, conversion }) = self.judged {
            object["mistakes"] = json!(mistakes);
            object["conversion"] = json!(conversion);
        }
        object
    }
}

/// The winning side (`None` for a draw), reason and number of games, the most frequent first.
fn endings(summary: &Summary) -> Vec<(Option<String>, &str, u64)> {
    let ruleset = &summary.rulesets[0];
    let winners = ruleset.side_names().map(Some);
    let all = ruleset.reasons.iter().flat_map(|count| {
        let [favoured, other] = winners.clone();
        let games = [(favoured, count.wins), (None, count.draws), (other, count.losses)];
        games.map(|(winner, games)| (winner, count.reason.as_str(), games))
    });
    let mut endings: Vec<_> = all.filter(|&(.., games)| games > 0).collect();
    endings.sort_by_key(|&(.., games)| std::cmp::Reverse(games));
    endings
}

/// One line about a game that is over.
pub(super) fn tell(record: &GameRecord, engines: &[String], out: &mut dyn Write) -> io::Result<()> {
    let ending = &record.ending;
    let name = |seat: Seat| &engines[record.fixture.seats[seat.index()]];
    let outcome = match ending.winner() {
        None => "draw".to_owned(),
        Some(seat) => format!("{} wins", name(seat)),
    };
    let plies = record.opening.moves.len() + record.moves.len();
    writeln!(out, "game {}: {outcome} after {plies} plies, {}", record.fixture.game + 1, ending.reason)?;
    out.flush()
}

/// The result as tables; `texts` are the players as they were given.
pub(super) fn print(texts: [&str; 2], summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    for (engine, text) in summary.engines.iter().zip(texts) {
        writeln!(out, "{}: {text}", engine.name)?;
    }
    print_players(summary, out)?;
    if summary.games > 0 {
        let score = &summary.engines[0].overall.results;
        write!(out, "\n{}{}", lines_of_words(&elo_line(score, LineStyle::Plain)), lines_of_words(&pairs_line(score)))?;
    }
    summary.sprt_verdict.iter().try_for_each(|verdict| writeln!(out, "{}", sprt_line(verdict)))?;
    warnings(summary)
        .iter()
        .try_for_each(|warning| write!(out, "{}", lines_of_words(&format!("Warning: {warning}"))))?;
    writeln!(out, "\nHow the games ended:")?;
    for (winner, reason, games) in endings(summary) {
        let outcome = match winner {
            Some(side) => format!("win for {side}"),
            None => "draw".to_owned(),
        };
        writeln!(out, "{games:>6}  {outcome}: {reason}")?;
    }
    writeln!(out, "Average length: {:.1} plies", summary.rulesets[0].average_plies.unwrap_or(0.0))
}

/// What both players did, overall and by side.
fn print_players(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let mut players = Vec::new();
    for (player, engine) in summary.engines.iter().enumerate() {
        let name = &engine.name;
        let label = |side: Option<&str>| side.map_or(name.clone(), |side| format!("{name} as {side}"));
        players.extend(PlayerResults::all(summary, player).into_iter().map(|results| (label(results.side), results)));
    }
    if summary.games > 0 {
        let rows = players.iter().map(|(label, PlayerResults { games, .. })| {
            let counts = [games.games(), games.wins, games.draws, games.losses].map(|count| count.to_string());
            [label.clone()].into_iter().chain(counts).chain([percent(games.rate())])
        });
        writeln!(out, "\n{}", number_table(1, ["", "games", "won", "drawn", "lost", "score"], rows))?;
    }
    let judged = players.into_iter().filter_map(|(label, results)| Some((label, results.judged?)));
    let (mistakes, conversions) =
        judged.map(|(label, found)| (mistakes(&label, found), conversion(label, found))).unzip();
    print_rows(["by the tables", "moves judged", "at stake", "mistakes", "per game"], mistakes, out)?;
    print_rows(["won by the tables", "games", "won", "drawn", "lost", "won %"], conversions, out)
}

fn mistakes(label: &str, JudgedPlay { mistakes: found, .. }: &JudgedPlay) -> [String; 5] {
    let [judged, at_stake, mistakes] = [found.judged, found.at_stake, found.mistakes()].map(|count| count.to_string());
    [label.to_owned(), judged, at_stake, mistakes, number(found.per_game(), 2)]
}

fn conversion(label: String, JudgedPlay { conversion: found, .. }: &JudgedPlay) -> [String; 6] {
    let Trinomial { losses, draws, wins } = found.games;
    let [games, won, drawn, lost] = [found.games.games(), wins, draws, losses].map(|count| count.to_string());
    [label, games, won, drawn, lost, percent(found.share())]
}

/// A table with a blank line before it, if there is anything in it.
fn print_rows<const N: usize>(header: [&str; N], rows: Vec<[String; N]>, out: &mut dyn Write) -> io::Result<()> {
    if rows.is_empty() { Ok(()) } else { writeln!(out, "\n{}", number_table(1, header, rows)) }
}

fn number(figure: Option<f64>, decimals: usize) -> String {
    figure.map_or("-".to_owned(), |figure| format!("{figure:.decimals$}"))
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// The result as one object; `texts` are the players as they were given.
pub(super) fn json(texts: [&str; 2], summary: &Summary) -> Value {
    let [a, b] = [0, 1].map(|player| {
        let results = PlayerResults::all(summary, player);
        let mut object = results[0].json();
        object["name"] = json!(summary.engines[player].name);
        object["options"] = json!(texts[player]);
        object["sides"] = json!({});
        for (side, results) in results.iter().filter_map(|results| Some((results.side?, results))) {
            object["sides"][side] = results.json();
        }
        object
    });
    let ending = |(winner, reason, games)| json!({"winner": winner, "reason": reason, "games": games});
    json!({
        "games": summary.games,
        "estimate": summary.engines[0].overall.results.estimate,
        "pairs": summary.engines[0].overall.results.pairs,
        "warnings": warnings(summary),
        "a": a,
        "b": b,
        "endings": endings(summary).into_iter().map(ending).collect::<Vec<_>>(),
        "average_plies": summary.rulesets[0].average_plies.unwrap_or(0.0),
    })
}
