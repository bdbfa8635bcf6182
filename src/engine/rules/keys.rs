//! Mixes numbers for hash keys.

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): spreads consecutive numbers over all bits.
pub(super) const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Consecutive numbers from `seed` up, mixed.
pub(super) const fn mixed<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = mix(seed + i as u64);
        i += 1;
    }
    keys
}
