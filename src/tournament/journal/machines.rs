//! `machines.jsonl`: the machines on which games of a journal were played, each once.
//!
//! Nothing is compared with it: a run may go on elsewhere, and its games are the same.

use std::io;

use reynard_engine::files;

use super::Layout;
use super::error::JournalError;
use super::line::{self, Scan};
use crate::tournament::machine::Machine;

/// The machines in the order in which they came; damaged lines are left out.
///
/// # Errors
/// The file cannot be read.
pub(super) fn read(layout: &Layout) -> Result<Vec<Machine>, JournalError> {
    let path = layout.machines();
    let mut scan = match Scan::open(&path, 0) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened.map_err(JournalError::at(&path))?,
    };
    let mut machines = Vec::new();
    loop {
        match scan.advance() {
            Ok(Some(_)) => machines.extend(serde_json::from_slice::<Machine>(scan.text())),
            Ok(None) => return Ok(machines),
            Err(JournalError::Damaged { .. }) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Adds those of these machines that the file does not have; gives all.
///
/// # Errors
/// The file cannot be read or written.
pub(super) fn add(layout: &Layout, more: impl IntoIterator<Item = Machine>) -> Result<Vec<Machine>, JournalError> {
    let there = read(layout)?;
    let mut all = there.clone();
    for machine in more {
        if !all.contains(&machine) {
            all.push(machine);
        }
    }
    if all == there {
        return Ok(all);
    }
    let lines = all.iter().map(line::seal).collect::<Result<Vec<_>, _>>()?.concat();
    let path = layout.machines();
    files::write(&path, &lines).map_err(JournalError::at(&path))?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(processor: &str) -> Machine {
        Machine { processor: processor.to_owned(), cores: 2, system: "Linux 6".to_owned() }
    }

    #[test]
    fn every_machine_is_kept_once_and_damage_costs_only_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        assert_eq!(read(&layout).unwrap(), []);
        add(&layout, [machine("a"), machine("b"), machine("a")]).unwrap();
        add(&layout, [machine("b")]).unwrap();
        assert_eq!(read(&layout).unwrap(), [machine("a"), machine("b")]);
        let text = std::fs::read_to_string(layout.machines()).unwrap();
        std::fs::write(layout.machines(), text.replacen("\"a\"", "\"x\"", 1)).unwrap();
        add(&layout, [machine("c")]).unwrap();
        assert_eq!(read(&layout).unwrap(), [machine("b"), machine("c")]);
    }
}
