//! Binds threads to processors, so that games at the same time do not take turns on one.

use thiserror::Error;

/// Why a thread is not bound.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum AffinityError {
    #[cfg(not(target_os = "linux"))]
    #[error("this system cannot bind threads to processors; leave the list empty")]
    Unsupported,
    #[error("this process may not use processor {processor}; it may use {allowed}")]
    NotAllowed { processor: usize, allowed: String },
    #[error("cannot bind a thread to processor {processor}: {message}")]
    Refused { processor: usize, message: String },
}

/// Whether [`pin`] can bind threads to all of these processors.
///
/// # Errors
/// The system cannot, or one of the processors is not ours to use.
pub(crate) fn check(processors: &[usize]) -> Result<(), AffinityError> {
    processors.iter().try_for_each(|&processor| system::check(processor))
}

/// Binds the calling thread, and whatever it starts from now on, to one processor.
///
/// # Errors
/// See [`check`]; or the system refuses.
pub(crate) fn pin(processor: usize) -> Result<(), AffinityError> {
    system::check(processor)?;
    system::pin(processor)
}

#[cfg(target_os = "linux")]
mod system {
    use nix::errno::Errno;
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    use super::AffinityError;

    /// The system calls' name for the calling thread.
    const THIS_THREAD: Pid = Pid::from_raw(0);

    pub(super) fn check(processor: usize) -> Result<(), AffinityError> {
        let allowed = sched_getaffinity(process()).map_err(refused(processor))?;
        match allowed.is_set(processor) {
            Ok(true) => Ok(()),
            _ => Err(AffinityError::NotAllowed { processor, allowed: listed(&allowed) }),
        }
    }

    pub(super) fn pin(processor: usize) -> Result<(), AffinityError> {
        let mut set = CpuSet::new();
        set.set(processor).and_then(|()| sched_setaffinity(THIS_THREAD, &set)).map_err(refused(processor))
    }

    /// The first thread, which nobody binds: what it may use, the process may use.
    fn process() -> Pid {
        Pid::this()
    }

    fn refused(processor: usize) -> impl Fn(Errno) -> AffinityError {
        move |error| AffinityError::Refused { processor, message: error.desc().to_owned() }
    }

    fn listed(set: &CpuSet) -> String {
        let allowed = (0..CpuSet::count()).filter(|&processor| set.is_set(processor).unwrap_or(false));
        allowed.map(|processor| processor.to_string()).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::AffinityError;

    pub fn check(_: usize) -> Result<(), AffinityError> {
        Err(AffinityError::Unsupported)
    }

    pub fn pin(_: usize) -> Result<(), AffinityError> {
        Err(AffinityError::Unsupported)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_asked_is_always_possible() {
        assert_eq!(check(&[]), Ok(()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_is_bound_to_the_processor_asked_for() {
        use nix::sched::{CpuSet, sched_getaffinity};
        use nix::unistd::Pid;
        let allowed = sched_getaffinity(Pid::this()).unwrap();
        let last = (0..CpuSet::count()).rfind(|&processor| allowed.is_set(processor).unwrap()).unwrap();
        std::thread::spawn(move || {
            assert_eq!((check(&[last]), pin(last)), (Ok(()), Ok(())));
            let own = sched_getaffinity(Pid::from_raw(0)).unwrap();
            let bound: Vec<usize> = (0..CpuSet::count()).filter(|&each| own.is_set(each).unwrap()).collect();
            assert_eq!(bound, [last]);
        })
        .join()
        .unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_processor_that_is_not_there_is_named() {
        for missing in [1_000, 1_000_000] {
            let error = check(&[missing]).unwrap_err();
            assert!(error.to_string().contains(&missing.to_string()), "{error}");
            assert_eq!(pin(missing), Err(error));
        }
    }
}
