//! The file of a layer: what goes in comes out, and whatever is damaged is noticed.

use std::fs;
use std::io::{Seek, SeekFrom, Write};

use proptest::prelude::*;
use reynard_engine::tablebase::format::{EntryAddress, LayerFile};
use reynard_engine::tablebase::{Store, TableEntry, TableError, inventory};
use tempfile::tempdir;

use super::{build_small, header, tables, write};

/// Every entry of a block, one by one.
fn entries(file: &LayerFile, block: u32) -> Vec<Result<TableEntry, TableError>> {
    let (rows, columns) = file.extent(block);
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| EntryAddress { block, row, column }));
    places.map(|place| file.entry(place)).collect()
}

/// The number of columns, a whole number of rows of entries, at most `most` each.
fn a_block() -> impl Strategy<Value = (usize, Vec<u16>)> {
    (1usize..40, 0usize..200, prop_oneof![Just(0u16), Just(3), Just(255), Just(256), Just(u16::MAX)]).prop_flat_map(
        |(columns, rows, most)| {
            let few_changes = (0..=most, 1usize..30);
            proptest::collection::vec(few_changes, 1..20).prop_map(move |runs| {
                let cells = runs.iter().cycle().flat_map(|&(value, length)| std::iter::repeat_n(value, length));
                (columns, cells.take(columns * rows).collect())
            })
        },
    )
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_table_and_nothing_waits_for_it() {
    let folder = tempdir().unwrap();
    let pipe = folder.path().join("x.table");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let error = LayerFile::open(&pipe).map(drop).unwrap_err().to_string();
    assert!(error.contains("not a regular file"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn what_is_written_is_read(blocks in proptest::collection::vec(a_block(), 0..5)) {
        let folder = tempdir().unwrap();
        let path = folder.path().join("x.table");
        write(&path, &header(), &blocks).unwrap();
        let file = LayerFile::open(&path).unwrap();
        prop_assert_eq!(file.blocks() as usize, blocks.len());
        prop_assert_eq!(&file.header, &header());
        file.check().unwrap();
        for (number, (columns, expected)) in (0..).zip(&blocks) {
            prop_assert_eq!(file.extent(number), ((expected.len() / columns) as u64, *columns as u32));
            let expected: Vec<TableEntry> = expected.iter().map(|&entry| TableEntry(entry)).collect();
            prop_assert_eq!(&file.block(number).unwrap(), &expected);
            prop_assert_eq!(entries(&file, number).into_iter().collect::<Result<Vec<_>, _>>().unwrap(), expected);
        }
    }
}

/// Blocks of every kind: empty, one row, uniform, wide, with many frames.
fn samples() -> Vec<(usize, Vec<u16>)> {
    let noise = |count: usize, most: u32| (0..count as u32).map(move |i| (i.wrapping_mul(2_654_435_761) % most) as u16);
    vec![
        (7, Vec::new()),
        (9, noise(9, 200).collect()),
        (3, vec![5; 30]),
        (5, noise(100, 60_000).collect()),
        (1500, noise(4500, 5).collect()),
        (2, vec![700; 4]),
    ]
}

#[test]
fn places_that_are_not_there_are_errors() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.table");
    write(&path, &header(), &samples()).unwrap();
    let file = LayerFile::open(&path).unwrap();
    for (block, row, column) in [(0, 0, 0), (1, 0, 9), (1, 1, 0), (2, u64::MAX, 0), (6, 0, 0), (u32::MAX, 0, u32::MAX)]
    {
        let error = file.entry(EntryAddress { block, row, column }).unwrap_err().to_string();
        assert!(error.contains("x.table") && error.contains(&format!("block {block}")), "{error}");
    }
    assert_eq!(file.extent(6), (0, 0));
}

#[test]
fn a_file_cut_short_anywhere_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.table");
    write(&path, &header(), &samples()[..4]).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let error = LayerFile::open(&path).err().unwrap_or_else(|| panic!("{length} bytes were accepted"));
        assert!(error.to_string().contains("x.table"), "{error}");
    }
    // A hole with both ends in place.
    for missing in [16..20, 100..164, whole.len() - 60..whole.len() - 50] {
        let mut bytes = whole.clone();
        bytes.drain(missing.clone());
        fs::write(&path, &bytes).unwrap();
        assert!(LayerFile::open(&path).is_err(), "without {missing:?}");
    }
}

#[test]
fn a_header_as_long_as_the_disk_is_refused_before_it_is_read() {
    const SIZE: u64 = 1 << 36;
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.table");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(b"reynard table 1\n").unwrap();
    // A hole: it takes no room on the disk.
    file.set_len(SIZE - 48).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    [16, 0, 16, SIZE - 64].iter().for_each(|number: &u64| file.write_all(&number.to_le_bytes()).unwrap());
    file.write_all(b"\0\0\0\0end of table").unwrap();
    let error = LayerFile::open(&path).err().expect("refused").to_string();
    assert!(error.contains("x.table") && error.contains("the lengths do not fit"), "{error}");
}

#[test]
fn a_file_cut_short_while_it_is_open_gives_right_values_or_errors() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.table");
    write(&path, &header(), &samples()).unwrap();
    let length = fs::metadata(&path).unwrap().len();
    for left in [length - 1, length / 2, 100, 0] {
        write(&path, &header(), &samples()).unwrap();
        let file = LayerFile::open(&path).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_len(left).unwrap();
        let is_whole = file.check().is_ok();
        assert!(is_whole == (left == length - 1), "{left} bytes left");
        for (number, (_, expected)) in (0..).zip(samples()) {
            for (found, expected) in entries(&file, number).into_iter().zip(expected) {
                match found {
                    Ok(entry) => assert_eq!(entry, TableEntry(expected)),
                    Err(error) => assert!(error.to_string().contains("x.table"), "{error}"),
                }
            }
        }
    }
}

/// Whether the damage is noticed on opening or on checking; entries that are read nevertheless are right.
fn is_noticed(path: &std::path::Path, blocks: &[(usize, Vec<u16>)]) -> bool {
    let file = match LayerFile::open(path) {
        Ok(file) => file,
        Err(error) => {
            assert!(error.to_string().contains("x.table"), "{error}");
            return true;
        }
    };
    for (number, (_, expected)) in (0..).zip(blocks) {
        for (found, &expected) in entries(&file, number).into_iter().zip(expected) {
            match found {
                Ok(entry) => assert_eq!(entry, TableEntry(expected)),
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.contains("x.table") && error.contains(&format!("block {number}")), "{error}");
                }
            }
        }
    }
    file.check().is_err_and(|error| error.to_string().contains(" of block "))
}

#[test]
fn a_flipped_bit_anywhere_is_noticed() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.table");
    let blocks = samples();
    write(&path, &header(), &blocks).unwrap();
    assert!(!is_noticed(&path, &blocks));
    let whole = fs::read(&path).unwrap();
    // Every byte of what is fixed, and of the frames every seventh.
    let (frames_end, step) = (whole.len().saturating_sub(1100), 7);
    for at in (0..whole.len()).filter(|at| *at < 300 || *at >= frames_end || at % step == 0) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        assert!(is_noticed(&path, &blocks), "bit {} of byte {at} of {}", at % 8, whole.len());
    }
}

#[test]
fn foreign_files_are_named() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("0000000000000007-05.table");
    fs::write(&path, "nothing of ours\n".repeat(20)).unwrap();
    let error = LayerFile::open(&path).err().unwrap().to_string();
    assert!(error.contains("-05.table") && error.contains("no table of reynard"), "{error}");
    let listed = inventory(folder.path()).unwrap();
    assert!(listed.len() == 1 && listed[0].about.is_err());
}

#[test]
fn a_folder_may_be_missing_and_hold_other_things() {
    let folder = tempdir().unwrap();
    let builder = build_small(folder.path());
    let identity = reynard_engine::tablebase::TableBuilder::identity(&builder).clone();
    assert!(Store::open(&folder.path().join("nowhere"), identity.clone()).unwrap().layers().is_empty());
    fs::write(folder.path().join("notes.txt"), "notes").unwrap();
    write(&folder.path().join("0000000000000007-05.table"), &header(), &samples()).unwrap();
    let store = Store::open(folder.path(), identity.clone()).unwrap();
    assert_eq!(store.layers().keys().copied().collect::<Vec<_>>(), [2, 3, 4]);
    // A table under the name of another one answers wrongly if nobody looks.
    fs::copy(store.path(2), store.path(5)).unwrap();
    let error = Store::open(folder.path(), identity).err().unwrap().to_string();
    assert!(error.contains("-05.table") && error.contains("2 geese"), "{error}");
    assert_eq!(tables(folder.path()).len(), 5);
}
