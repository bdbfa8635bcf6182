//! Default values of the keys that specs of tournaments and of tuning share.

pub(crate) fn seed() -> u64 {
    1
}

/// The opening's plies included.
pub(crate) fn max_plies() -> u32 {
    400
}

/// Games at the same time.
pub(crate) fn concurrency() -> usize {
    1
}
