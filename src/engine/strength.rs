//! How strong the engine shall play: what `UCI_LimitStrength`, `UCI_Elo` and `Skill Level` say.

use super::options::Options;
use super::support::{GameSupport, LevelRatings};
use crate::search::weakened::Level;

/// The value of `Skill Level` that stands for full strength.
pub(super) const FULL_SKILL: u8 = Level::FULL.0 as u8;

/// The highest rating that can be asked for: that of the highest level below full strength.
pub(super) const HIGHEST_ELO: i64 = HUNT_LEVELS[HUNT_LEVELS.len() - 1] as i64;

/// Hunts: the levels stand where a ladder over 1,520 games of masters-15 and bell-13, ± 50 to 70 up to 1000 and ± 95 to
/// 240 above, has ratings at equal distances (`tournaments/levels.json` plays it with the levels as they are now).
pub(super) const HUNT_LEVELS: LevelRatings =
    [0, 83, 166, 248, 331, 414, 497, 580, 662, 745, 828, 911, 993, 1076, 1159, 1242, 1325, 1407, 1490, 1573];

/// The level of play that the options ask for; `None` for full strength, and in games that have no levels.
pub(super) fn level<G: GameSupport>(options: &Options) -> Option<Level> {
    let level = match G::LEVEL_RATINGS? {
        ratings if options.is_limited() => level_of(options.elo(), &ratings),
        _ => Level(options.skill_level().into()),
    };
    (level < Level::FULL).then_some(level)
}

/// What is to be said where the options ask for a level that the game does not have.
pub(super) fn notice<G: GameSupport>(options: &Options) -> Option<String> {
    let is_ignored = G::LEVEL_RATINGS.is_none() && (options.is_limited() || options.skill_level() < FULL_SKILL);
    is_ignored.then(|| "this game has no levels of play: the engine plays as well as it can".to_owned())
}

/// The level of a rating, between two whole levels where the rating is.
fn level_of(elo: u16, ratings: &LevelRatings) -> Level {
    let above = ratings.iter().position(|&rating| rating > elo).unwrap_or(ratings.len());
    let [lower, upper] = [above.saturating_sub(1), above].map(|level| ratings.get(level).copied().unwrap_or(u16::MAX));
    let part = if above < ratings.len() { f64::from(elo - lower) / f64::from(upper - lower) } else { 0.0 };
    Level(above.saturating_sub(1) as f64 + part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_read_between_the_levels() {
        let ratings: LevelRatings = std::array::from_fn(|level| 100 * level as u16);
        for (elo, level) in [(0, 0.0), (100, 1.0), (150, 1.5), (1_899, 18.99), (1_900, 19.0), (3_000, 19.0)] {
            assert!((level_of(elo, &ratings).0 - level).abs() < 1e-9, "{elo}");
        }
    }
}
