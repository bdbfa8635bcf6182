//! The memory and the disk space that a build may use.

use std::fs;
use std::path::Path;

/// Memory and space on disk, in bytes; `None` where nobody knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Resources {
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Bytes of space on disk.
    pub disk: Option<u64>,
}

impl Resources {
    /// What is available now: memory without swapping, and the space of the folder, which need not be there yet.
    pub fn available(folder: &Path) -> Resources {
        Resources { memory: available_memory(), disk: free_space(folder) }
    }
}

/// As Linux estimates it.
fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

#[cfg(unix)]
fn free_space(folder: &Path) -> Option<u64> {
    // The nearest folder that is there is on the same disk as what will be made in it.
    let there = folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let about = nix::sys::statvfs::statvfs(there).ok()?;
    Some(about.blocks_available() as u64 * about.fragment_size() as u64)
}

#[cfg(not(unix))]
fn free_space(_folder: &Path) -> Option<u64> {
    None
}
