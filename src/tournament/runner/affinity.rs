//! Keeping a worker, the searches it starts and its external programs on one processor.

/// Binds the calling thread, and every thread and process that it starts, to a processor.
///
/// # Errors
/// The processor does not exist or may not be used, or the system knows no such binding.
#[cfg(target_os = "linux")]
pub(super) fn pin(processor: usize) -> Result<(), String> {
    use nix::sched::{CpuSet, sched_setaffinity};
    use nix::unistd::Pid;

    let mut set = CpuSet::new();
    let bound = set.set(processor).and_then(|()| sched_setaffinity(Pid::from_raw(0), &set));
    bound.map_err(|error| format!("affinity: processor {processor} cannot be used: {error}"))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn pin(processor: usize) -> Result<(), String> {
    Err(format!("affinity: this system cannot bind a worker to processor {processor}"))
}
