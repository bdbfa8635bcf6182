//! The machine on which games are played.

use std::env::consts::{ARCH, OS};
use std::fmt;
use std::path::Path;
use std::thread;

use reynard_engine::files;
use serde::{Deserialize, Serialize};

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
            cores: thread::available_parallelism().map_or(1, usize::from),
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

/// Linux tells it; the text is long where there are many cores.
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
