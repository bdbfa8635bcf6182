//! Sets of goose patterns as bits; undoes a drop, or a move of a fox, for all patterns of a set at once.
//!
//! A pattern, a set of slots, is read as a binary number n and is bit n of the set. A slot is thus a bit of n, an
//! *index bit*: the lowest six give the place within a word, the others the number of the word.

use super::fox_sets::FoxMove;

/// The number of index bits within a word.
const IN_WORD: usize = 6;
/// By index bit within a word: the bits of a word whose index has it.
const WITH: [u64; IN_WORD] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// The number of words of a set of patterns over `slots` slots, which are at least six.
pub(super) fn words(slots: usize) -> usize {
    1 << (slots - IN_WORD)
}

pub(super) fn has(set: &[u64], pattern: u32) -> bool {
    set[(pattern >> IN_WORD) as usize] >> (pattern & 63) & 1 == 1
}

pub(super) fn insert(set: &mut [u64], pattern: u32) {
    set[(pattern >> IN_WORD) as usize] |= 1 << (pattern & 63);
}

/// Adds all patterns with fewer than `geese` geese to a set.
pub(super) fn insert_fewer(set: &mut [u64], geese: u32) {
    if geese == 0 {
        return;
    }
    for (number, word) in set.iter_mut().enumerate() {
        let outside = number.count_ones();
        *word |= (0..=IN_WORD as u32)
            .filter(|inside| outside + inside < geese)
            .map(|inside| OF_SIZE[inside as usize])
            .sum::<u64>();
    }
}

/// The numbers of patterns in a set, by their number of geese.
pub(super) fn sizes(set: &[u64], slots: usize) -> Vec<u64> {
    let mut sizes = vec![0; slots + 1];
    for (number, &word) in set.iter().enumerate() {
        let outside = number.count_ones() as usize;
        let counts = OF_SIZE.iter().map(|mask| u64::from((word & mask).count_ones()));
        sizes[outside..].iter_mut().zip(counts).for_each(|(size, count)| *size += count);
    }
    sizes
}

/// The bits of a word whose index has 0, 1, ... 6 bits set.
const OF_SIZE: [u64; IN_WORD + 1] = {
    let mut masks = [0; IN_WORD + 1];
    let mut bit = 0;
    while bit < 64u32 {
        masks[bit.count_ones() as usize] |= 1 << bit;
        bit += 1;
    }
    masks
};

/// Sets `before` to the patterns from which every drop of a goose leads into `after`.
pub(super) fn before_drops(after: &[u64], before: &mut [u64]) {
    before.fill(!0);
    for (bit, with) in WITH.into_iter().enumerate() {
        before.iter_mut().zip(after).for_each(|(before, after)| *before &= (after >> (1 << bit)) | with);
    }
    let mut step = 1;
    while step < after.len() {
        for (before, after) in before.chunks_mut(2 * step).zip(after.chunks(2 * step)) {
            before[..step].iter_mut().zip(&after[step..]).for_each(|(before, after)| *before &= after);
        }
        step *= 2;
    }
}

/// Buffers for [`pull`], one set for each thread.
#[derive(Default)]
pub(super) struct Buffers {
    taken: [Vec<u64>; 2],
    turned: Vec<u64>,
    joined: Vec<u64>,
}

/// Adds to `before` the patterns from which a move of a fox leads into `after`.
pub(super) fn pull(after: &[u64], mv: &FoxMove, before: &mut [u64], buffers: &mut Buffers) {
    let &FoxMove { ref slots, landing, captured, .. } = mv;
    let Buffers { taken: [taken, other], turned, joined } = buffers;
    // The index bits of both sets, each named by its slot before the move.
    let mut here: Vec<u8> = (0..slots.len() as u8).collect();
    let mut there = vec![0; slots.len()];
    slots.iter().zip(0..).for_each(|(&after, slot)| there[usize::from(after)] = slot);
    // No goose stands on the landing before the move, nor on the point left or that of a captured goose after it.
    take_without(after, fix(&mut there, landing), taken);
    fix(&mut here, landing);
    let captured = captured.map(|captured| {
        take_without(taken, fix(&mut there, captured), other);
        std::mem::swap(taken, other);
        fix(&mut here, captured)
    });
    let from: Vec<u8> = here.iter().map(|slot| place(&there, *slot) as u8).collect();
    turned.resize(taken.len(), 0);
    turn(taken, from, turned);
    match captured {
        None => put_back(turned, landing.into(), false, before),
        Some(captured) => {
            joined.clear();
            joined.resize(2 * turned.len(), 0);
            put_back(turned, captured, true, joined);
            put_back(joined, landing.into(), false, before);
        }
    }
}

fn place(bits: &[u8], slot: u8) -> usize {
    bits.iter().position(|&bit| bit == slot).unwrap_or(0)
}

/// Removes a slot from a list of index bits and returns its place. The bits above it move down by one, but within a
/// word the highest index bit takes its place.
fn fix(bits: &mut Vec<u8>, slot: u8) -> usize {
    let bit = place(bits, slot);
    if bit < IN_WORD {
        bits.swap_remove(bit)
    } else {
        bits.remove(bit)
    };
    bit
}

/// Copies the half of a set whose index lacks `bit`; its index bits are ordered as by [`fix`].
fn take_without(set: &[u64], bit: usize, half: &mut Vec<u64>) {
    half.clear();
    if bit < IN_WORD {
        let (low, high) = set.split_at(set.len() / 2);
        let both = low.iter().zip(high);
        half.extend(both.map(|(low, high)| (low & !WITH[bit]) | ((high & !WITH[bit]) << (1 << bit))));
    } else {
        let step = 1 << (bit - IN_WORD);
        set.chunks(2 * step).for_each(|pair| half.extend_from_slice(&pair[..step]));
    }
}

/// Adds a half back to a set, with the bit set or cleared in all indices: the inverse of [`take_without`].
fn put_back(half: &[u64], bit: usize, set_bit: bool, set: &mut [u64]) {
    if bit < IN_WORD {
        let shift = if set_bit { 1 << bit } else { 0 };
        let (low, high) = set.split_at_mut(half.len());
        for ((half, low), high) in half.iter().zip(low).zip(high) {
            *low |= (half & !WITH[bit]) << shift;
            *high |= ((half >> (1 << bit)) & !WITH[bit]) << shift;
        }
    } else {
        let step = 1 << (bit - IN_WORD);
        let start = if set_bit { step } else { 0 };
        for (half, pair) in half.chunks(step).zip(set.chunks_mut(2 * step)) {
            pair[start..start + step].iter_mut().zip(half).for_each(|(word, half)| *word |= half);
        }
    }
}

/// Sets `out` to the set whose index bit i is index bit `from[i]` of `set`; `set` is left in disorder.
fn turn(set: &mut [u64], mut from: Vec<u8>, out: &mut [u64]) {
    // First, index bits that belong within a word are exchanged with bits that do not.
    for place in 0..IN_WORD {
        let high = from[place];
        let free = (0..IN_WORD as u8).find(|bit| !from[..IN_WORD].contains(bit));
        if let (true, Some(low)) = (usize::from(high) >= IN_WORD, free) {
            exchange(set, low.into(), high.into());
            from.iter_mut().for_each(|bit| *bit = swapped(*bit, low, high));
        }
    }
    let words: Vec<usize> = from[IN_WORD..].iter().map(|&bit| 1 << (usize::from(bit) - IN_WORD)).collect();
    let (near, far) = words.split_at(words.len().min(8));
    let near = sums(near);
    let far = sums(far);
    for (row, far) in out.chunks_mut(near.len()).zip(far) {
        row.iter_mut().zip(&near).for_each(|(word, near)| *word = set[far | near]);
    }
    for place in 0..IN_WORD as u8 {
        let bit = from[usize::from(place)];
        if bit != place {
            exchange_in_words(out, place.min(bit), place.max(bit));
            from[..IN_WORD].iter_mut().for_each(|other| *other = swapped(*other, place, bit));
        }
    }
}

fn swapped(bit: u8, one: u8, other: u8) -> u8 {
    if bit == one {
        other
    } else if bit == other {
        one
    } else {
        bit
    }
}

/// The sums of all subsets of some powers of two, by the subset as a binary number.
fn sums(powers: &[usize]) -> Vec<usize> {
    powers.iter().fold(vec![0], |mut sums, power| {
        let more: Vec<usize> = sums.iter().map(|sum| sum | power).collect();
        sums.extend(more);
        sums
    })
}

/// Exchanges an index bit within words with one that selects the word.
fn exchange(set: &mut [u64], low: usize, high: usize) {
    let shift = 1 << low;
    let step = 1 << (high - IN_WORD);
    for pair in set.chunks_mut(2 * step) {
        let (without, with) = pair.split_at_mut(step);
        for (one, other) in without.iter_mut().zip(with) {
            let differing = ((*one >> shift) ^ *other) & !WITH[low];
            *other ^= differing;
            *one ^= differing << shift;
        }
    }
}

/// Exchanges two index bits within words.
fn exchange_in_words(set: &mut [u64], low: u8, high: u8) {
    let shift = (1 << high) - (1 << low);
    let movable = WITH[usize::from(low)] & !WITH[usize::from(high)];
    for word in set {
        let differing = (*word ^ (*word >> shift)) & movable;
        *word ^= differing | (differing << shift);
    }
}
