//! The results directory: what has been played, durably, and how it is read again.
//!
//! `journal.jsonl` begins with the [`JournalHeader`](super::header::JournalHeader); every further line is one
//! [`GameRecord`](super::GameRecord). `times.jsonl` holds what the clock measured, and
//! `machines.jsonl` where, in the same form. A line counts only
//! with its line end and a right checksum (see [`mod@line`]), so that a write that was cut off is recognised: the
//! [`Journal`] cuts it away when it goes on, and the game is played again.

mod archive;
mod error;
mod extend;
mod head;
mod layout;
pub(crate) mod line;
mod machines;
mod tail;
mod writer;

pub use archive::Archive;
pub(crate) use error::JournalError;
pub(crate) use extend::extend;
#[cfg(feature = "gui")]
pub(crate) use head::read_header;
#[cfg(feature = "gui")]
pub(crate) use layout::lock;
pub(crate) use layout::{Layout, OutputError};
pub(crate) use tail::{JournalTail, ShardTails};
pub use writer::Journal;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
