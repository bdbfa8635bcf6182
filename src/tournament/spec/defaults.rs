//! What keys are worth that tournaments and tuning both have, where a spec is silent.

pub fn seed() -> u64 {
    1
}

/// The opening's plies included.
pub fn max_plies() -> u32 {
    400
}

/// Games at the same time.
pub fn concurrency() -> usize {
    1
}
