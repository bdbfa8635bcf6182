//! Reads of parts of a file.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use super::open_regular;

/// A regular file of which several threads read parts at the same time.
///
/// It is not mapped into memory: should another program cut the file short, a read fails, where touching a map would
/// end the process.
pub struct RandomAccessFile {
    file: File,
    size: u64,
}

impl RandomAccessFile {
    /// Opens a file.
    ///
    /// # Errors
    /// It is no regular file or cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = open_regular(path)?;
        let size = file.metadata()?.len();
        Ok(RandomAccessFile { file, size })
    }

    /// Bytes when it was opened.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The bytes of a part.
    ///
    /// # Errors
    /// The part was not all inside the file when it was opened, or is not any more, or cannot be read.
    pub(crate) fn read(&self, part: Range<u64>) -> io::Result<Vec<u8>> {
        let length = part.end.checked_sub(part.start).filter(|_| part.end <= self.size);
        let length = length.and_then(|length| usize::try_from(length).ok());
        let length = length.ok_or_else(|| io::Error::other("it points outside the file"))?;
        let mut bytes = Vec::new();
        // A damaged or hostile file may claim more than there is memory.
        bytes.try_reserve_exact(length).map_err(|_| io::Error::other("it does not fit into memory"))?;
        bytes.resize(length, 0);
        match read_exact_at(&self.file, &mut bytes, part.start) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(io::Error::other("the file has been cut short since it was opened"))
            }
            read => read.map(|()| bytes),
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        at += read as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_and_a_file_cut_short_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        std::fs::write(&path, b"0123456789").unwrap();
        let file = RandomAccessFile::open(&path).unwrap();
        assert_eq!((file.size(), file.read(3..6).unwrap()), (10, b"345".to_vec()));
        for (start, end) in [(9, 11), (6, 3), (0, u64::MAX)] {
            let message = file.read(start..end).unwrap_err().to_string();
            assert_eq!(message, "it points outside the file", "{start}..{end}");
        }
        File::options().write(true).open(&path).unwrap().set_len(4).unwrap();
        assert_eq!(file.read(0..4).unwrap(), b"0123");
        assert_eq!(file.read(3..6).unwrap_err().to_string(), "the file has been cut short since it was opened");
    }
}
