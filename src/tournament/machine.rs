//! The machine on which games are played: what it is, which processors play, how many files may be open.

use std::env::consts::{ARCH, OS};
use std::fmt;
use std::path::Path;
use std::thread;

use reynard_engine::files;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What decides how much an engine can do in a second.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// As it calls itself, else the kind of its instructions, for example `aarch64`.
    pub processor: String,
    /// Threads that this program may run at the same time.
    pub cores: usize,
    /// Name and version, for example `Linux 6.1.0`.
    pub system: String,
}

impl Machine {
    /// The one on which this program runs.
    pub(crate) fn this() -> Machine {
        Machine {
            processor: model().unwrap_or_else(|| ARCH.to_owned()),
            cores: processors(),
            system: kernel().unwrap_or_else(|| OS.to_owned()),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { processor, cores, system } = self;
        write!(f, "{processor}, {cores} {}, {system}", if *cores == 1 { "core" } else { "cores" })
    }
}

/// Known on Linux; the text is long where there are many cores.
fn model() -> Option<String> {
    const MAX_BYTES: u64 = 1 << 24;
    let text = files::read_text(Path::new("/proc/cpuinfo"), MAX_BYTES).ok()?;
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'))?;
    Some(model.1.trim().to_owned())
}

fn kernel() -> Option<String> {
    const MAX_BYTES: u64 = 1 << 12;
    let [name, release] =
        ["ostype", "osrelease"].map(|name| files::read_text(&Path::new("/proc/sys/kernel").join(name), MAX_BYTES).ok());
    Some(format!("{} {}", name?.trim(), release?.trim()))
}

/// How many threads of this process can run at the same time.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Lets this process have as many files open as the most games at the same time need, as far as the system allows.
#[cfg(unix)]
pub(crate) fn raise_file_limit() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    /// Of 256 workers, with eight idle engines each and five files for each of them. Not more: programs that are
    /// started have the same limit, and some close every number up to it.
    const ENOUGH: u64 = 1 << 14;
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < ENOUGH.min(hard)
    {
        // Where it is refused the limit stays, and whoever reaches it learns of it.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, ENOUGH.min(hard), hard);
    }
}

/// There is no such limit.
#[cfg(not(unix))]
pub(crate) fn raise_file_limit() {}

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
pub(crate) fn check_affinity(processors: &[usize]) -> Result<(), AffinityError> {
    processors.iter().try_for_each(|&processor| system::check(processor))
}

/// Binds the calling thread, and whatever it starts from now on, to one processor.
///
/// # Errors
/// See [`check_affinity`]; or the system refuses.
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
        assert_eq!(check_affinity(&[]), Ok(()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_is_bound_to_the_processor_asked_for() {
        use nix::sched::{CpuSet, sched_getaffinity};
        use nix::unistd::Pid;
        let allowed = sched_getaffinity(Pid::this()).unwrap();
        let last = (0..CpuSet::count()).rfind(|&processor| allowed.is_set(processor).unwrap()).unwrap();
        std::thread::spawn(move || {
            assert_eq!((check_affinity(&[last]), pin(last)), (Ok(()), Ok(())));
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
            let error = check_affinity(&[missing]).unwrap_err();
            assert!(error.to_string().contains(&missing.to_string()), "{error}");
            assert_eq!(pin(missing), Err(error));
        }
    }
}
