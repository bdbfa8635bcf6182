//! When a tree search under a clock has thought enough.

use crate::search::Control;

/// Parts of the soft time bound at which a decided search may end early.
const EARLY: [f64; 5] = [0.9, 0.75, 0.6, 0.45, 0.3];
/// A forced move takes this part of the time.
const FORCED: f64 = 0.02;
/// A choice in doubt may take this much of the soft bound.
const IN_DOUBT: f64 = 1.5;

/// How clear the choice at the root is, asked only when it matters.
pub(super) trait Choice {
    /// Visits by which the best move leads; `u64::MAX` if there is no other.
    fn lead(&self) -> u64;
    fn is_in_doubt(&self) -> bool;
}

/// Whether to answer now after `iterations`: the soft bound has passed, or nothing can change the choice before it.
pub(super) fn has_thought_enough(control: &Control, iterations: u64, choice: &impl Choice) -> bool {
    if control.may_continue(FORCED) {
        return false;
    }
    if !control.may_continue(1.0) {
        return !(control.may_continue(IN_DOUBT) && choice.is_in_doubt());
    }
    let lead = choice.lead();
    let cannot_be_overtaken = |part: &f64| lead as f64 > iterations as f64 * (1.0 - part) / part;
    lead == u64::MAX || EARLY.iter().find(|&&part| !control.may_continue(part)).is_some_and(cannot_be_overtaken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    struct Fixed {
        lead: u64,
        doubt: bool,
    }

    impl Choice for Fixed {
        fn lead(&self) -> u64 {
            self.lead
        }
        fn is_in_doubt(&self) -> bool {
            self.doubt
        }
    }

    fn enough(elapsed_ms: u64, lead: u64, doubt: bool) -> bool {
        let control = Control::new(move || Duration::from_millis(elapsed_ms));
        control.set_time(Duration::from_millis(1000), Duration::from_millis(3000));
        has_thought_enough(&control, 1000, &Fixed { lead, doubt })
    }

    #[test]
    fn a_forced_move_is_quick_and_a_doubtful_one_slow() {
        assert!(!enough(10, u64::MAX, false));
        assert!(enough(30, u64::MAX, false));
        assert!(enough(1000, 0, false));
        assert!(!enough(1000, 0, true));
        assert!(enough(1500, 0, true));
    }

    #[test]
    fn a_lead_ends_the_search_once_the_rest_cannot_make_it_up() {
        assert!(!enough(600, 600, false));
        assert!(enough(600, 700, false));
    }

    #[test]
    fn without_a_clock_there_is_no_end() {
        assert!(!has_thought_enough(&Control::timeless(), 1, &Fixed { lead: u64::MAX, doubt: false }));
    }
}
