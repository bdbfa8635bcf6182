//! Loops whose steps run on all threads of the pool that calls them.
//!
//! Rayon's own iterators are compiled anew for every chain of adapters, which made an eighth of the library's LLVM IR.
//! Here the chain is an ordinary iterator, and one loop over shares of its items serves them all.
//!
//! A buffer serves one share after another: there are no more buffers than threads, and a step finds in its buffer
//! whatever an earlier step left there.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// The most shares into which items are divided: many, so that threads that finish early find more to do.
const SHARES: usize = 1 << 9;

/// Calls `work` with every item.
pub(crate) fn for_each<T: Send>(items: impl IntoIterator<Item = T>, work: impl Fn(T) + Sync) {
    map(items, work);
}

/// Calls `work` with every item and a buffer that calls on one thread reuse.
pub(crate) fn for_each_with<T: Send, B: Default + Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(&mut B, T) + Sync,
) {
    map_with(items, work);
}

/// Returns the results of `work` for all items, in their order.
pub(crate) fn map<T: Send, R: Send>(items: impl IntoIterator<Item = T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    map_with(items, |(), item| work(item))
}

/// Returns the results of `work` for all items, in their order; each call has a buffer.
pub(crate) fn map_with<T: Send, B: Default + Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(&mut B, T) -> R + Sync,
) -> Vec<R> {
    let Ok(results) = try_map_with(items, |buffer, item| Ok::<R, Infallible>(work(buffer, item)));
    results
}

/// Returns the results of `work` for all items, in their order, or an error.
///
/// # Errors
/// The error of the first share in which `work` failed; after a failure the remaining items are skipped.
pub(crate) fn try_map<T: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    try_map_with(items, |(), item| work(item))
}

/// Returns the results of `work` for all items, in their order, or an error; each call has a buffer.
///
/// # Errors
/// See [`try_map`].
pub(crate) fn try_map_with<T: Send, B: Default + Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(&mut B, T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let add = |buffer: &mut B, results: &mut Vec<R>, item| {
        results.push(work(buffer, item)?);
        Ok(())
    };
    Ok(try_fold_with(items, B::default, Vec::new, add)?.into_iter().flatten().collect())
}

/// Adds items, with the help of a buffer, to sums that begin as `start`; returns one sum for each share of neighbouring
/// items, in the order of the items.
///
/// # Errors
/// See [`try_map`].
pub(crate) fn try_fold_with<T: Send, B: Send, S: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    new_buffer: impl Fn() -> B + Sync,
    start: impl Fn() -> S,
    add: impl Fn(&mut B, &mut S, T) -> Result<(), E> + Sync,
) -> Result<Vec<S>, E> {
    let items: Vec<T> = items.into_iter().collect();
    let count = items.len();
    let size = count.div_ceil(SHARES).max(1);
    let mut items = items.into_iter();
    let share = |_| Mutex::new(Share { items: items.by_ref().take(size).collect(), sum: Ok(start()) });
    let shares: Vec<Mutex<Share<T, S, E>>> = (0..count.div_ceil(size)).map(share).collect();
    drop(items);
    let spare = Mutex::new(Vec::new());
    let has_failed = AtomicBool::new(false);
    on_all_threads(shares.len(), &|number| {
        let mut share = locked(&shares[number]);
        let known = locked(&spare).pop();
        let mut buffer = known.unwrap_or_else(&new_buffer);
        for item in std::mem::take(&mut share.items) {
            if has_failed.load(Ordering::Relaxed) {
                break;
            }
            if let Err(error) = share.sum.as_mut().map_or(Ok(()), |sum| add(&mut buffer, sum, item)) {
                has_failed.store(true, Ordering::Relaxed);
                share.sum = Err(error);
            }
        }
        locked(&spare).push(buffer);
    });
    shares.into_iter().map(|share| share.into_inner().unwrap_or_else(PoisonError::into_inner).sum).collect()
}

/// Items that one thread works on, and their sum or the error that ended the work.
struct Share<T, S, E> {
    items: Vec<T>,
    sum: Result<S, E>,
}

/// Locks a mutex; poisoning does not matter, since a thread that panics ends the whole loop.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work` with every number below `count`, on all threads; compiled once.
fn on_all_threads(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(work);
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for count in [0, 1, SHARES - 1, SHARES + 1, 10 * SHARES + 7] {
            let doubled = map(0..count, |item| 2 * item);
            assert_eq!(doubled, (0..count).map(|item| 2 * item).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_item_is_worked_on_in_place() {
        let mut numbers: Vec<usize> = (0..5_000).collect();
        for_each(numbers.chunks_mut(3), |three| three.iter_mut().for_each(|number| *number += 1));
        assert_eq!(numbers, (1..=5_000).collect::<Vec<_>>());
    }

    fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
    }

    #[test]
    fn two_threads_share_the_items() {
        let both = Barrier::new(2);
        // Neither item is done before the other is begun.
        let leaders = on_threads(2, || map(0..2, |_| both.wait().is_leader()));
        assert_ne!(leaders[0], leaders[1]);
    }

    #[test]
    fn there_are_no_more_buffers_than_threads() {
        let buffers = AtomicUsize::new(0);
        let new_buffer = || buffers.fetch_add(1, Ordering::Relaxed);
        let sums = on_threads(2, || {
            try_fold_with(
                0..9_999,
                new_buffer,
                || 0,
                |_, sum, item| {
                    *sum += item;
                    Ok::<(), Infallible>(())
                },
            )
        });
        let Ok(sums) = sums;
        assert_eq!((sums.len(), sums.iter().sum::<usize>()), (500, (0..9_999).sum()));
        assert!(buffers.into_inner() <= 2);
    }

    #[test]
    fn an_error_ends_the_work() {
        let worked_on = AtomicUsize::new(0);
        // A single thread takes the items in order.
        let found = on_threads(1, || {
            try_map(0..1_000_000, |item| {
                worked_on.fetch_add(1, Ordering::Relaxed);
                if item == 3_000 { Err("item 3,000") } else { Ok(item) }
            })
        });
        assert_eq!((found, worked_on.into_inner()), (Err("item 3,000"), 3_001));
    }
}
