//! Garbage collection of the arena: what is no longer reachable goes, and then what was least visited.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::arena::{NodeArena, block_start};
use super::node::TreeNode;

/// The arena is emptied to this part of its capacity.
const KEPT_PERCENT: u64 = 50;
const BUCKETS: usize = 33;
/// Blocks handled between two questions whether to go on.
const BLOCKS_PER_POLL: usize = 256;

/// The tree was left half moved because time was up; nothing in it may be used any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Abandoned;

/// Moves the tree below `root` to the front of the arena, `root` becoming node 0, without children of
/// rarely visited nodes if they would take too much room.
///
/// # Errors
/// `give_up` said so before the work was done.
pub(super) fn reclaim<M: Copy>(
    arena: &mut NodeArena<M>,
    root: u32,
    give_up: impl Fn() -> bool,
) -> Result<(), Abandoned> {
    let threshold = visit_threshold(arena, root, &give_up)?;
    arena.relocate(root, 0);
    let mut used = 1;
    // Old places of blocks with the new place of their parent. Children lie behind their parents, so taking the
    // lowest first meets every block in rising order and only ever moves nodes towards the front.
    let mut blocks = BinaryHeap::new();
    enter_block(arena.node(0), 0, 0, &mut blocks);
    let mut done = 0;
    while let Some(Reverse((first, count, parent))) = blocks.pop() {
        let Some(start) = block_start(used, usize::from(count)) else { return Err(Abandoned) };
        for offset in 0..u32::from(count) {
            arena.relocate(first + offset, start + offset);
            enter_block(arena.node(start + offset), start + offset, threshold, &mut blocks);
        }
        arena.node(parent).publish(start, count);
        used = start + u32::from(count);
        done += 1;
        if done % BLOCKS_PER_POLL == 0 && give_up() {
            return Err(Abandoned);
        }
    }
    arena.set_used(used);
    Ok(())
}

type Blocks = BinaryHeap<Reverse<(u32, u16, u32)>>;

fn enter_block(node: &TreeNode, place: u32, threshold: u32, blocks: &mut Blocks) {
    let Some((first, count)) = node.block() else { return };
    if node.visits() < threshold {
        node.forget_children();
    } else {
        blocks.push(Reverse((first, count, place)));
    }
}

/// The smallest number of visits, a power of two, whose nodes' children fit into the part to be kept.
fn visit_threshold<M: Copy>(arena: &NodeArena<M>, root: u32, give_up: &impl Fn() -> bool) -> Result<u32, Abandoned> {
    // Nodes of bucket b have fewer than 2^b visits.
    let mut by_visits = [0_u64; BUCKETS];
    let mut open = vec![root];
    let mut done = 0;
    while let Some(index) = open.pop() {
        let node = arena.node(index);
        let Some((first, count)) = node.block() else { continue };
        by_visits[(u32::BITS - node.visits().leading_zeros()) as usize] += u64::from(count);
        let inner = |offset: &u32| arena.node(first + offset).block().is_some();
        open.extend((0..u32::from(count)).filter(inner).map(|offset| first + offset));
        done += 1;
        if done % BLOCKS_PER_POLL == 0 && give_up() {
            return Err(Abandoned);
        }
    }
    let mut room = u64::from(arena.capacity()) * KEPT_PERCENT / 100;
    for bucket in (0..BUCKETS).rev() {
        match room.checked_sub(by_visits[bucket]) {
            Some(rest) => room = rest,
            None => return Ok(u32::try_from(1_u64 << bucket).unwrap_or(u32::MAX)),
        }
    }
    Ok(0)
}
