//! The strength of play that options can set: the method of search, and levels below full strength, with their ratings.

use std::hash::{BuildHasher, Hasher, RandomState};

use crate::eval::Backup;
use crate::search::levels::Level;

/// The methods of search that the option `Searcher` offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearcherKind {
    /// The solver if the game has one, else alpha-beta, which the games in tests/bench/README.md favour; for three
    /// players and more Monte Carlo tree search.
    Auto,
    /// Alpha-beta, for one or two players; Monte Carlo tree search for more.
    AlphaBeta,
    /// Monte Carlo tree search.
    Mcts,
    /// The game's own exact method; without one as `Auto`.
    Solver,
    /// Plays a random legal move.
    Random,
    /// Plays the move of the highest [`greed`](crate::rules::SearchHints::greed), without looking ahead.
    Greedy,
}

impl SearcherKind {
    /// The names in the order of the combo option; the first is the default.
    pub(super) const NAMED: [(&'static str, SearcherKind); 6] = [
        ("auto", SearcherKind::Auto),
        ("alphabeta", SearcherKind::AlphaBeta),
        ("mcts", SearcherKind::Mcts),
        ("solver", SearcherKind::Solver),
        ("random", SearcherKind::Random),
        ("greedy", SearcherKind::Greedy),
    ];

    /// The name as a value of the option.
    pub fn name(self) -> &'static str {
        SearcherKind::NAMED.into_iter().find(|&(_, kind)| kind == self).map_or("", |(name, _)| name)
    }

    /// The tree search that is used in games without a solver; `None` for the methods that never search, which tables
    /// and levels do not change.
    pub fn tree_search(self) -> Option<SearcherKind> {
        match self {
            SearcherKind::Auto | SearcherKind::AlphaBeta | SearcherKind::Solver => Some(SearcherKind::AlphaBeta),
            SearcherKind::Mcts => Some(SearcherKind::Mcts),
            SearcherKind::Random | SearcherKind::Greedy => None,
        }
    }

    /// How the method combines the values of many positions; methods that never search count as taking the best one.
    pub(super) fn backup(self) -> Backup {
        match self.tree_search() {
            Some(SearcherKind::Mcts) => Backup::Mean,
            _ => Backup::Minimax,
        }
    }
}

/// The number of levels of play below full strength.
const LEVELS: usize = 20;

/// The levels of play of a family, with their measured ratings. Level 0 is `random`.
pub(super) struct LevelScale {
    /// The place of each level on the curves of [`Level`].
    pub places: [f64; LEVELS],
    /// The rating of each level, 0 for level 0.
    pub ratings: [u16; LEVELS],
}

impl LevelScale {
    /// The rating of the highest level.
    pub(super) const fn highest(&self) -> u16 {
        self.ratings[LEVELS - 1]
    }
}

/// The value of `Skill Level` that stands for full strength.
pub(super) const FULL_SKILL: u8 = LEVELS as u8;

/// The highest rating of any family's highest level.
pub(super) const HIGHEST_ELO: i64 = {
    let [hunts, the_game] = [HUNT_LEVELS.highest(), THE_GAME_LEVELS.highest()];
    if hunts > the_game { hunts as i64 } else { the_game as i64 }
};

/// The levels of hunts. Their places had ratings at equal distances on a first ladder. The ratings are those of two
/// ladders over 4,560 games of masters-15 and bell-13, which found all levels in this order (tests/bench/README.md).
pub(super) const HUNT_LEVELS: LevelScale = LevelScale {
    places: [
        0.0, 1.58, 5.06, 6.89, 8.39, 10.30, 10.92, 12.01, 12.38, 12.76, 13.13, 13.49, 13.83, 14.33, 14.95, 15.37,
        15.77, 16.44, 17.64, 19.0,
    ],
    ratings: [0, 77, 151, 203, 302, 366, 424, 486, 542, 611, 644, 724, 758, 823, 907, 952, 984, 1031, 1137, 1178],
};

/// The levels of The Game. On ladders over 4,180 games, read as one curve, their places have ratings at equal distances
/// above level 1. Later ladders (tests/bench/README.md) find some levels up to 93 below it with errors of 37 to 52, in
/// this order. A player with a few random moves is far better there than one who always plays at random.
pub(super) const THE_GAME_LEVELS: LevelScale = LevelScale {
    places: [
        0.0, 0.2, 0.31, 0.42, 0.52, 0.69, 0.86, 0.94, 1.18, 6.76, 8.66, 10.7, 11.41, 11.96, 13.84, 15.2, 15.7, 16.46,
        17.52, 19.0,
    ],
    ratings: [
        0, 455, 578, 702, 825, 949, 1072, 1196, 1320, 1443, 1567, 1690, 1814, 1937, 2061, 2185, 2308, 2432, 2555, 2679,
    ],
};

/// A random seed for a level's play in one game, from the source of keys for hash maps: with a fixed seed an opponent
/// would meet the same play again and again.
pub(super) fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The level with a given rating, interpolated between two levels of the scale.
pub(super) fn level_of(elo: u16, LevelScale { places, ratings }: &LevelScale) -> Level {
    let above = ratings.partition_point(|&rating| rating <= elo);
    if above == LEVELS {
        return Level(places[LEVELS - 1]);
    }
    let part = f64::from(elo - ratings[above - 1]) / f64::from(ratings[above] - ratings[above - 1]);
    let [lower, upper] = [places[above - 1], places[above]];
    Level(lower + part * (upper - lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_read_between_the_levels() {
        let scale = LevelScale {
            places: std::array::from_fn(|level| level as f64 / 2.0),
            ratings: std::array::from_fn(|level| 100 * level as u16),
        };
        for (elo, place) in [(0, 0.0), (100, 0.5), (150, 0.75), (1_899, 9.495), (1_900, 9.5), (3_000, 9.5)] {
            assert!((level_of(elo, &scale).0 - place).abs() < 1e-9, "{elo}");
        }
    }

    #[test]
    fn higher_levels_are_rated_higher() {
        for LevelScale { places, ratings } in [&HUNT_LEVELS, &THE_GAME_LEVELS] {
            assert!(places.is_sorted_by(|lower, higher| lower < higher) && Level(places[LEVELS - 1]) < Level::FULL);
            assert!(ratings.is_sorted_by(|lower, higher| lower < higher) && (places[0], ratings[0]) == (0.0, 0));
        }
    }
}
