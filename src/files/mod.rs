//! Guarded reads of text files that people write, and writes that leave a whole file or none.
//!
//! ```text
//! what stands at the path     NewFile, write                     journals and tables
//! nothing                     a new file, synced                 a new file
//! a regular file              replaced when complete, synced     gone on with
//! a link                      its target replaced, link kept     its target gone on with
//! a device, a pipe            written straight into              refused
//! ```

mod new_file;
mod random_access;
mod read;

pub(crate) use new_file::{NewFile, ensure_regular, rename, write};
pub(crate) use random_access::RandomAccessFile;
pub(crate) use read::{ReadError, read_text};
