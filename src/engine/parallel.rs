//! Loops whose steps run on all threads of the pool that calls them.
//!
//! Rayon's own iterators are compiled anew for every chain of adapters, which made an eighth of the library. Here the
//! chain is an ordinary iterator, and one loop over shares of its items serves them all.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Items are dealt out in at most this many shares, so that threads that finish early find more to do.
const SHARES: usize = 1 << 9;

/// Calls `work` with every item.
pub(crate) fn for_each<T: Send>(items: impl IntoIterator<Item = T>, work: impl Fn(T) + Sync) {
    fold(items, || (), |(), item| work(item));
}

/// What `work` makes of every item, in their order.
pub(crate) fn map<T: Send, R: Send>(items: impl IntoIterator<Item = T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    map_with(items, |(), item| work(item))
}

/// What `work` makes of every item, in their order; it may leave anything in the buffer.
pub(crate) fn map_with<T: Send, B: Default + Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(&mut B, T) -> R + Sync,
) -> Vec<R> {
    let shares = fold(items, Default::default, |(buffer, results): &mut (B, Vec<R>), item| {
        results.push(work(buffer, item));
    });
    shares.into_iter().flat_map(|(_, results)| results).collect()
}

/// Adds items to sums that begin as `start`: one for each share of neighbouring items, in their order.
pub(crate) fn fold<T: Send, S: Send>(
    items: impl IntoIterator<Item = T>,
    start: impl Fn() -> S + Sync,
    add: impl Fn(&mut S, T) + Sync,
) -> Vec<S> {
    let items: Vec<T> = items.into_iter().collect();
    let (count, size) = (items.len(), items.len().div_ceil(SHARES).max(1));
    let mut items = items.into_iter();
    let share = |_| Mutex::new((items.by_ref().take(size).collect::<Vec<T>>(), None));
    let shares: Vec<Mutex<(Vec<T>, Option<S>)>> = (0..count.div_ceil(size)).map(share).collect();
    on_all_threads(shares.len(), &|number| {
        let mut share = shares[number].lock().unwrap_or_else(PoisonError::into_inner);
        let mut sum = start();
        std::mem::take(&mut share.0).into_iter().for_each(|item| add(&mut sum, item));
        share.1 = Some(sum);
    });
    let sum = |share: Mutex<(_, Option<S>)>| share.into_inner().unwrap_or_else(PoisonError::into_inner).1;
    shares.into_iter().filter_map(sum).collect()
}

/// Calls `work` with every number below `count`; compiled once.
fn on_all_threads(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(work);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for count in [0, 1, SHARES - 1, SHARES + 1, 10 * SHARES + 7] {
            let doubled = map(0..count, |item| 2 * item);
            assert_eq!(doubled, (0..count).map(|item| 2 * item).collect::<Vec<_>>());
            let sums = fold(0..count, || 0, |sum, item| *sum += item);
            assert_eq!(sums.into_iter().sum::<usize>(), (0..count).sum::<usize>());
        }
    }

    #[test]
    fn every_item_is_worked_on_in_place() {
        let mut numbers: Vec<usize> = (0..5_000).collect();
        for_each(numbers.chunks_mut(3), |three| three.iter_mut().for_each(|number| *number += 1));
        assert_eq!(numbers, (1..=5_000).collect::<Vec<_>>());
    }
}
