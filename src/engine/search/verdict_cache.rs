//! The answers that tables gave, by position, which cost far less than to ask a table again.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::rules::Seat;
use crate::tablebase::TableValue;

/// The low bits of a key choose the slot, which keeps all other bits: a hit means that the whole key is equal.
const SLOT_BITS: u32 = 18;
const ANSWER_BITS: u32 = 18;
const DISTANCE_BITS: u32 = 15;
const _: () = assert!(ANSWER_BITS <= SLOT_BITS, "a slot has no room for the rest of a key");
/// What the high bits of an answer say; 0 is an empty slot.
const UNCOVERED: u64 = 1;
const DRAW: u64 = 2;
const FIRST_SEAT: u64 = 3;
const LAST_SEAT: u64 = 7;

/// Two megabytes that threads share: larger ones cost more to wait for than they save. Every slot is one word, so that no
/// answer can be read by halves.
pub(super) struct VerdictCache {
    slots: Box<[AtomicU64]>,
}

impl VerdictCache {
    pub(super) fn new() -> Self {
        VerdictCache { slots: (0..1 << SLOT_BITS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// What the tables answered about the position of this key; the outer `None` if that is not known any more.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Option<TableValue>> {
        let word = self.slot(key).load(Ordering::Relaxed);
        let is_found = word >> ANSWER_BITS == key >> SLOT_BITS;
        let answer = word & ((1 << ANSWER_BITS) - 1);
        let distance = (answer & ((1 << DISTANCE_BITS) - 1)) as u32;
        match answer >> DISTANCE_BITS {
            _ if !is_found => None,
            UNCOVERED => Some(None),
            DRAW => Some(Some(TableValue { winner: None, distance })),
            seat @ FIRST_SEAT.. => Some(Some(TableValue { winner: Some(Seat((seat - FIRST_SEAT) as u8)), distance })),
            _ => None,
        }
    }

    /// Keeps an answer in the place of an older one, unless it is too large for that.
    #[inline]
    pub(super) fn put(&self, key: u64, answer: Option<TableValue>) {
        let (code, distance) = match answer {
            None => (UNCOVERED, 0),
            Some(TableValue { winner: None, distance }) => (DRAW, distance),
            Some(TableValue { winner: Some(seat), distance }) => (FIRST_SEAT + u64::from(seat.0), distance),
        };
        if code <= LAST_SEAT && distance < 1 << DISTANCE_BITS {
            let answer = code << DISTANCE_BITS | u64::from(distance);
            self.slot(key).store(key >> SLOT_BITS << ANSWER_BITS | answer, Ordering::Relaxed);
        }
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.slots[key as usize & ((1 << SLOT_BITS) - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_back_for_their_own_key_alone() {
        let won = |seat, distance| Some(TableValue { winner: Some(Seat(seat)), distance });
        let answers = [None, Some(TableValue::DRAW), won(0, 0), won(1, 32_767), won(4, 12)];
        for key in [0, 1, 0x1234_5678_9abc_def0, u64::MAX] {
            let cache = VerdictCache::new();
            assert_eq!(cache.get(key), None, "nothing is known before");
            for answer in answers {
                cache.put(key, answer);
                assert_eq!(cache.get(key), Some(answer));
                for bit in 0..64 {
                    assert_eq!(cache.get(key ^ 1 << bit), None, "{key:x} {bit}");
                }
            }
        }
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let cache = VerdictCache::new();
        for answer in
            [TableValue { winner: Some(Seat(5)), distance: 3 }, TableValue { winner: None, distance: 1 << 15 }]
        {
            cache.put(7, Some(answer));
            assert_eq!(cache.get(7), None);
        }
    }
}
