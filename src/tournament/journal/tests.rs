use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::samples::{game, header};
use super::*;
use crate::tournament::header::{JournalHeader, Shard};
use crate::tournament::machine::Machine;

fn journal_of(dir: &Path, games: impl IntoIterator<Item = u64>) -> Journal {
    let mut journal = Journal::create(dir, &header()).unwrap();
    for number in games {
        journal.append(&[game(number, 5)]).unwrap();
    }
    journal
}

fn numbers(dir: &Path) -> Vec<u64> {
    Archive::read(dir).unwrap().numbers().collect()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn with_spec(change: impl FnOnce(&mut Value)) -> JournalHeader {
    let mut spec = serde_json::json!(header().played);
    change(&mut spec);
    JournalHeader { played: serde_json::from_value(spec).unwrap(), ..header() }
}

fn refusal<T>(result: Result<T, JournalError>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn what_is_appended_is_read_in_the_order_of_the_numbers() {
    let dir = TempDir::new().unwrap();
    let mut journal = journal_of(dir.path(), [3, 0]);
    journal.append(&[game(2, 60), game(1, 0)]).unwrap();
    let archive = Archive::read(dir.path()).unwrap();
    assert_eq!(archive.header, header());
    assert_eq!(archive.len(), 4);
    for (number, archived) in archive.games().enumerate() {
        let (archived, expected) = (archived.unwrap(), game(number as u64, [5, 0, 60, 5][number]));
        assert_eq!((archived.record, archived.times), (expected.record, expected.times));
    }
    assert_eq!(archive.game(2).unwrap().unwrap().record.moves.len(), 60);
    assert!(archive.game(4).unwrap().is_none());
}

#[test]
fn a_torn_last_line_is_cut_off_at_every_byte() {
    let dir = TempDir::new().unwrap();
    drop(journal_of(dir.path(), [0, 1, 2]));
    let layout = Layout::new(dir.path());
    let whole = fs::read(layout.journal()).unwrap();
    let start = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    for length in start..whole.len() {
        fs::write(layout.journal(), &whole[..length]).unwrap();
        assert_eq!(numbers(dir.path()), [0, 1], "cut to {length} of {}", whole.len());
        let mut journal = Journal::resume(dir.path(), &header()).unwrap();
        let archive = journal.archive();
        assert_eq!((archive.len(), archive.parts[0].is_torn()), (2, length > start));
        assert_eq!(fs::read(layout.journal()).unwrap(), &whole[..start]);
        journal.append(&[game(2, 5)]).unwrap();
        assert_eq!(fs::read(layout.journal()).unwrap(), whole);
    }
}

#[test]
fn a_torn_last_line_with_a_line_end_does_not_count_either() {
    let dir = TempDir::new().unwrap();
    drop(journal_of(dir.path(), [0, 1]));
    let layout = Layout::new(dir.path());
    let torn = text(&layout.journal()).replace("\"pair\":0,\"ruleset\":0,\"opening\":0,\"seats\":[1,0]", "");
    fs::write(layout.journal(), torn).unwrap();
    assert_eq!(numbers(dir.path()), [0]);
}

#[test]
fn torn_times_are_cut_off_and_the_last_ones_count() {
    let dir = TempDir::new().unwrap();
    drop(journal_of(dir.path(), [0]));
    let layout = Layout::new(dir.path());
    let mut later = game(0, 5).times;
    later.started_unix_ms += 77;
    let more = String::from_utf8(line::seal(&later).unwrap()).unwrap() + "{\"game\":1,\"sta";
    fs::write(layout.times(), text(&layout.times()) + &more).unwrap();
    let mut journal = Journal::resume(dir.path(), &header()).unwrap();
    journal.append(&[game(1, 5)]).unwrap();
    let archive = Archive::read(dir.path()).unwrap();
    let times: Vec<_> = archive.games().map(|game| game.unwrap().times).collect();
    assert_eq!(times, [later, game(1, 5).times]);
    journal.complete(|_| true).unwrap();
    assert_eq!(text(&layout.times()).lines().count(), 2);
}

#[test]
fn a_damaged_line_in_the_middle_is_named_with_the_way_out() {
    let dir = TempDir::new().unwrap();
    drop(journal_of(dir.path(), [0, 1, 2]));
    let layout = Layout::new(dir.path());
    let damaged = text(&layout.journal()).replace("\"game\":1,", "\"game\":7,");
    fs::write(layout.journal(), damaged).unwrap();
    let message = refusal(Archive::read(dir.path()));
    assert!(message.contains("journal.jsonl, line 3 is damaged: its checksum"), "{message}");
    assert!(message.contains("Delete that line") && message.contains("--resume"), "{message}");
    assert_eq!(refusal(Journal::resume(dir.path(), &header())), message);
    let kept: Vec<String> =
        text(&layout.journal()).lines().filter(|line| !line.contains("\"game\":7,")).map(str::to_owned).collect();
    fs::write(layout.journal(), kept.join("\n") + "\n").unwrap();
    assert_eq!(numbers(dir.path()), [0, 2]);
}

#[test]
fn the_same_game_twice_is_tolerated_only_when_it_is_the_same() {
    let dir = TempDir::new().unwrap();
    let mut journal = journal_of(dir.path(), [1, 0, 1]);
    assert_eq!(numbers(dir.path()), [0, 1]);
    journal.append(&[game(1, 6)]).unwrap();
    let message = refusal(Archive::read(dir.path()));
    assert!(message.contains("line 5: game 1 differs from what line 4 says"), "{message}");
}

#[test]
fn other_files_and_other_versions_are_refused() {
    let dir = TempDir::new().unwrap();
    let path = Layout::new(dir.path()).journal();
    assert!(refusal(Archive::read(dir.path())).contains("holds no journal"));
    for foreign in ["hello\nworld\n", "{}\n", "\u{0}\u{0}", "[Event \"x\"]\n", "{\"game\":1,\"crc\":\"00000000\"}\n"] {
        fs::write(&path, foreign).unwrap();
        assert!(refusal(Archive::read(dir.path())).contains("is no tournament journal"), "{foreign:?}");
        assert!(refusal(Journal::resume(dir.path(), &header())).contains("is no tournament journal"), "{foreign:?}");
        assert_eq!(text(&path), foreign, "a foreign file is left alone");
    }
    fs::write(&path, line::seal(&JournalHeader { version: 2, ..header() }).unwrap()).unwrap();
    assert!(refusal(Archive::read(dir.path())).contains("has the format version 2, this program reads version 1"));
}

#[test]
fn a_journal_that_ends_in_its_head_begins_again() {
    let dir = TempDir::new().unwrap();
    let layout = Layout::new(dir.path());
    let head = line::seal(&header()).unwrap();
    for length in 0..head.len() {
        fs::write(layout.journal(), &head[..length]).unwrap();
        assert!(refusal(Archive::read(dir.path())).contains("ends within its first line"), "cut to {length}");
        let journal = Journal::resume(dir.path(), &header()).unwrap();
        assert!(journal.archive().is_empty());
        drop(journal);
        assert_eq!(fs::read(layout.journal()).unwrap(), head);
    }
}

#[test]
fn a_second_beginning_and_a_second_writer_are_refused() {
    let dir = TempDir::new().unwrap();
    let journal = journal_of(dir.path(), [0]);
    assert!(refusal(Journal::resume(dir.path(), &header())).contains("another process is writing in"));
    drop(journal);
    let message = refusal(Journal::create(dir.path(), &header()));
    assert!(message.contains("already holds a journal") && message.contains("--resume"), "{message}");
    assert_eq!(numbers(dir.path()), [0]);
}

#[test]
fn another_spec_another_shard_and_another_program_are_refused() {
    let dir = TempDir::new().unwrap();
    drop(journal_of(dir.path(), [0]));
    let other = with_spec(|spec| spec["engines"][1]["options"]["Hash"] = 32.into());
    let message = refusal(Journal::resume(dir.path(), &other));
    assert!(message.contains("engines[1].options.Hash: 16 there, 32 here"), "{message}");
    let shard = JournalHeader { shard: Some(Shard { index: 1, count: 3 }), ..header() };
    assert!(refusal(Journal::resume(dir.path(), &shard)).contains("shard: none there, 1/3 here"));
    let program = JournalHeader { program: "reynard 9".to_owned(), ..header() };
    assert!(refusal(Journal::resume(dir.path(), &program)).contains("was played by reynard test, this is reynard 9"));
}

#[test]
fn a_complete_journal_is_sorted_and_free_of_surplus() {
    let (dir, plain) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let mut journal = journal_of(dir.path(), [5, 1, 0, 4, 2, 2]);
    journal.complete(|game| game < 4).unwrap();
    journal.append(&[game(3, 5)]).unwrap();
    journal.complete(|game| game < 4).unwrap();
    drop(journal_of(plain.path(), 0..4));
    let (layout, plain) = (Layout::new(dir.path()), Layout::new(plain.path()));
    assert_eq!(text(&layout.journal()), text(&plain.journal()));
    let surplus = text(&layout.surplus());
    assert_eq!(surplus.lines().count(), 3);
    assert!(surplus.contains("\"game\":4,") && surplus.contains("\"game\":5,"));
    assert!(!fs::read_dir(dir.path()).unwrap().any(|entry| entry.unwrap().path().extension() == Some("tmp".as_ref())));
}

#[test]
fn the_index_of_a_run_is_that_of_its_files() {
    let dir = TempDir::new().unwrap();
    drop(journal_of(dir.path(), [3, 0]));
    let layout = Layout::new(dir.path());
    fs::write(layout.journal(), text(&layout.journal()) + "{\"fixture\":{\"ga").unwrap();
    let mut journal = Journal::resume(dir.path(), &header()).unwrap();
    let same = |journal: &Journal| {
        let (held, read) = (journal.archive(), Archive::read(dir.path()).unwrap());
        assert_eq!((&held.games, &held.times, &held.machines), (&read.games, &read.times, &read.machines));
        assert!(held.games().map(Result::unwrap).eq(read.games().map(Result::unwrap)));
    };
    journal.append(&[game(5, 5), game(1, 60)]).unwrap();
    same(&journal);
    journal.complete(|game| game < 4).unwrap();
    same(&journal);
    journal.append(&[game(2, 0)]).unwrap();
    same(&journal);
    journal.complete(|_| true).unwrap();
    same(&journal);
    assert_eq!(numbers(dir.path()), [0, 1, 2, 3]);
    let whole = journal.archive().write(&dir.path().join("whole"), |game| game < 3).unwrap();
    assert_eq!(whole.games, Archive::read(&dir.path().join("whole")).unwrap().games);
    assert_eq!(whole.len(), 3);
}

#[test]
fn merged_parts_are_the_whole_byte_for_byte() {
    let folder = TempDir::new().unwrap();
    let dir = |name: &str| folder.path().join(name);
    for (name, games) in [("a", vec![4, 0, 1, 5]), ("b", vec![3, 2]), ("c", vec![1, 6])] {
        drop(journal_of(&dir(name), games));
    }
    drop(journal_of(&dir("whole"), 0..7));
    let here = Archive::read(&dir("a")).unwrap().machines;
    assert!(here == [Machine::this()] && here[0].cores > 0 && !here[0].processor.is_empty());
    let there = Machine { processor: "another".to_owned(), ..Machine::this() };
    fs::write(Layout::new(dir("b")).machines(), line::seal(&there).unwrap()).unwrap();
    let join = |names: &[&str]| {
        let dirs: Vec<_> = names.iter().map(|name| dir(name)).collect();
        Archive::join(&dirs[0], dirs[1..].iter().map(|dir| dir.as_path()))
    };
    let merged = join(&["a", "b", "c"]).unwrap();
    let games: Vec<u64> = merged.games().map(|game| game.unwrap().record.fixture.game).collect();
    assert_eq!(games, (0..7).collect::<Vec<_>>());
    merged.write(&dir("merged"), |_| true).unwrap();
    assert_eq!(Archive::read(&dir("merged")).unwrap().machines, [Machine::this(), there]);
    for file in ["journal.jsonl", "times.jsonl"] {
        assert_eq!(text(&dir("merged").join(file)), text(&dir("whole").join(file)), "{file}");
    }
    merged.write(&dir("merged"), |_| true).expect("the same games once more");
    let fewer = join(&["a", "b"]).unwrap();
    assert!(refusal(fewer.write(&dir("merged"), |_| true)).contains("already holds a journal"), "game 6 would be lost");
    assert_eq!(text(&dir("merged").join("journal.jsonl")), text(&dir("whole").join("journal.jsonl")));
}

#[test]
fn parts_that_contradict_each_other_are_refused() {
    let folder = TempDir::new().unwrap();
    let dir = |name: &str| folder.path().join(name);
    drop(journal_of(&dir("a"), [0, 1]));
    journal_of(&dir("b"), [2]).append(&[game(1, 9)]).unwrap();
    let other = with_spec(|spec| spec["seed"] = 2.into());
    drop(Journal::create(&dir("c"), &other).unwrap());
    let join = |[first, second]: [&str; 2]| Archive::join(&dir(first), [dir(second).as_path()]);
    assert!(refusal(join(["a", "b"])).contains("game 1 is not the same in"));
    assert!(refusal(join(["a", "c"])).contains("seed: 2 there, 1 here"));
}
