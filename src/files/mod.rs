//! Guarded reads of what people name, and writes that leave a whole file or none.
//!
//! ```text
//! what stands at the path     NewFile, write                     journals and tables      read
//! nothing                     a new file, synced                 a new file               refused
//! a regular file              replaced when complete, synced     gone on with             read up to a limit
//! a link                      its target replaced, link kept     its target gone on with  its target read
//! a device, a pipe            written straight into              refused                  refused
//! ```

mod new_file;
mod random_access;
mod read;

pub(crate) use new_file::{NewFile, ensure_regular, rename, resolved, write};
pub(crate) use random_access::RandomAccessFile;
pub(crate) use read::{ReadError, open_regular, read_text};
