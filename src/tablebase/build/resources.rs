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
    /// What is available now: memory without swapping, as far as a container allows, and the space of the folder, which
    /// need not be there yet.
    pub fn available(folder: &Path) -> Resources {
        let of_container = container_memory(Path::new("/sys/fs/cgroup"));
        let memory = [available_memory(), of_container].into_iter().flatten().min();
        Resources { memory, disk: free_space(folder) }
    }
}

/// As Linux estimates it.
fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// What a control group of Linux (version 2) leaves of its limit; files that it could forget count as left.
fn container_memory(group: &Path) -> Option<u64> {
    let text = |name: &str| fs::read_to_string(group.join(name)).ok();
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let limit = number(&text("memory.max")?)?;
    let forgettable =
        text("memory.stat").and_then(|stat| stat.lines().find_map(|line| number(line.strip_prefix("inactive_file ")?)));
    let used = number(&text("memory.current")?)?.saturating_sub(forgettable.unwrap_or(0));
    Some(limit.saturating_sub(used))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_a_container_is_seen() {
        let group = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(group.path().join(name), text).expect("a file");
        assert_eq!(container_memory(group.path()), None);
        write("memory.max", "4000000\n");
        write("memory.current", "1500000\n");
        assert_eq!(container_memory(group.path()), Some(2_500_000));
        write("memory.stat", "anon 900000\ninactive_file 500000\nactive_file 7\n");
        assert_eq!(container_memory(group.path()), Some(3_000_000));
        write("memory.max", "max\n");
        assert_eq!(container_memory(group.path()), None);
    }
}
