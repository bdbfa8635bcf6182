//! An eye on the searches in this process: those that are overdue, and those whose answer nobody wants any more.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

/// How often the searches are looked at, and so by how much one is stopped too late.
const LOOK: Duration = Duration::from_millis(5);

/// What the players of one run share: the word that the run is over, and one thread that stops their searches.
///
/// A search costs two visits to a lock that is its own nearly always; the thread starts with the first of them and
/// ends with the last handle.
#[derive(Clone, Default)]
pub(crate) struct Guard {
    abandon: Arc<AtomicBool>,
    watch: Arc<Watch>,
}

impl Guard {
    /// Ends every wait for players soon, with any answer or failure: nobody is interested in it any more.
    pub(crate) fn abandon(&self) {
        self.abandon.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandon.load(Ordering::Relaxed)
    }

    /// The flag of [`abandon`](Guard::abandon).
    pub(super) fn flag(&self) -> &Arc<AtomicBool> {
        &self.abandon
    }

    /// A place for the searches of one player, one after the other.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub(super) fn post(&self) -> io::Result<Post> {
        let post = Post { search: Arc::default(), guard: self.clone() };
        self.watch.begin(&self.abandon)?;
        self.watch.places.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&post.search));
        Ok(post)
    }
}

/// A search under way: when it is overdue, and the flag that stops it.
type Place = Mutex<Option<(Instant, Arc<AtomicBool>)>>;

/// The searches of one player.
pub(super) struct Post {
    search: Arc<Place>,
    /// Keeps the watch going.
    guard: Guard,
}

impl Post {
    pub(super) fn is_abandoned(&self) -> bool {
        self.guard.is_abandoned()
    }

    /// Runs a search with a flag that is set when the moment has come or the run is abandoned; says whether it was.
    pub(super) fn supervise<T>(&self, until: Instant, search: impl FnOnce(&Arc<AtomicBool>) -> T) -> (T, bool) {
        let stop = Arc::new(AtomicBool::new(false));
        *self.place() = Some((until, Arc::clone(&stop)));
        let found = search(&stop);
        *self.place() = None;
        let is_stopped = stop.load(Ordering::Relaxed);
        (found, is_stopped)
    }

    fn place(&self) -> MutexGuard<'_, Option<(Instant, Arc<AtomicBool>)>> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
struct Watch {
    places: Arc<Mutex<Vec<Weak<Place>>>>,
    /// The end of the thread's work is the end of the sender.
    thread: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

impl Watch {
    fn begin(&self, abandon: &Arc<AtomicBool>) -> io::Result<()> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            let (sender, end) = bounded(0);
            let (places, abandon) = (Arc::clone(&self.places), Arc::clone(abandon));
            let look_on = move || look_on(&places, &abandon, &end);
            *thread = Some((sender, thread::Builder::new().name("guard".to_owned()).spawn(look_on)?));
        }
        Ok(())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((sender, thread)) = thread {
            drop(sender);
            // It does nothing that could panic.
            let _ = thread.join();
        }
    }
}

fn look_on(places: &Mutex<Vec<Weak<Place>>>, abandon: &AtomicBool, end: &Receiver<()>) {
    while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        let (now, is_abandoned) = (Instant::now(), abandon.load(Ordering::Relaxed));
        places.lock().unwrap_or_else(PoisonError::into_inner).retain(|place| {
            let Some(place) = place.upgrade() else { return false };
            let search = place.lock().unwrap_or_else(PoisonError::into_inner);
            match &*search {
                Some((until, stop)) if is_abandoned || *until <= now => stop.store(true, Ordering::Relaxed),
                _ => {}
            }
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(stop: &AtomicBool) -> Duration {
        let start = Instant::now();
        while !stop.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(20) {
            thread::yield_now();
        }
        start.elapsed()
    }

    #[test]
    fn an_overdue_search_is_stopped_and_the_next_one_is_not() {
        let post = Guard::default().post().expect("a thread");
        let soon = Instant::now() + Duration::from_millis(30);
        let (waited, is_stopped) = post.supervise(soon, |stop| wait(stop));
        assert!(is_stopped && waited > Duration::from_millis(25) && waited < Duration::from_secs(10), "{waited:?}");
        let later = Instant::now() + Duration::from_secs(3600);
        assert!(!post.supervise(later, |_| thread::sleep(3 * LOOK)).1);
    }

    #[test]
    fn an_abandoned_run_has_no_search_under_way() {
        let guard = Guard::default();
        let posts = [guard.post().expect("a thread"), guard.post().expect("a thread")];
        let later = Instant::now() + Duration::from_secs(3600);
        guard.abandon();
        for post in &posts {
            let (waited, is_stopped) = post.supervise(later, |stop| wait(stop));
            assert!(is_stopped && waited < Duration::from_secs(10), "{waited:?}");
        }
    }

    #[test]
    fn nothing_is_kept_of_players_that_are_gone() {
        let guard = Guard::default();
        (0..10).for_each(|_| drop(guard.post().expect("a thread")));
        let places = Arc::clone(&guard.watch.places);
        let start = Instant::now();
        while !places.lock().expect("no panic").is_empty() && start.elapsed() < Duration::from_secs(20) {
            thread::sleep(LOOK);
        }
        assert!(places.lock().expect("no panic").is_empty());
        drop(guard);
        assert_eq!(Arc::strong_count(&places), 1, "the thread has ended");
    }
}
