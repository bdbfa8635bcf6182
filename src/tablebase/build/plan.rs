//! Which layers a build will make, and whether memory and disk suffice.

use crate::tablebase::{Cost, LayerSolver, Store, TableError};

use super::{Means, Order};

/// How many geese the last layer shall have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    Exactly(u32),
    /// So many, or as many as fit.
    UpTo(u32),
}

impl Wish {
    /// The most geese that are wished.
    pub fn geese(self) -> u32 {
        match self {
            Wish::Exactly(geese) | Wish::UpTo(geese) => geese,
        }
    }
}

/// The layers of a build.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The geese of the first and of the last layer that will be there.
    pub first: u32,
    pub last: u32,
    /// The layers that are not there yet, with their geese and what they take.
    pub missing: Vec<(u32, Cost)>,
    /// Why the last layer has fewer geese than was wished.
    pub notice: Option<String>,
}

impl Plan {
    /// # Errors
    /// What is wished, or even the first layer, cannot be built with these means.
    pub(super) fn new(solver: &dyn LayerSolver, store: &Store, order: &Order) -> Result<Plan, TableError> {
        let (first, name) = (solver.first_layer(), &store.identity().name);
        let (geese, exactly) = (order.wish.geese(), matches!(order.wish, Wish::Exactly(_)));
        if geese < first {
            let message = format!("with fewer than {first} geese the game is decided and needs no table");
            return Err(TableError::Refused(format!("{name}: {message}; --geese {first} is the least")));
        }
        let mut plan = Plan { first, last: first, missing: Vec::new(), notice: None };
        let mut needed = Needed::default();
        for layer in first..=geese {
            if let Err(obstacle) = needed.add(solver, store, layer, &order.means, &mut plan.missing) {
                if exactly || layer == first {
                    return Err(TableError::Refused(format!("{name}: {obstacle}")));
                }
                plan.notice = Some(format!("{name}: building up to {} geese only: {obstacle}", layer - 1));
                break;
            }
            plan.last = layer;
        }
        Ok(plan)
    }

    /// Positions to be solved.
    pub fn positions(&self) -> u64 {
        self.missing.iter().map(|(_, cost)| cost.positions).sum()
    }
}

/// What the layers so far take in all.
#[derive(Default)]
struct Needed {
    disk_bytes: u64,
}

impl Needed {
    /// Adds a layer if it is missing; the error tells what is not enough.
    fn add(
        &mut self,
        solver: &dyn LayerSolver,
        store: &Store,
        layer: u32,
        means: &Means,
        missing: &mut Vec<(u32, Cost)>,
    ) -> Result<(), String> {
        if store.layer(layer).is_some() {
            return Ok(());
        }
        if layer > solver.last_layer() {
            return Err(format!("tables hold at most {} geese on this board", solver.last_layer()));
        }
        let cost = solver.cost(layer);
        let disk_bytes = self.disk_bytes.saturating_add(cost.disk_bytes);
        compare(layer, "of memory", "--memory", cost.memory_bytes, means.memory)?;
        compare(layer, "on disk", "--dir", disk_bytes, means.disk)?;
        self.disk_bytes = disk_bytes;
        missing.push((layer, cost));
        Ok(())
    }
}

fn compare(layer: u32, what: &str, option: &str, needed: u64, available: Option<u64>) -> Result<(), String> {
    match available {
        Some(available) if needed > available => Err(format!(
            "the table with {layer} geese takes {} {what}, but {} are available (see {option})",
            size_text(needed),
            size_text(available)
        )),
        _ => Ok(()),
    }
}

/// A number of bytes as people read it.
pub fn size_text(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = 0;
    while amount >= 1000.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    if bytes < 1024 { format!("{bytes} bytes") } else { format!("{amount:.1} {}", UNITS[unit]) }
}
