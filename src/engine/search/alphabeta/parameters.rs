//! The tunable numbers of the alpha-beta search.

use crate::eval::parameters;

parameters! {
    /// How wide, how deep and how boldly the alpha-beta searcher looks.
    pub struct AlphaBetaParameters {
        /// Half of the first aspiration window, in hundredths of a piece.
        aspiration_window: "AspirationWindow" = 40, 5..=2000;
        /// Late-move reduction before the logarithms count, in hundredths of a ply.
        reduction_base: "ReductionBase" = 50, -200..=400;
        /// Divisor of the product of the logarithms of depth and move number, in hundredths; smaller reduces more.
        reduction_divisor: "ReductionDivisor" = 200, 50..=1000;
        /// How far for each ply left a position must look too good to be searched, in hundredths of a piece.
        futility_margin: "FutilityMargin" = 50, 1..=2000;
        /// Only with at most this many plies left; 0 never.
        futility_depth: "FutilityDepth" = 20, 0..=32;
        /// Plies that the quiescence search may go deep.
        quiescence_depth: "QuiescenceDepth" = 6, 0..=32;
        /// A side with at most this many legal moves counts as nearly trapped, and all of them are looked at.
        trap_moves: "TrapMoves" = 2, 0..=8;
        /// Games with dice: what is left out when the other rolls decide; 0 nothing, 1 Star1, 2 Star2 as well.
        chance_pruning: "ChancePruning" = 2, 0..=2;
    }
}

/// What stays the same from search to search.
pub(super) struct AlphaBetaSettings {
    pub(super) parameters: AlphaBetaParameters,
    /// Late-move reductions in plies by depth and move number, worked out once.
    reductions: [[u8; ROWS]; ROWS],
}

impl AlphaBetaSettings {
    pub(super) fn new(parameters: AlphaBetaParameters) -> Self {
        let base = f64::from(parameters.reduction_base) / 100.0;
        let divisor = f64::from(parameters.reduction_divisor) / 100.0;
        let logarithms = logarithms();
        let row = |depth: usize| {
            std::array::from_fn(|index| (base + logarithms[depth] * logarithms[index] / divisor).clamp(0.0, 32.0) as u8)
        };
        AlphaBetaSettings { parameters, reductions: std::array::from_fn(row) }
    }

    /// By how many plies the search of a late move is reduced.
    pub(super) fn reduction(&self, depth: i32, index: usize) -> i32 {
        i32::from(self.reductions[(depth.max(0) as usize).min(ROWS - 1)][index.min(ROWS - 1)])
    }
}

/// Depths and move numbers beyond this are reduced alike.
const ROWS: usize = 64;

/// Natural logarithms by the midpoint rule: plain arithmetic, hence the same bits on every machine.
fn logarithms() -> [f64; ROWS] {
    let mut logarithms = [0.0; ROWS];
    for n in 2..ROWS {
        logarithms[n] = logarithms[n - 1] + 2.0 / (2 * n - 1) as f64;
    }
    logarithms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close() {
        for (n, value) in logarithms().into_iter().enumerate().skip(1) {
            assert!((value - (n as f64).ln()).abs() < 0.04, "ln {n} = {value}");
        }
    }

    #[test]
    fn later_moves_are_reduced_more() {
        let settings = AlphaBetaSettings::new(AlphaBetaParameters::default());
        assert_eq!(settings.reduction(1, 1), 0);
        assert!(settings.reduction(10, 20) > settings.reduction(10, 3));
        assert!(settings.reduction(1000, 1000) >= settings.reduction(10, 20));
    }
}
