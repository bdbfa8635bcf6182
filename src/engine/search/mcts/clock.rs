//! Time management of the tree search: when it has thought enough.

use crate::search::Control;

/// Parts of the soft time bound at which a decided search may end early.
const EARLY: [f64; 5] = [0.9, 0.75, 0.6, 0.45, 0.3];
/// A forced move takes this part of the time.
const FORCED: f64 = 0.02;
/// A choice in doubt may take this much of the soft bound.
const IN_DOUBT: f64 = 1.5;

/// Whether to answer now after `iterations`: the soft bound has passed, or nothing can change the choice before it.
///
/// Asked only when it matters: by how many visits the best move leads (`u64::MAX` if there is no other), and whether
/// the choice is in doubt.
pub(super) fn has_thought_enough(
    control: &Control,
    iterations: u64,
    lead: impl FnOnce() -> u64,
    is_in_doubt: impl FnOnce() -> bool,
) -> bool {
    if control.may_continue(FORCED) {
        return false;
    }
    if !control.may_continue(1.0) {
        return !(control.may_continue(IN_DOUBT) && is_in_doubt());
    }
    let lead = lead();
    let cannot_be_overtaken = |part: &f64| lead as f64 > iterations as f64 * (1.0 - part) / part;
    lead == u64::MAX || EARLY.iter().find(|&&part| !control.may_continue(part)).is_some_and(cannot_be_overtaken)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn enough(elapsed_ms: u64, lead: u64, doubt: bool) -> bool {
        let control = Control::new(move || Duration::from_millis(elapsed_ms));
        control.set_time(Duration::from_millis(1000), Duration::from_millis(3000));
        has_thought_enough(&control, 1000, || lead, || doubt)
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
        assert!(!has_thought_enough(&Control::timeless(), 1, || u64::MAX, || false));
    }
}
