//! What the best jump of a fox leads to, and in which rounds it counts.

use std::io;

use super::code::EndCode;
use super::landings::EndLandings;
use crate::geometry::singles;
use crate::parallel;
use crate::rules::hunt::Side;
use crate::tablebase::strips::foxes::Foxes;
use crate::tablebase::strips::jumps::visit_jumped;
use crate::tablebase::strips::layer::{Level, Strip, by_strip};
use crate::tablebase::strips::level::Goal;
use crate::tablebase::strips::news::{SparseWords, StripNews};
use crate::tablebase::strips::one_fox::OneFox;
use crate::tablebase::strips::strip_game::StripGame;

/// For each pattern of the strips of a level and each empty point the end of the game after the best jump from there.
/// Without landings `below` every capture wins.
///
/// # Errors
/// There is no memory to expand with.
pub(super) fn best_jumps(
    game: &StripGame<OneFox>,
    level: &Level,
    strips: &[Strip],
    columns: usize,
    below: Option<&EndLandings>,
) -> io::Result<Vec<EndCode>> {
    let mut best = vec![EndCode::NO_JUMP; level.patterns * columns];
    let (all, ranks) = (game.foxes.rules().all, game.foxes.rules().ranks);
    let place = |number: usize, pattern: u64, fox: u64| number * columns + OneFox::column(all & !pattern, fox) as usize;
    let Some(below) = below else {
        parallel::for_each(strips.iter().zip(by_strip(strips, columns, &mut best)), |(strip, best)| {
            for (number, pattern) in strip.patterns(&game.numbering).enumerate() {
                let jumpers = singles(game.foxes.can_jump(pattern) & !pattern);
                jumpers.for_each(|fox| best[place(number, pattern, fox)] = EndCode::won(Side::Fox, 0));
            }
        });
        return Ok(best);
    };
    // A goose that is captured takes its rank away from the sum. One level is open at a time: they are large.
    for landed in below.levels(level.ranks.saturating_sub(ranks - 1)..=level.ranks) {
        let codes = below.codes(landed)?;
        parallel::for_each(strips.iter().zip(by_strip(strips, columns, &mut best)), |(strip, best)| {
            let (lists, is_open) = ((&game.foxes, &game.numbering, &game.lists), |level| level == landed);
            visit_jumped(lists, strip, &below.layer, is_open, |goose| {
                // Without the goose there is an empty point more.
                let codes = &codes[goose.landed * (columns + 1)..][..columns + 1];
                for (jump, to) in goose.jumps() {
                    let best = &mut best[place(goose.number, goose.pattern, jump.from)];
                    *best = (*best).min(codes[OneFox::column(goose.empty, to) as usize]);
                }
            });
        });
    }
    Ok(best)
}

/// By strip, when these jumps count for a goal: with the fox to move the round after that in which the position behind
/// the jump is decided.
///
/// # Errors
/// There is no memory to compress with.
pub(super) fn jump_news(
    game: &StripGame<OneFox>,
    strips: &[Strip],
    columns: usize,
    best: &[EndCode],
    goal: Goal,
) -> io::Result<Vec<StripNews>> {
    let all = game.foxes.rules().all;
    let of_strip = |strip: &Strip| {
        let mut rounds: Vec<Vec<(usize, u64)>> = Vec::new();
        let rows = best[strip.start * columns..].chunks_exact(columns.max(1));
        for ((number, pattern), codes) in strip.patterns(&game.numbering).enumerate().zip(rows) {
            for (fox, code) in singles(all & !pattern).zip(codes) {
                let Some((winner, plies)) = code.decided() else { continue };
                if winner != goal.winner() {
                    continue;
                }
                let round = usize::from(plies) + 1;
                if rounds.len() <= round {
                    rounds.resize(round + 1, Vec::new());
                }
                match rounds[round].last_mut().filter(|(last, _)| *last == number) {
                    Some((_, foxes)) => *foxes |= fox,
                    None => rounds[round].push((number, fox)),
                }
            }
        }
        let mut news = StripNews::default();
        for (round, words) in (0..).zip(rounds) {
            news.add(round, Side::Fox, &SparseWords::of(words.into_iter()))?;
        }
        Ok(news)
    };
    parallel::try_map(strips, of_strip)
}
