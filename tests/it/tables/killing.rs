//! A build that is killed, and one that is interrupted, go on as if nothing had happened.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use reynard_engine::tablebase::table_files;
use tempfile::tempdir;

const LAYERS: usize = 3;

/// Layers 4 to 6 of a game, of which the last takes most of the time.
fn build(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    command.args(["table", "build", "bell-13", "--geese", "6", "--threads", "1", "--dir"]).arg(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn partials(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries
        .filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().extension() == Some("partial".as_ref())))
        .count()
}

/// Sends a signal in the middle: some layers are complete, another is being written. A build that ends before it is hit is
/// begun anew.
fn stop_in_the_middle(folder: &Path, signal: Signal) -> ExitStatus {
    for _ in 0..20 {
        let mut child = build(folder).spawn().unwrap();
        let ended = loop {
            match child.try_wait().unwrap() {
                None if table_files(folder).unwrap().len() >= 2 && partials(folder) > 0 => break None,
                None => thread::sleep(Duration::from_micros(200)),
                ended => break ended,
            }
        };
        if let Some(status) = ended {
            assert!(status.success(), "{status}");
        } else {
            kill(Pid::from_raw(child.id() as i32), signal).unwrap();
            let status = child.wait().unwrap();
            if table_files(folder).unwrap().len() < LAYERS {
                return status;
            }
        }
        table_files(folder).unwrap().iter().for_each(|file| fs::remove_file(file).unwrap());
    }
    panic!("no build was hit in the middle");
}

#[test]
fn a_stopped_build_goes_on_and_ends_with_the_same_files() {
    let [undisturbed, killed, interrupted] = [(); 3].map(|()| tempdir().unwrap());
    assert!(build(undisturbed.path()).status().unwrap().success());
    let status = stop_in_the_middle(killed.path(), Signal::SIGKILL);
    assert_eq!(status.signal(), Some(Signal::SIGKILL as i32));
    assert_eq!(partials(killed.path()), 1);
    let status = stop_in_the_middle(interrupted.path(), Signal::SIGINT);
    assert_eq!(status.code(), Some(130));
    assert_eq!(partials(interrupted.path()), 0);
    for folder in [killed.path(), interrupted.path()] {
        assert!(build(folder).status().unwrap().success());
        assert_eq!(partials(folder), 0);
        let (expected, found) = (table_files(undisturbed.path()).unwrap(), table_files(folder).unwrap());
        assert_eq!((expected.len(), found.len()), (LAYERS, LAYERS));
        for (expected, found) in expected.iter().zip(&found) {
            assert_eq!(expected.file_name(), found.file_name());
            assert!(fs::read(expected).unwrap() == fs::read(found).unwrap(), "{}", found.display());
        }
    }
}
