//! Picks the child with the highest upper confidence bound (UCT; Kocsis and Szepesvári, 2006) with
//! first-play urgency (Gelly and Wang, 2006) and progressive bias (Chaslot and others, 2008), the mean mixed with
//! the best-reply value (implicit minimax backups; Lanctot and others, 2014).

use super::MctsParameters;
use super::arena::TreeNode;
use super::value::ProvedResult;
use crate::rules::Seat;

/// The parameters as factors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection {
    exploration: f32,
    first_play_reduction: f32,
    bias: f32,
    minimax_share: f32,
}

impl Selection {
    /// With `backs_up_replies` off the nodes hold no best-reply values.
    pub(super) fn new(parameters: &MctsParameters, backs_up_replies: bool) -> Self {
        let hundredths = |value: i32| value as f32 / 100.0;
        let plays_out = parameters.rollout_plies > 0;
        let exploration = if plays_out { parameters.rollout_exploration } else { parameters.exploration };
        Selection {
            exploration: hundredths(exploration),
            first_play_reduction: hundredths(parameters.first_play_urgency),
            bias: hundredths(parameters.bias),
            minimax_share: if backs_up_replies { hundredths(parameters.minimax_share) } else { 0.0 },
        }
    }

    /// The index of the most urgent child at `node`, with rates seen by `seat`, which gets `average` there;
    /// `None` when no allowed child is in question. An empty `allowed` allows all. Proved children teach nothing more
    /// and are left out.
    #[inline]
    pub(super) fn most_urgent(
        &self,
        node: &TreeNode,
        children: &[TreeNode],
        seat: Seat,
        average: f32,
        allowed: &[bool],
    ) -> Option<usize> {
        let spread = self.exploration * binary_log(node.visits().saturating_add(1)).sqrt();
        let mut best = None;
        let mut highest = f32::NEG_INFINITY;
        for (index, child) in children.iter().enumerate() {
            if child.proof().is_some() || (!allowed.is_empty() && !allowed[index]) {
                continue;
            }
            let tries = child.visits().saturating_add(1) as f32;
            let bias = self.bias * (child.prior().of(seat) - average) / tries;
            let mean = if child.visits() == 0 { average - self.first_play_reduction } else { child.mean().of(seat) };
            let value = mean + self.minimax_share * (child.minimax().of(seat) - mean);
            let urgency = value + bias + spread / tries.sqrt();
            if urgency > highest {
                highest = urgency;
                best = Some(index);
            }
        }
        best
    }
}

/// The best proved result that `seat` can choose at once.
#[inline]
pub(super) fn best_proved(children: &[TreeNode], seat: Seat, allowed: &[bool]) -> Option<ProvedResult> {
    let may = |index: usize| allowed.is_empty() || allowed[index];
    let proved = children.iter().enumerate().filter_map(|(index, child)| child.proof().filter(|_| may(index)));
    proved.max_by_key(|proof| proof.rank(seat))
}

/// The logarithm to base 2, straight between powers of two: the same bits on every machine.
fn binary_log(number: u32) -> f32 {
    let exponent = number.max(1).ilog2();
    exponent as f32 + (number as f32 / (1_u64 << exponent) as f32 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_exact_at_powers_of_two_and_rises() {
        assert_eq!(binary_log(1), 0.0);
        assert_eq!(binary_log(1024), 10.0);
        assert!((1..5000).all(|n| binary_log(n) < binary_log(n + 1)));
    }
}
