//! Sets of positions, with values where wanted: open addressing in powers of two.

use crate::geometry::Word;

/// A map from positions with at least one peg. The empty position marks a free slot.
#[derive(Clone, Debug)]
pub(super) struct Table<W: Word, V> {
    keys: Vec<W>,
    values: Vec<V>,
    len: usize,
    /// Hash bits that are not used.
    shift: u32,
}

const SMALLEST: usize = 64;

impl<W: Word, V: Copy + Default> Table<W, V> {
    /// A table that holds `len` positions without growing.
    pub fn with_room(len: usize) -> Self {
        let slots = (len + len / 2).next_power_of_two().max(SMALLEST);
        let shift = u64::BITS - slots.trailing_zeros();
        Table { keys: vec![W::ZERO; slots], values: vec![V::default(); slots], len: 0, shift }
    }

    pub fn new() -> Self {
        Table::with_room(0)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The memory that the table takes.
    pub fn bytes(&self) -> usize {
        self.keys.len() * (size_of::<W>() + size_of::<V>())
    }

    #[inline(always)]
    fn home(&self, key: W) -> usize {
        let wide = key.widen();
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
        let mixed = (wide as u64 ^ ((wide >> 64) as u64).rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> self.shift) as usize
    }

    /// The slot of a position, or the free one where it belongs.
    #[inline(always)]
    fn slot(&self, key: W) -> usize {
        let last = self.keys.len() - 1;
        let mut slot = self.home(key);
        while self.keys[slot] != key && self.keys[slot] != W::ZERO {
            slot = (slot + 1) & last;
        }
        slot
    }

    #[inline(always)]
    pub fn has(&self, key: W) -> bool {
        self.keys[self.slot(key)] != W::ZERO
    }

    #[inline(always)]
    pub fn get(&self, key: W) -> Option<V> {
        let slot = self.slot(key);
        (self.keys[slot] != W::ZERO).then(|| self.values[slot])
    }

    /// The value of a position that is in the table already.
    #[inline(always)]
    pub fn get_mut(&mut self, key: W) -> Option<&mut V> {
        let slot = self.slot(key);
        (self.keys[slot] != W::ZERO).then(|| &mut self.values[slot])
    }

    /// Adds a position with the default value; false if it was there already.
    #[inline(always)]
    pub fn insert(&mut self, key: W) -> bool {
        let slot = self.slot(key);
        if self.keys[slot] != W::ZERO {
            return false;
        }
        self.keys[slot] = key;
        self.len += 1;
        if self.len * 3 > self.keys.len() * 2 {
            self.grow();
        }
        true
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = Table::with_room(self.keys.len());
        for (&key, &value) in self.keys.iter().zip(&self.values) {
            if key != W::ZERO {
                let slot = larger.slot(key);
                larger.keys[slot] = key;
                larger.values[slot] = value;
            }
        }
        larger.len = self.len;
        *self = larger;
    }

    pub fn keys(&self) -> impl Iterator<Item = W> {
        self.keys.iter().copied().filter(|&key| key != W::ZERO)
    }

    pub fn iter(&self) -> impl Iterator<Item = (W, V)> {
        let pairs = self.keys.iter().copied().zip(self.values.iter().copied());
        pairs.filter(|&(key, _)| key != W::ZERO)
    }
}
