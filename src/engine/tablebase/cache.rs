//! A cache of frames that were expanded lately.

use std::sync::Mutex;

use super::TableError;

/// A power of two. At two kilobytes a frame, half a megabyte for each layer that is asked.
const SLOTS: usize = 256;

/// One frame, and which it is.
#[derive(Default)]
struct Slot {
    /// Block and frame; `None` while empty.
    holds: Option<(u32, u64)>,
    bytes: Vec<u8>,
}

/// A direct-mapped cache that threads share.
pub(super) struct FrameCache {
    slots: Box<[Mutex<Slot>]>,
}

impl FrameCache {
    pub(super) fn new() -> Self {
        FrameCache { slots: (0..SLOTS).map(|_| Mutex::default()).collect() }
    }

    /// Reads a frame, which `expand` makes if it is not at hand.
    pub(super) fn with<T>(
        &self,
        block: u32,
        frame: u64,
        expand: impl FnOnce(&mut Vec<u8>) -> Result<(), TableError>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, TableError> {
        let hash = (u64::from(block) << 32 ^ frame).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &self.slots[(hash >> 32) as usize % SLOTS];
        // A thread that failed while it filled the slot left it marked as empty.
        let mut slot = slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if slot.holds != Some((block, frame)) {
            slot.holds = None;
            expand(&mut slot.bytes)?;
            slot.holds = Some((block, frame));
        }
        Ok(read(&slot.bytes))
    }
}
