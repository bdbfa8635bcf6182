//! The folder with the layers of a ruleset, and the identity of the rules for which they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::format::{LayerFile, TableHeader, file_name};
use super::{Metric, TableError};
use crate::rules::hunt::{
    CaptureBy, DropsRule, Huff, HuffStock, JumpRows, NoProgressResult, Placing, RepetitionKey, Rules, Ruleset,
};

/// The identity of tables: the rules that decide the value of a position, their hash, and the metric.
#[derive(Clone, PartialEq, Debug)]
pub struct Identity {
    /// The name of the ruleset.
    pub name: String,
    /// The hash of [`rules`](Identity::rules).
    pub fingerprint: u64,
    /// The keys of the ruleset as JSON; keys that do not matter for values have fixed values.
    pub rules: Value,
    /// The metric of distances.
    pub metric: Metric,
    /// The fewest geese with which the game is not decided; smaller layers need no table.
    pub first_layer: u32,
}

impl Identity {
    /// The identity of a ruleset's tables with distances to conversion.
    ///
    /// Rulesets that differ only in set-up, names or what happens before the first goose has moved share their tables.
    ///
    /// # Errors
    /// The rules make one side lose by a repeated position, so that positions have no values of their own.
    pub fn of(ruleset: &Ruleset) -> Result<Identity, TableError> {
        let rules = &ruleset.rules;
        if !matches!(rules.repetition, RepetitionKey::Draw | RepetitionKey::None) {
            let message = "tables ignore repetition, so `repetition` must be `draw` or `none` in their ruleset";
            return Err(TableError::Refused(format!("{}: {message}", ruleset.heading.name)));
        }
        if let Some(message) = without_tables(rules) {
            return Err(TableError::Refused(format!("{}: {message}", ruleset.heading.name)));
        }
        Ok(Identity {
            name: ruleset.heading.name.clone(),
            fingerprint: rules.core_fingerprint(),
            rules: serde_json::to_value(rules.core()).unwrap_or_default(),
            metric: Metric::Conversion,
            first_layer: rules.fox_wins_below,
        })
    }

    /// The name of the ruleset, followed by the metric unless that is conversion.
    pub fn title(&self) -> String {
        format!("{}{}", self.name, self.metric.remark())
    }

    /// The command that builds these tables.
    pub(crate) fn build_command(&self) -> String {
        let option = if self.metric == Metric::End { " --metric end" } else { "" };
        format!("reynard table build {}{option}", self.name)
    }

    /// The names of the tables' files, as a pattern for the shell.
    pub(crate) fn file_pattern(&self) -> String {
        format!("{:016x}-*.{}", self.fingerprint, self.metric.extension())
    }

    /// The identity of tables for these rules with another metric.
    pub fn with_metric(self, metric: Metric) -> Identity {
        Identity { metric, ..self }
    }
}

/// Why positions of these rules have no entries.
fn without_tables(rules: &Rules) -> Option<&'static str> {
    if rules.no_progress_result != NoProgressResult::Draw {
        Some("tables ignore lack of progress, so `no_progress_result` must be `draw` in their ruleset")
    } else if rules.huff_stock == HuffStock::Unlimited {
        Some("tables follow the number of geese, which a `huff_stock` without end does not bound")
    } else if rules.jump_rows != JumpRows::One && matches!(rules.huff, Huff::AddGoose | Huff::AddGooseHome) {
        Some("no method solves `jump_rows` together with a `huff` that brings geese back")
    } else if !rules.piles.is_empty() {
        Some("no method solves `piles`: tables have a bit for a goose on a point, and no number")
    } else if rules.opening_removals > 0 {
        Some("no method solves `opening_removals`")
    } else if rules.capture_by != CaptureBy::Jump {
        Some("no method solves `capture_by` with another value than `jump`")
    } else if !rules.pen.is_empty() {
        Some("no method solves a `pen`")
    } else if rules.drops_rule != DropsRule::BeforeSteps {
        Some("no method solves drops that may wait: `drops_rule` must be `before_steps`")
    } else if !rules.goose_zone.is_empty() {
        Some("no method solves a `goose_zone`")
    } else if rules.first_drops > 1 {
        Some("no method solves drops of several pieces in a turn: `first_drops` must be 1")
    } else if !rules.drop_zone.is_empty() {
        Some("no method solves drops onto some points only: `drop_zone` must be empty")
    } else if rules.placing != Placing::FoxFirst && (rules.placing != Placing::Alternate || rules.foxes > 1) {
        Some("no method solves this order of `placing`; tables for the moves after it need `fox_first` and no drops")
    } else {
        None
    }
}

/// The complete layers of one ruleset that a folder holds.
#[derive(Clone)]
pub struct Store {
    folder: PathBuf,
    identity: Identity,
    layers: BTreeMap<u32, Arc<LayerFile>>,
}

impl Store {
    /// Opens every layer of a ruleset; there may be none, nor the folder.
    ///
    /// # Errors
    /// A file of this ruleset is damaged or cut short, or cannot be read.
    pub fn open(folder: &Path, identity: Identity) -> Result<Store, TableError> {
        let mut store = Store { folder: folder.to_owned(), identity, layers: BTreeMap::new() };
        for path in files(folder, &[store.identity.metric.extension()])? {
            if is_of(&path, &store.identity) {
                store.add(&path)?;
            }
        }
        Ok(store)
    }

    /// The folder of the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The rules whose tables these are.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The layers in the folder, by number of geese.
    pub fn layers(&self) -> &BTreeMap<u32, Arc<LayerFile>> {
        &self.layers
    }

    /// The layer with this number of geese; `None` when its file is not there.
    pub fn layer(&self, geese: u32) -> Option<&LayerFile> {
        self.layers.get(&geese).map(Arc::as_ref)
    }

    /// The layer with this number of geese, which must be there.
    ///
    /// # Errors
    /// The file of the layer is not there.
    pub(crate) fn needed(&self, geese: u32) -> Result<&LayerFile, TableError> {
        self.layer(geese).ok_or_else(|| self.absent(Some(geese)))
    }

    /// The error that there is no layer, or none with `geese` geese; it says how to build it.
    pub fn absent(&self, geese: Option<u32>) -> TableError {
        let with = geese.map_or(String::new(), |geese| format!(" with {geese} geese"));
        let name = self.identity.title();
        let folder = self.folder.display();
        let message = format!("there is no table of {name}{with} in '{folder}'");
        let command = self.identity.build_command();
        TableError::Refused(format!("{message}; '{command}' makes them, --dir names another folder"))
    }

    /// The path of the layer with this number of geese, whether it exists or not.
    pub fn path(&self, geese: u32) -> PathBuf {
        self.folder.join(file_name(self.identity.fingerprint, geese, self.identity.metric))
    }

    /// Checks that all layers number positions by the layout of this name.
    ///
    /// # Errors
    /// A layer was written by another version with another layout; the error says how to build it anew.
    pub(crate) fn check_layout(&self, name: &str) -> Result<(), TableError> {
        let Some(file) = self.layers.values().find(|file| file.header.layout != name) else { return Ok(()) };
        let about = format!("another version wrote it, in layout '{}' instead of '{name}'", file.header.layout);
        let title = self.identity.title();
        let folder = self.folder.display();
        let files = self.identity.file_pattern();
        let command = self.identity.build_command();
        let help = format!(
            "delete all tables of {title}, {folder}/{files}, and call '{command} --dir {folder}', with '--set' or '--rules' as here"
        );
        Err(TableError::Unreadable { path: file.path.clone(), message: format!("{about}; {help}") })
    }

    /// Opens a layer that was completed after the store was opened, and adds it.
    ///
    /// # Errors
    /// The layer is damaged or cut short, cannot be read, or belongs to another ruleset.
    pub fn add(&mut self, path: &Path) -> Result<(), TableError> {
        let file = open_named(path)?;
        if !is_of(path, &self.identity) || file.header.metric != self.identity.metric {
            return Err(TableError::damaged(
                path,
                "header",
                "it is another ruleset's, or has distances of another kind",
            ));
        }
        self.layers.insert(file.header.geese, Arc::new(file));
        Ok(())
    }
}

/// Checks that a folder of tables exists, and returns it.
///
/// # Errors
/// There is no such folder.
pub fn existing_folder(path: &Path) -> Result<&Path, TableError> {
    match fs::metadata(path) {
        Ok(about) if about.is_dir() => Ok(path),
        Ok(_) => Err(TableError::Refused(format!("{}: not a folder; a folder of tables is expected", path.display()))),
        Err(_) => Err(TableError::NoFolder(path.to_owned())),
    }
}

/// The paths of all tables in a folder, sorted by name, for any ruleset; none if there is no such folder.
///
/// # Errors
/// The folder cannot be read.
pub fn table_files(folder: &Path) -> Result<Vec<PathBuf>, TableError> {
    files(folder, &Metric::ALL.map(Metric::extension))
}

/// The unfinished files of a ruleset, left by an interrupted build or written by one at work.
///
/// # Errors
/// The folder cannot be read.
pub(crate) fn partial_files(folder: &Path, identity: &Identity) -> Result<Vec<PathBuf>, TableError> {
    let mut paths = files(folder, &["partial"])?;
    paths.retain(|path| is_of(path, identity));
    Ok(paths)
}

fn files(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, TableError> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| TableError::file(folder, error))?;
    let paths = entries.into_iter().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| endings.iter().any(|ending| found == *ending)))
        .collect();
    files.sort();
    Ok(files)
}

/// Opens a file, whose name must be the one that its header asks for.
fn open_named(path: &Path) -> Result<LayerFile, TableError> {
    let file = LayerFile::open(path)?;
    let header = &file.header;
    let expected =
        u64::from_str_radix(&header.fingerprint, 16).map(|hash| file_name(hash, header.geese, header.metric));
    if path.file_name().is_some_and(|name| Ok(name.to_string_lossy().as_ref()) == expected.as_deref()) {
        return Ok(file);
    }
    let kind = header.metric.remark();
    let message = format!("it holds {} geese of ruleset {}{kind}", header.geese, header.fingerprint);
    Err(TableError::damaged(path, "header", format!("{message}, which its name does not say")))
}

fn is_of(path: &Path, identity: &Identity) -> bool {
    let mine = format!("{:016x}-", identity.fingerprint);
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&mine))
}

/// A file with the name of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct ListedTable {
    /// The path of the file.
    pub path: PathBuf,
    /// The header and the size in bytes, or what is wrong with the file.
    pub about: Result<(TableHeader, u64), TableError>,
}

/// All tables in a folder.
///
/// # Errors
/// The folder cannot be read.
pub fn inventory(folder: &Path) -> Result<Vec<ListedTable>, TableError> {
    let read = |path: PathBuf| {
        let about = open_named(&path).map(|file| (file.header.clone(), file.size()));
        ListedTable { path, about }
    };
    Ok(table_files(folder)?.into_iter().map(read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(name: &str, switches: &[(&str, &str)]) -> u64 {
        let switches: Vec<_> = switches.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        let ruleset = Ruleset::from_catalog(name, &switches).expect("a ruleset");
        Identity::of(&ruleset).expect("an identity").fingerprint
    }

    #[test]
    fn set_ups_share_tables_and_rules_do_not() {
        let masters = fingerprint("masters-15", &[]);
        for same in ["masters-13", "masters-17", "masters-22"] {
            assert_eq!(fingerprint(same, &[]), masters, "{same}");
        }
        assert_eq!(fingerprint("masters-15", &[("fox_start", "choose"), ("first", "fox")]), masters);
        assert_eq!(fingerprint("bell-13", &[]), fingerprint("bell-17", &[]));
        for other in ["bell-13", "murray-13", "strutt-17", "renard-1668"] {
            assert_ne!(fingerprint(other, &[]), masters, "{other}");
        }
        assert_ne!(fingerprint("masters-15", &[("chain", "false")]), masters);
        assert_ne!(fingerprint("masters-15", &[("fox_wins_below", "4")]), masters);
    }

    #[test]
    fn a_loss_by_repetition_is_refused() {
        let switches = [("repetition".to_owned(), "geese_lose".to_owned())];
        let ruleset = Ruleset::from_catalog("masters-15", &switches).expect("a ruleset");
        assert!(Identity::of(&ruleset).is_err());
    }
}
