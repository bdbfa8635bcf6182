//! Plans which layers a build will make, and checks that memory, disk and time suffice.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::BuildRequest;
use crate::tablebase::{LayerCost, LayerSolver, Store, TableError};

/// The number of geese of the last layer to build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerLimit {
    /// This number; an error when it does not fit.
    Exactly(u32),
    /// This number, or the largest smaller one that fits.
    UpTo(u32),
}

impl LayerLimit {
    /// The most geese asked for.
    pub fn geese(self) -> u32 {
        match self {
            LayerLimit::Exactly(geese) | LayerLimit::UpTo(geese) => geese,
        }
    }
}

/// The layers of a build and their price.
#[derive(Clone, PartialEq, Debug)]
pub struct BuildPlan {
    /// The geese of the first layer; with fewer geese the game is decided.
    pub first: u32,
    /// The geese of the last layer after the build; 0 for none.
    pub last: u32,
    /// The layers to be built: their geese and their price.
    pub missing: Vec<(u32, LayerCost)>,
    /// The reason why there are no layers, or why the last one has fewer geese than requested.
    pub notice: Option<String>,
}

impl BuildPlan {
    /// Plans the missing layers of a store up to the requested one.
    ///
    /// # Errors
    /// The requested layer, or even the first one, cannot be built with these resources; or a layer in the store
    /// numbers positions as another version did.
    pub(crate) fn new(
        solver: &dyn LayerSolver,
        store: &Store,
        request: &BuildRequest,
    ) -> Result<BuildPlan, TableError> {
        let wished = request.limit.geese();
        let name = store.identity().title();
        store.check_layout(solver.layout())?;
        let first = store.identity().first_layer;
        if wished < first {
            let notice = format!("{name}: with fewer than {first} geese the game is decided and needs no table");
            return Ok(BuildPlan { first, last: 0, missing: Vec::new(), notice: Some(notice) });
        }
        let up_to = |last| BuildPlan::up_to(last, solver, store, &request.resources);
        let (mut plan, obstacle) = up_to(wished);
        let Some(obstacle) = obstacle else { return Ok(plan) };
        // A layer may cost less in a build up to fewer geese, and never costs less in one up to more.
        let mut last = plan.last.max(first.saturating_sub(1));
        let mut too_many = wished.min(solver.last_layer() + 1);
        while last + 1 < too_many {
            let middle = last.midpoint(too_many);
            match up_to(middle) {
                (_, None) => last = middle,
                (_, Some(_)) => too_many = middle,
            }
        }
        if last >= first {
            (plan, _) = up_to(last);
        }
        match plan.last {
            0 => Err(TableError::Refused(format!("{name}: {obstacle}"))),
            last if matches!(request.limit, LayerLimit::Exactly(_)) => {
                // An obstacle that no resources can remove is named first.
                let obstacle = beyond(wished, solver).unwrap_or(obstacle);
                let is_said = last == solver.last_layer();
                let possible = if is_said { String::new() } else { format!("; up to {last} geese are possible") };
                Err(TableError::Refused(format!("{name}: {obstacle}{possible}")))
            }
            last => {
                let notice = Some(format!("{name}: building up to {last} geese only: {obstacle}"));
                Ok(BuildPlan { notice, ..plan })
            }
        }
    }

    /// Plans the layers up to a number of geese, or to the last one that can be built; returns the plan and the
    /// obstacle to further layers, if there is one.
    fn up_to(
        geese: u32,
        solver: &dyn LayerSolver,
        store: &Store,
        resources: &Resources,
    ) -> (BuildPlan, Option<String>) {
        let first = store.identity().first_layer;
        let mut plan = BuildPlan { first, last: 0, missing: Vec::new(), notice: None };
        let mut obstacle = None;
        for layer in first..=geese.min(solver.last_layer()) {
            if store.layer(layer).is_none() {
                plan.missing.push((layer, solver.cost(layer, geese)));
            }
            // The last layer's obstacle replaces earlier ones.
            obstacle = lack(layer, &plan, resources);
            plan.last = if obstacle.is_none() { layer } else { plan.last };
        }
        plan.missing.retain(|(layer, _)| *layer <= plan.last);
        (plan, obstacle.or_else(|| beyond(geese, solver)))
    }

    /// The most memory that a missing layer takes.
    pub fn memory_bytes(&self) -> u64 {
        self.missing.iter().map(|(_, cost)| cost.memory_bytes).max().unwrap_or(0)
    }

    /// A cautious guess at the size of all missing files.
    pub fn disk_bytes(&self) -> u64 {
        self.missing.iter().fold(0, |sum, (_, cost)| cost.disk_bytes.saturating_add(sum))
    }

    /// Processor time for all missing layers, roughly.
    pub fn processor(&self) -> Duration {
        self.missing.iter().fold(Duration::ZERO, |sum, (_, cost)| sum.saturating_add(cost.processor))
    }

    /// Positions to be solved.
    pub fn positions(&self) -> u64 {
        self.missing.iter().fold(0, |sum, (_, cost)| cost.positions.saturating_add(sum))
    }
}

/// The obstacle that the board or the method has no layer with this number of geese, if so.
fn beyond(geese: u32, solver: &dyn LayerSolver) -> Option<String> {
    let last = solver.last_layer();
    (geese > last).then(|| format!("tables hold at most {last} geese on this board"))
}

/// The obstacle of too little memory or disk for the missing layers of the plan, up to `layer`; `None` if they suffice.
fn lack(layer: u32, plan: &BuildPlan, resources: &Resources) -> Option<String> {
    let memory = ("memory", "of memory", "--memory", plan.memory_bytes(), resources.memory);
    let disk = ("disk space", "on disk", "--dir", plan.disk_bytes(), resources.disk);
    let bytes = [memory, disk].into_iter().find_map(|(what, place, option, needed, available)| {
        let available = size_text(available.filter(|&available| needed > available)?);
        let needed = match needed {
            u64::MAX => format!("more {what} than can be counted"),
            _ => format!("{} {place}", size_text(needed)),
        };
        Some(format!("tables with up to {layer} geese take {needed}, but {available} are available (see {option})"))
    });
    bytes.or_else(|| {
        let (needed, granted) = (plan.processor(), resources.processor?);
        let [seconds, most] = [needed, granted].map(|time| time.as_secs());
        (needed > granted).then(|| {
            format!("tables with up to {layer} geese take {seconds} s of processor time, and {most} s are granted")
        })
    })
}

/// A number of bytes as text, such as `1.5 GiB`.
pub fn size_text(bytes: u64) -> String {
    if bytes == u64::MAX {
        return "more than can be counted".to_owned();
    }
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = 0;
    while amount >= 1000.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    if bytes < 1024 { format!("{bytes} bytes") } else { format!("{amount:.1} {}", UNITS[unit]) }
}

/// An amount of memory, disk and time; `None` is unknown or unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Resources {
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Bytes of space on disk.
    pub disk: Option<u64>,
    /// Processor time for all layers that are missing, roughly.
    pub processor: Option<Duration>,
}

impl Resources {
    /// Asks the system what is available now: memory without swapping, within the limits of a container, and disk space
    /// for `folder`, which need not exist yet.
    pub fn available(folder: &Path) -> Resources {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_else(|_| "0::/\n".to_owned());
        let of_container = container_memory(&groups, Path::new("/sys/fs/cgroup"));
        let memory = [available_memory(), of_container, address_space()].into_iter().flatten().min();
        Resources { memory, disk: free_space(folder), processor: None }
    }
}

/// The memory that Linux estimates to be available, in bytes.
fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// The bytes that the limit of this process's address space (`ulimit -v`) leaves; `None` without a limit.
fn address_space() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = limit.split_whitespace().next()?.parse().ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let kib: u64 = size.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(limit.saturating_sub(kib << 10))
}

/// The names of the files in which a Linux control group shows its memory.
struct GroupFiles {
    limit: &'static str,
    used: &'static str,
    /// The key in `memory.stat` for the bytes of cached files, which the system can drop.
    forgettable: &'static str,
}

const VERSION_1: GroupFiles =
    GroupFiles { limit: "memory.limit_in_bytes", used: "memory.usage_in_bytes", forgettable: "total_inactive_file " };
const VERSION_2: GroupFiles = GroupFiles { limit: "memory.max", used: "memory.current", forgettable: "inactive_file " };

/// The free memory, in bytes, of a process's control groups and those above them; `groups` is like `/proc/self/cgroup`.
fn container_memory(groups: &str, mount: &Path) -> Option<u64> {
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, group) = (parts.next()?, parts.next()?);
        let (mount, files) = match controllers {
            "" => (mount.to_owned(), &VERSION_2),
            _ if controllers.split(',').any(|name| name == "memory") => (mount.join("memory"), &VERSION_1),
            _ => return None,
        };
        // A container may see only the part of the path below its own group.
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
    // The nearest existing folder is on the disk on which new folders will be made.
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
