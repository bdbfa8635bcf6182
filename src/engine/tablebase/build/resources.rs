//! The memory and the disk space that a build may use.

use std::fs;
use std::path::Path;

/// Memory and space on disk, in bytes; `None` where the system does not tell.
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
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_else(|_| "0::/\n".to_owned());
        let of_container = container_memory(&groups, Path::new("/sys/fs/cgroup"));
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

/// Where the files of a control group of Linux say how much memory it has.
struct GroupFiles {
    limit: &'static str,
    used: &'static str,
    /// The key in `memory.stat` of the used bytes of files that could be forgotten.
    forgettable: &'static str,
}

const VERSION_1: GroupFiles =
    GroupFiles { limit: "memory.limit_in_bytes", used: "memory.usage_in_bytes", forgettable: "total_inactive_file " };
const VERSION_2: GroupFiles = GroupFiles { limit: "memory.max", used: "memory.current", forgettable: "inactive_file " };

/// What the control groups of a process, listed as in `/proc/self/cgroup`, and those above them leave of their limits.
fn container_memory(groups: &str, mount: &Path) -> Option<u64> {
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, group) = (parts.next()?, parts.next()?);
        let (mount, files) = match controllers {
            "" => (mount.to_owned(), &VERSION_2),
            _ if controllers.split(',').any(|name| name == "memory") => (mount.join("memory"), &VERSION_1),
            _ => return None,
        };
        // A container may show only what is below its own group, by a path that it cannot see.
        let group = mount.join(group.trim_start_matches('/'));
        group.ancestors().take_while(|path| path.starts_with(&mount)).filter_map(|path| left_in(path, files)).min()
    };
    groups.lines().filter_map(of_line).min()
}

fn left_in(group: &Path, files: &GroupFiles) -> Option<u64> {
    let text = |name: &str| fs::read_to_string(group.join(name)).ok();
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let limit = number(&text(files.limit)?)?;
    let forgettable = text("memory.stat")
        .and_then(|stat| stat.lines().find_map(|line| number(line.strip_prefix(files.forgettable)?)));
    let used = number(&text(files.used)?)?.saturating_sub(forgettable.unwrap_or(0));
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

    fn write(group: &Path, files: &[(&str, &str)]) {
        fs::create_dir_all(group).expect("a folder");
        files.iter().for_each(|(name, text)| fs::write(group.join(name), text).expect("a file"));
    }

    #[test]
    fn the_limit_of_a_container_is_seen() {
        let mount = tempfile::tempdir().expect("a folder");
        let left = || container_memory("0::/\n", mount.path());
        assert_eq!(left(), None);
        write(mount.path(), &[("memory.max", "4000000\n"), ("memory.current", "1500000\n")]);
        assert_eq!(left(), Some(2_500_000));
        write(mount.path(), &[("memory.stat", "anon 900000\ninactive_file 500000\nactive_file 7\n")]);
        assert_eq!(left(), Some(3_000_000));
        write(mount.path(), &[("memory.max", "max\n")]);
        assert_eq!(left(), None);
    }

    #[test]
    fn the_smallest_limit_on_the_way_to_the_group_counts() {
        let mount = tempfile::tempdir().expect("a folder");
        let limited = |limit| [("memory.max", limit), ("memory.current", "100")];
        write(&mount.path().join("user"), &limited("1000"));
        write(&mount.path().join("user/job"), &limited("5000"));
        assert_eq!(container_memory("0::/user/job", mount.path()), Some(900));
        assert_eq!(container_memory("0::/user/job/hidden", mount.path()), Some(900));
        assert_eq!(container_memory("0::/other", mount.path()), None);
        write(&mount.path().join("user"), &limited("9000"));
        assert_eq!(container_memory("0::/user/job", mount.path()), Some(4_900));
    }

    #[test]
    fn the_limit_of_a_group_of_version_1_is_seen() {
        let mount = tempfile::tempdir().expect("a folder");
        let files = [
            ("memory.limit_in_bytes", "7000"),
            ("memory.usage_in_bytes", "3000"),
            ("memory.stat", "inactive_file 1\ntotal_inactive_file 500\n"),
        ];
        write(&mount.path().join("memory/job"), &files);
        let groups = "5:cpu,cpuacct:/other\n4:memory:/job\n0::/\n";
        assert_eq!(container_memory(groups, mount.path()), Some(4_500));
        assert_eq!(container_memory("4:memory:/other\n", mount.path()), None);
    }
}
