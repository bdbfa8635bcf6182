//! Ends games by the scores that the engines give: a draw both believe in, or a loss that is admitted.

use reynard_engine::rules::Seat;

use super::record::{Cause, Ending, EngineScore};
use super::spec::{AdjudicationSpec, DrawRule, ResignRule};

/// Counts the scores of one game that call for its end. A move without a score starts every count again that it could
/// have carried on.
#[derive(Clone, Debug)]
pub(crate) struct Adjudicator {
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    /// Consecutive plies near 0.
    level_plies: u32,
    /// By seat, consecutive own moves at or below the resign score.
    losing_moves: [u32; 2],
    /// By seat, consecutive own moves at or above it.
    winning_moves: [u32; 2],
}

impl Adjudicator {
    pub(crate) fn new(spec: &AdjudicationSpec) -> Self {
        let AdjudicationSpec { draw, resign, .. } = *spec;
        Adjudicator { draw, resign, level_plies: 0, losing_moves: [0; 2], winning_moves: [0; 2] }
    }

    /// Counts a move's score from the mover's point of view; `plies` is the length of the game with that move, the
    /// opening included. An admitted loss goes before a draw.
    pub(crate) fn add_score(&mut self, mover: Seat, score: Option<EngineScore>, plies: u32) -> Option<Ending> {
        self.count(mover, score);
        self.resignation().or_else(|| self.draw_after(plies))
    }

    fn count(&mut self, mover: Seat, score: Option<EngineScore>) {
        let score = score.map(hundredths);
        let carry = |count: &mut u32, holds: bool| *count = if holds { *count + 1 } else { 0 };
        if let Some(bound) = self.draw.map(|rule| i64::from(rule.score_cp)) {
            carry(&mut self.level_plies, score.is_some_and(|score| score.abs() <= bound));
        }
        if let Some(bound) = self.resign.map(|rule| i64::from(rule.score_cp)) {
            let player = mover.index();
            carry(&mut self.losing_moves[player], score.is_some_and(|score| score <= -bound));
            carry(&mut self.winning_moves[player], score.is_some_and(|score| score >= bound));
        }
    }

    fn resignation(&self) -> Option<Ending> {
        let rule = self.resign?;
        let resigns = |loser: &Seat| {
            let agreed = !rule.two_sided || self.winning_moves[loser.other().index()] >= rule.moves;
            self.losing_moves[loser.index()] >= rule.moves && agreed
        };
        let loser = [Seat::P1, Seat::P2].into_iter().find(resigns)?;
        Some(Ending::new(Some(loser.other()), Cause::ResignAdjudication, "resigned by score"))
    }

    fn draw_after(&self, plies: u32) -> Option<Ending> {
        let rule = self.draw?;
        let is_draw = plies >= rule.after_plies && self.level_plies >= rule.plies;
        is_draw.then(|| Ending::new(None, Cause::DrawAdjudication, "level scores for long enough"))
    }
}

/// Hundredths of a piece; a mate is beyond every bound.
fn hundredths(score: EngineScore) -> i64 {
    match score {
        EngineScore::Centipieces(value) => value.into(),
        EngineScore::Mate(1..) => i64::MAX,
        // `mate 0`: the mover has been mated.
        EngineScore::Mate(_) => -i64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CP: fn(i32) -> Option<EngineScore> = |value| Some(EngineScore::Centipieces(value));
    const MATE: fn(i32) -> Option<EngineScore> = |moves| Some(EngineScore::Mate(moves));

    fn draw(after_plies: u32, plies: u32, score_cp: u32) -> AdjudicationSpec {
        AdjudicationSpec { draw: Some(DrawRule { after_plies, plies, score_cp }), ..Default::default() }
    }

    fn resign(moves: u32, score_cp: u32, two_sided: bool) -> AdjudicationSpec {
        AdjudicationSpec { resign: Some(ResignRule { moves, score_cp, two_sided }), ..Default::default() }
    }

    fn agreed_draw() -> Ending {
        Ending::new(None, Cause::DrawAdjudication, "level scores for long enough")
    }

    fn resigned(loser: Seat) -> Ending {
        Ending::new(Some(loser.other()), Cause::ResignAdjudication, "resigned by score")
    }

    /// The first ending with the ply after which it came; the seats alternate, the opening has `opening` plies.
    fn verdict(spec: &AdjudicationSpec, opening: u32, scores: &[Option<EngineScore>]) -> Option<(u32, Ending)> {
        let mut adjudicator = Adjudicator::new(spec);
        scores.iter().zip(1..).find_map(|(&score, ply)| {
            let mover = if ply % 2 == 1 { Seat::P1 } else { Seat::P2 };
            adjudicator.add_score(mover, score, opening + ply).map(|ending| (opening + ply, ending))
        })
    }

    #[test]
    fn a_draw_takes_exactly_so_many_level_plies() {
        let level = [CP(10), CP(-10), CP(0), CP(10)];
        assert_eq!(verdict(&draw(0, 4, 10), 0, &level), Some((4, agreed_draw())));
        assert_eq!(verdict(&draw(0, 5, 10), 0, &level), None);
        assert_eq!(verdict(&draw(0, 4, 9), 0, &level), None);
        assert_eq!(verdict(&draw(0, 3, 10), 0, &[CP(0), CP(0), CP(11), CP(0), CP(0)]), None);
    }

    #[test]
    fn a_draw_does_not_come_before_its_ply_but_counts_before_it() {
        assert_eq!(verdict(&draw(6, 2, 10), 0, &[CP(0); 8]), Some((6, agreed_draw())));
        assert_eq!(verdict(&draw(6, 2, 10), 4, &[CP(0); 8]), Some((6, agreed_draw())));
        assert_eq!(verdict(&draw(6, 2, 10), 9, &[CP(0); 8]), Some((11, agreed_draw())));
    }

    #[test]
    fn a_missing_score_or_a_mate_ends_a_level_stretch() {
        for other in [None, MATE(3), MATE(-3)] {
            assert_eq!(verdict(&draw(0, 3, 10), 0, &[CP(0), CP(0), other, CP(0), CP(0)]), None, "{other:?}");
        }
    }

    #[test]
    fn one_sided_resignation_counts_own_moves_only() {
        let rule = resign(2, 500, false);
        assert_eq!(verdict(&rule, 0, &[CP(-500), CP(0), CP(-500)]), Some((3, resigned(Seat::P1))));
        assert_eq!(verdict(&rule, 0, &[CP(-500), CP(0), CP(-499), CP(0)]), None);
        assert_eq!(verdict(&rule, 0, &[CP(0), CP(-501), CP(0), MATE(-2)]), Some((4, resigned(Seat::P2))));
        assert_eq!(verdict(&rule, 0, &[CP(-500), CP(0), None, CP(0), CP(-500), CP(0)]), None);
    }

    #[test]
    fn two_sided_resignation_needs_the_opponent_for_as_many_moves() {
        let rule = resign(2, 500, true);
        let agreed = [CP(-600), CP(500), CP(-600), CP(500)];
        assert_eq!(verdict(&rule, 0, &agreed), Some((4, resigned(Seat::P1))));
        assert_eq!(verdict(&rule, 0, &[CP(-600), CP(500), CP(-600), CP(499)]), None);
        assert_eq!(verdict(&rule, 0, &[CP(-600), CP(500), CP(-600), None, CP(-600), CP(500)]), None);
        let late = [CP(-600), CP(0), CP(-600), CP(700), MATE(-1), MATE(1)];
        assert_eq!(verdict(&rule, 0, &late), Some((6, resigned(Seat::P1))));
    }

    #[test]
    fn the_most_negative_score_is_a_score() {
        assert_eq!(
            verdict(&resign(1, u32::MAX, false), 0, &[CP(i32::MIN), CP(0)]),
            None,
            "a bound beyond every score is never reached"
        );
        assert_eq!(verdict(&draw(0, 1, 10), 0, &[CP(i32::MIN)]), None);
        assert_eq!(verdict(&resign(1, 500, false), 0, &[MATE(0)]), Some((1, resigned(Seat::P1))));
    }

    #[test]
    fn an_admitted_loss_goes_before_a_draw() {
        let spec = AdjudicationSpec { draw: draw(0, 1, 900).draw, ..resign(1, 500, false) };
        assert_eq!(verdict(&spec, 0, &[CP(-600)]), Some((1, resigned(Seat::P1))));
    }
}
