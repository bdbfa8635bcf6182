//! Guarded reads of what people name, and writes that leave a whole file or none.
//!
//! ```text
//! what stands at the path     NewFile, write                     append_to, open          read
//! nothing                     a new file, synced                 a new file               refused
//! a regular file              replaced when complete, synced     gone on with             read up to a limit
//! a link                      its target replaced, link kept     its target gone on with  its target read
//! a device, a pipe            written straight into              refused                  refused
//! ```

mod new_file;
mod open;
mod random_access;
mod read;

pub use new_file::{NewFile, rename, resolved, write};
pub use open::{append_to, ensure_regular, is_misnamed, open, open_regular};
pub use random_access::RandomAccessFile;
pub use read::{ReadError, read_bytes, read_text};
