//! Building: what is there is kept, what does not fit is refused, nothing half done stays.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use reynard_engine::rules::hunt::Ruleset;
use reynard_engine::tablebase::build::{BuildPlan, BuildRequest, LayerLimit, Resources, build};
use reynard_engine::tablebase::format::EncodedBlock;
use reynard_engine::tablebase::{Identity, LayerCost, LayerSolver, NewLayer, Store, TableError};
use tempfile::tempdir;

use super::{SMALL, build_small, tables};

const MIB: u64 = 1 << 20;

fn identity() -> Identity {
    Identity { first_layer: 3, ..Identity::of(&Ruleset::from_text("small.json", SMALL, &[]).unwrap()).unwrap() }
}

/// Layers 3 to 8 of a few entries each; layer k claims k MiB of memory, 1 MiB on disk and k s.
struct Toy {
    /// MiB of memory that every layer claims besides, in a build up to some layer.
    overhead: fn(u32) -> u32,
    solved: Arc<AtomicU32>,
    /// The layer at which the disk is full.
    fails_at: u32,
    during: fn(&Store),
}

impl LayerSolver for Toy {
    fn layout(&self) -> &'static str {
        "toy"
    }

    fn last_layer(&self) -> u32 {
        8
    }

    fn cost(&self, layer: u32, last: u32) -> LayerCost {
        let processor = Duration::from_secs(layer.into());
        let memory_bytes = u64::from(layer + (self.overhead)(last)) * MIB;
        LayerCost { positions: 10, memory_bytes, disk_bytes: MIB, processor }
    }

    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        _last: u32,
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        let [layer] = layers else { panic!("{} layers at a time", layers.len()) };
        let geese = layer.geese;
        assert_eq!(below.layers().keys().copied().filter(|&known| known < geese).count() as u32, geese - 3);
        (self.during)(below);
        layer.writer.append(&EncodedBlock::new(2, &[geese as u16; 20]).unwrap())?;
        progress(10);
        self.solved.fetch_add(1, Ordering::Relaxed);
        if geese == self.fails_at { Err(TableError::Refused("no more".to_owned())) } else { Ok(()) }
    }
}

/// What came of a build, and how many layers were solved.
fn run(
    folder: &Path,
    limit: LayerLimit,
    resources: Resources,
    fails_at: u32,
    during: fn(&Store),
) -> (Result<BuildPlan, TableError>, u32) {
    let solved = Arc::new(AtomicU32::new(0));
    let mut toy = Toy { overhead: |_| 0, solved: Arc::clone(&solved), fails_at, during };
    let plan = build(folder, &identity(), &mut toy, &BuildRequest { limit, resources }, &());
    (plan, solved.load(Ordering::Relaxed))
}

fn plain(folder: &Path, limit: LayerLimit) -> (Result<BuildPlan, TableError>, u32) {
    run(folder, limit, Resources::default(), 0, |_| {})
}

fn refusal(folder: &Path, limit: LayerLimit, resources: Resources) -> String {
    let (plan, solved) = run(folder, limit, resources, 0, |_| {});
    assert_eq!(solved, 0);
    plan.unwrap_err().to_string()
}

#[test]
fn a_plan_tells_what_all_missing_layers_take() {
    let folder = tempdir().unwrap();
    plain(folder.path(), LayerLimit::Exactly(4)).0.unwrap();
    let plan = plain(folder.path(), LayerLimit::Exactly(7)).0.unwrap();
    assert_eq!((plan.memory_bytes(), plan.disk_bytes(), plan.positions()), (7 * MIB, 3 * MIB, 30));
    assert_eq!(plan.processor(), Duration::from_secs(5 + 6 + 7));
}

#[test]
fn complete_layers_are_skipped() {
    let folder = tempdir().unwrap();
    let deep = folder.path().join("new/tables");
    assert_eq!(plain(&deep, LayerLimit::Exactly(5)).1, 3);
    let before = fs::metadata(&tables(&deep)[0]).unwrap().modified().unwrap();
    assert_eq!(plain(&deep, LayerLimit::Exactly(7)).1, 2);
    assert_eq!(plain(&deep, LayerLimit::Exactly(7)).1, 0);
    assert_eq!(fs::metadata(&tables(&deep)[0]).unwrap().modified().unwrap(), before);
    fs::remove_file(&tables(&deep)[1]).unwrap();
    assert_eq!(plain(&deep, LayerLimit::Exactly(7)).1, 1);
    assert_eq!(tables(&deep).len(), 5);
}

#[test]
fn what_was_not_finished_is_thrown_away() {
    let folder = tempdir().unwrap();
    let (failed, solved) = run(folder.path(), LayerLimit::Exactly(6), Resources::default(), 5, |_| {});
    assert!(failed.is_err() && solved == 3);
    let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names().all(|name| !name.ends_with(".partial")));
    let mine = folder.path().join(format!("{:016x}-06.partial", identity().fingerprint));
    let other = folder.path().join("00000000000000aa-06.partial");
    fs::write(&mine, "half").unwrap();
    fs::write(&other, "half").unwrap();
    assert_eq!(plain(folder.path(), LayerLimit::Exactly(5)).1, 1);
    assert!(!mine.exists() && other.exists());
}

#[test]
fn what_does_not_fit_is_refused_with_the_numbers() {
    let folder = tempdir().unwrap();
    let folder = &folder.path().join("none");
    let memory = |mib: u64| Resources { memory: Some(mib * MIB), ..Resources::default() };
    let disk = |mib: u64| Resources { disk: Some(mib * MIB), ..Resources::default() };
    let cases = [
        (
            LayerLimit::Exactly(6),
            memory(5),
            ["up to 6 geese take 6.0 MiB of memory", "5.0 MiB are available", "up to 5 geese are possible"],
        ),
        (
            LayerLimit::Exactly(7),
            disk(4),
            ["up to 7 geese take 5.0 MiB on disk", "4.0 MiB are available", "up to 6 geese are possible"],
        ),
        (LayerLimit::UpTo(7), memory(2), ["up to 7 geese take 7.0 MiB of memory", "2.0 MiB are available", "--memory"]),
        (LayerLimit::Exactly(9), Resources::default(), ["small", "at most 8 geese", "this board"]),
    ];
    for (limit, resources, words) in cases {
        let error = refusal(folder, limit, resources);
        assert!(words.iter().all(|word| error.contains(word)), "{words:?}: {error}");
    }
    let error = refusal(folder, LayerLimit::Exactly(9), Resources::default());
    assert!(!error.contains("possible"), "that 8 are is said already: {error}");
    let (plan, solved) = plain(folder, LayerLimit::Exactly(2));
    let plan = plan.unwrap();
    assert_eq!((plan.last, solved), (0, 0));
    assert!(plan.notice.unwrap().contains("fewer than 3 geese the game is decided and needs no table"));
    assert!(!folder.exists(), "neither a refusal nor a decided game leaves anything behind");
}

#[test]
fn as_many_geese_as_fit_are_built_with_a_notice() {
    let folder = tempdir().unwrap();
    let resources = Resources { memory: Some(5 * MIB), ..Resources::default() };
    let (plan, solved) = run(folder.path(), LayerLimit::UpTo(7), resources, 0, |_| {});
    let plan = plan.unwrap();
    assert_eq!((plan.last, solved), (5, 3));
    assert!(plan.notice.unwrap().contains("up to 5 geese only"));
    // What is there takes no memory any more.
    plain(folder.path(), LayerLimit::Exactly(7)).0.unwrap();
    let plan = run(folder.path(), LayerLimit::UpTo(8), resources, 0, |_| {}).0.unwrap();
    assert_eq!((plan.last, plan.missing.len()), (7, 0));
    assert_eq!(plain(folder.path(), LayerLimit::UpTo(12)).0.unwrap().last, 8);

    let folder = tempdir().unwrap();
    let resources = Resources { processor: Some(Duration::from_secs(3 + 4)), ..Resources::default() };
    let plan = run(folder.path(), LayerLimit::UpTo(7), resources, 0, |_| {}).0.unwrap();
    assert_eq!(plan.last, 4);
    assert!(plan.notice.unwrap().contains("take 25 s of processor time, and 7 s are granted"));
}

/// A build up to n geese takes n MiB more for each layer: with 11 MiB one of 8 geese could solve layer 3 alone, one of 5
/// all of its layers.
#[test]
fn as_many_geese_as_fit_are_found_by_plans_for_fewer() {
    let folder = tempdir().unwrap();
    let toy = || Toy { overhead: |last| last.min(9), solved: Arc::default(), fails_at: 0, during: |_| {} };
    let build = |limit, mib: u64| {
        let resources = Resources { memory: Some(mib * MIB), ..Resources::default() };
        build(folder.path(), &identity(), &mut toy(), &BuildRequest { limit, resources }, &())
    };
    let error = build(LayerLimit::Exactly(8), 11).unwrap_err().to_string();
    assert!(error.contains("up to 8 geese take 16.0 MiB") && error.contains("up to 5 geese are possible"), "{error}");
    let error = build(LayerLimit::Exactly(8), 5).unwrap_err().to_string();
    assert!(error.contains("up to 8 geese take 16.0 MiB") && !error.contains("possible"), "{error}");
    for (mib, last) in [(7, 3), (9, 4), (11, 5), (12, 6), (15, 7), (16, 8)] {
        let folder = tempdir().unwrap();
        let resources = Resources { memory: Some(mib * MIB), ..Resources::default() };
        let request = BuildRequest { limit: LayerLimit::UpTo(4_000_000_000), resources };
        let plan =
            reynard_engine::tablebase::build::build(folder.path(), &identity(), &mut toy(), &request, &()).unwrap();
        assert_eq!((plan.last, tables(folder.path()).len() as u32), (last, last - 2), "{mib} MiB");
        assert_eq!(plan.memory_bytes(), u64::from(2 * last) * MIB);
        let notice = plan.notice.unwrap();
        assert!(
            notice.contains(&format!("up to {last} geese only: tables with up to 8 geese take 17.0 MiB of memory")),
            "{notice}"
        );
    }
}

#[test]
fn one_build_at_a_time() {
    let folder = tempdir().unwrap();
    let again: fn(&Store) = |store| {
        let error = plain(store.folder(), LayerLimit::Exactly(8)).0.unwrap_err().to_string();
        assert!(error.contains("another build is at work") && error.contains("build.lock"), "{error}");
    };
    let (plan, solved) = run(folder.path(), LayerLimit::Exactly(4), Resources::default(), 0, again);
    assert!(plan.is_ok() && solved == 2);
    assert!(plain(folder.path(), LayerLimit::Exactly(5)).0.is_ok(), "the lock is gone");
}

#[test]
fn a_damaged_layer_is_named_with_advice() {
    let folder = tempdir().unwrap();
    build_small(folder.path());
    let path = &tables(folder.path())[1];
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..bytes.len() - 1]).unwrap();
    let error = plain(folder.path(), LayerLimit::Exactly(8)).0.unwrap_err().to_string();
    assert!(error.contains("-03.table") && error.contains("delete the file"), "{error}");
}
