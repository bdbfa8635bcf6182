//! Plans which layers a build will make, and checks that memory and disk suffice.

use std::time::Duration;

use super::{BuildRequest, Resources, SolverMaker};
use crate::tablebase::{LayerCost, LayerSolver, Store, TableError};

/// The number of geese that the last layer shall have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerLimit {
    /// This number; it is an error when it does not fit.
    Exactly(u32),
    /// This number, or as many as fit.
    UpTo(u32),
}

impl LayerLimit {
    /// The most geese that are wished.
    pub fn geese(self) -> u32 {
        match self {
            LayerLimit::Exactly(geese) | LayerLimit::UpTo(geese) => geese,
        }
    }
}

/// The layers of a build.
#[derive(Clone, PartialEq, Debug)]
pub struct BuildPlan {
    /// The geese of the first layer of the game; with fewer it is decided.
    pub first: u32,
    /// The geese of the last layer that will be there; 0 for none.
    pub last: u32,
    /// The layers that are not there yet, with their geese and what they take.
    pub missing: Vec<(u32, LayerCost)>,
    /// Why there are no layers, or the last one has fewer geese than was wished.
    pub notice: Option<String>,
}

impl BuildPlan {
    /// # Errors
    /// What is wished, or even the first layer, cannot be built with these resources; or a layer that is there numbers
    /// positions as another version did.
    pub(super) fn new(maker: &SolverMaker<'_>, store: &Store, request: &BuildRequest) -> Result<BuildPlan, TableError> {
        let (wished, name) = (request.limit.geese(), store.identity().title());
        let solver = maker(wished)?;
        store.check_layout(solver.layout())?;
        let first = solver.first_layer();
        if wished < first {
            let notice = format!("{name}: with fewer than {first} geese the game is decided and needs no table");
            return Ok(BuildPlan { first, last: 0, missing: Vec::new(), notice: Some(notice) });
        }
        let (mut plan, obstacle) = BuildPlan::up_to(wished, &*solver, store, &request.resources);
        let Some(obstacle) = obstacle else { return Ok(plan) };
        // A method that is made for fewer geese may take less for each layer; one for more geese never does.
        let (mut last, mut too_many) = (plan.last.max(first.saturating_sub(1)), wished.min(solver.last_layer() + 1));
        while last + 1 < too_many {
            let middle = last.midpoint(too_many);
            match BuildPlan::up_to(middle, &*maker(middle)?, store, &request.resources) {
                (_, None) => last = middle,
                (_, Some(_)) => too_many = middle,
            }
        }
        if last >= first {
            (plan, _) = BuildPlan::up_to(last, &*maker(last)?, store, &request.resources);
        }
        match plan.last {
            0 => Err(TableError::Refused(format!("{name}: {obstacle}"))),
            last if matches!(request.limit, LayerLimit::Exactly(_)) => {
                // What no resources can help against comes first.
                let obstacle = beyond(wished, &*solver).unwrap_or(obstacle);
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

    /// Plans the layers up to a number of geese, or to the last one that can be built; with what forbids more.
    fn up_to(
        geese: u32,
        solver: &dyn LayerSolver,
        store: &Store,
        resources: &Resources,
    ) -> (BuildPlan, Option<String>) {
        let first = solver.first_layer();
        let mut plan = BuildPlan { first, last: 0, missing: Vec::new(), notice: None };
        let mut obstacle = None;
        for layer in first..=geese.min(solver.last_layer()) {
            if store.layer(layer).is_none() {
                plan.missing.push((layer, solver.cost(layer)));
            }
            // The obstacle that counts is that of the last layer.
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

/// The obstacle that the board has no layer with this number of geese.
fn beyond(geese: u32, solver: &dyn LayerSolver) -> Option<String> {
    let last = solver.last_layer();
    (geese > last).then(|| format!("tables hold at most {last} geese on this board"))
}

/// The obstacle of too little memory or disk for the missing layers of the plan, the last of which is `layer`.
fn lack(layer: u32, plan: &BuildPlan, resources: &Resources) -> Option<String> {
    let memory = ("memory", "of memory", "--memory", plan.memory_bytes(), resources.memory);
    let disk = ("disk space", "on disk", "--dir", plan.disk_bytes(), resources.disk);
    [memory, disk].into_iter().find_map(|(what, place, option, needed, available)| {
        let available = size_text(available.filter(|&available| needed > available)?);
        let needed = match needed {
            u64::MAX => format!("more {what} than can be counted"),
            _ => format!("{} {place}", size_text(needed)),
        };
        Some(format!("tables with up to {layer} geese take {needed}, but {available} are available (see {option})"))
    })
}

/// A number of bytes as people read it.
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
