//! What is known of positions: proof and disproof numbers.

/// Numbers of one position. One of the two is 0 when the position is settled, and the other then [`INFINITE`](Numbers::INFINITE).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
    /// Where the win is proved: plies to the end at most.
    pub plies: u16,
}

impl Numbers {
    pub(super) const INFINITE: u32 = 1 << 30;
    pub(super) const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1, plies: 0 };
    pub(super) const NOT_WON: Numbers = Numbers { proof: Numbers::INFINITE, disproof: 0, plies: 0 };

    pub(super) fn won_in(plies: u16) -> Numbers {
        Numbers { proof: 0, disproof: Numbers::INFINITE, plies }
    }

    pub(super) fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    pub(super) fn is_won(self) -> bool {
        self.proof == 0
    }
}

/// Entries in a bucket.
const WAYS: usize = 4;

/// Numbers of a position and the work that they took.
#[derive(Clone, Copy, Default)]
struct ProofEntry {
    key: u64,
    numbers: Numbers,
    /// Positions looked at below; 0 while the entry is empty.
    work: u32,
}

/// A table of fixed size. Where a bucket is full, what took the least work goes.
pub(super) struct ProofTable {
    buckets: Vec<[ProofEntry; WAYS]>,
    most: usize,
}

impl ProofTable {
    /// A table of at most `bytes` bytes; it takes them at its first use.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<[ProofEntry; WAYS]>()).max(1);
        ProofTable { buckets: Vec::new(), most: 1 << most.ilog2() }
    }

    pub(super) fn clear(&mut self) {
        self.buckets.clear();
    }

    pub(super) fn probe(&self, key: u64) -> Option<Numbers> {
        let bucket = self.buckets.get(self.index(key))?;
        bucket.iter().find(|entry| entry.key == key && entry.work > 0).map(|entry| entry.numbers)
    }

    /// Stores numbers that took `work` positions.
    pub(super) fn store(&mut self, key: u64, numbers: Numbers, work: u32) {
        if self.buckets.is_empty() {
            self.buckets.resize(self.most, Default::default());
        }
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let same = bucket.iter().position(|entry| entry.key == key && entry.work > 0);
        let least = || (0..WAYS).min_by_key(|&way| bucket[way].work).unwrap_or(0);
        let way = same.unwrap_or_else(least);
        let work = work.max(1).saturating_add(if same.is_some() { bucket[way].work } else { 0 });
        bucket[way] = ProofEntry { key, numbers, work };
    }

    /// The high bits of a key choose the bucket.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.most as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_bucket_keeps_what_took_work() {
        let mut table = ProofTable::new(1);
        assert_eq!(table.probe(7), None);
        for key in 1..=WAYS as u64 + 1 {
            table.store(key, Numbers::won_in(key as u16), if key == 2 { 1 } else { 9 });
        }
        assert_eq!(table.probe(2), None);
        assert_eq!(table.probe(5), Some(Numbers::won_in(5)));
        table.store(5, Numbers::NOT_WON, 1);
        assert_eq!(table.probe(5), Some(Numbers::NOT_WON));
        table.clear();
        assert_eq!(table.probe(5), None);
    }
}
