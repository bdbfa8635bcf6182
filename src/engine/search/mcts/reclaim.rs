//! Garbage collection of the arena: what is no longer reachable goes, and then what was least visited.

use super::arena::{NodeArena, block_start};

/// The arena is emptied to this part of its capacity.
const KEPT_PERCENT: u64 = 50;
const BUCKETS: usize = 33;
/// Blocks handled between two questions whether to go on.
const BLOCKS_PER_POLL: usize = 256;

/// Time was up. The tree may be half moved, so that nothing in it may be used any more.
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
    let mut blocks = kept_blocks(arena, root, threshold, &give_up)?;
    blocks.sort_unstable_by_key(|block| block.first);
    arena.relocate(root, 0);
    let mut used = 1;
    // The lowest first, so that nodes only ever move towards the front, over what has moved or is not kept.
    for number in 0..blocks.len() {
        let Block { first, count, parent, .. } = blocks[number];
        let Some(start) = block_start(used, usize::from(count)) else { return Err(Abandoned) };
        for offset in 0..u32::from(count) {
            arena.relocate(first + offset, start + offset);
        }
        // From here on the list tells where the block stands now, by how far it has moved.
        let parent = if parent == root { 0 } else { parent - moved_by(&blocks[..number], parent) };
        arena.node(parent).publish(start, count);
        blocks[number].moved = first - start;
        used = start + u32::from(count);
        if number % BLOCKS_PER_POLL == 0 && give_up() {
            return Err(Abandoned);
        }
    }
    arena.set_used(used);
    Ok(())
}

/// A block of children that stays.
struct Block {
    /// Its first node before the move.
    first: u32,
    count: u16,
    /// The node above it before the move.
    parent: u32,
    /// Nodes by which it has moved so far.
    moved: u32,
}

/// By how much a node has moved, if its block is one of these.
fn moved_by(blocks: &[Block], node: u32) -> u32 {
    let block = blocks.partition_point(|block| block.first <= node).checked_sub(1).map(|number| &blocks[number]);
    block.filter(|block| node < block.first + u32::from(block.count)).map_or(0, |block| block.moved)
}

/// All blocks below the root but those of nodes with fewer visits, which become leaves.
fn kept_blocks<M: Copy>(
    arena: &NodeArena<M>,
    root: u32,
    threshold: u32,
    give_up: &impl Fn() -> bool,
) -> Result<Vec<Block>, Abandoned> {
    let mut blocks = Vec::new();
    walk(arena, root, give_up, |parent, (first, count)| {
        let node = arena.node(parent);
        let is_kept = parent == root || node.visits() >= threshold;
        match is_kept {
            true => blocks.push(Block { first, count, parent, moved: 0 }),
            false => node.forget_children(),
        }
        is_kept
    })?;
    Ok(blocks)
}

/// The smallest number of visits, a power of two, whose nodes' children fit into the part to be kept.
fn visit_threshold<M: Copy>(arena: &NodeArena<M>, root: u32, give_up: &impl Fn() -> bool) -> Result<u32, Abandoned> {
    // Nodes of bucket b have fewer than 2^b visits.
    let mut by_visits = [0_u64; BUCKETS];
    walk(arena, root, give_up, |parent, (_, count)| {
        by_visits[(u32::BITS - arena.node(parent).visits().leading_zeros()) as usize] += u64::from(count);
        true
    })?;
    let mut room = u64::from(arena.capacity()) * KEPT_PERCENT / 100;
    for bucket in (0..BUCKETS).rev() {
        match room.checked_sub(by_visits[bucket]) {
            Some(rest) => room = rest,
            None => return Ok(u32::try_from(1_u64 << bucket).unwrap_or(u32::MAX)),
        }
    }
    Ok(0)
}

/// Shows every node with children, from the root down, with their block; goes on below it if `goes_on` says so.
fn walk<M: Copy>(
    arena: &NodeArena<M>,
    root: u32,
    give_up: &impl Fn() -> bool,
    mut goes_on: impl FnMut(u32, (u32, u16)) -> bool,
) -> Result<(), Abandoned> {
    let mut open = vec![root];
    for done in 1.. {
        let Some(parent) = open.pop() else { break };
        let Some((first, count)) = arena.node(parent).block() else { continue };
        if goes_on(parent, (first, count)) {
            let has_children = |index: &u32| arena.node(*index).block().is_some();
            open.extend((first..first + u32::from(count)).filter(has_children));
        }
        if done % BLOCKS_PER_POLL == 0 && give_up() {
            return Err(Abandoned);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::arena::Stretch;
    use super::super::win_rate::WinRate;
    use super::*;

    /// A node by the move that leads to it, with its visits and children.
    #[derive(PartialEq, Debug)]
    struct Shape(Option<u32>, u32, Vec<Shape>);

    /// What lies below a node, without the children of nodes with fewer visits than `least`.
    fn shape(arena: &NodeArena<u32>, index: u32, least: u32) -> Shape {
        let node = arena.node(index);
        let (first, count) = node.block().filter(|_| node.visits() >= least).unwrap_or_default();
        let children = (first..first + u32::from(count)).map(|child| shape(arena, child, least)).collect();
        Shape(arena.mv(index), node.visits(), children)
    }

    /// A tree of so many blocks by three workers, so that children lie before and behind their parents.
    fn grow(blocks: u32) -> NodeArena<u32> {
        let arena = NodeArena::with_memory(4 << 20);
        let mut workers = [Stretch::default(), Stretch::default(), Stretch::default()];
        let root = arena.allocate(&mut workers[0], 1).unwrap();
        arena.node(root).begin(None, WinRate::HALF, None);
        arena.node(root).add(1 << 20, 0);
        let mut leaves = std::collections::VecDeque::from([root]);
        for number in 0..blocks {
            let parent = leaves.pop_front().unwrap();
            let count = 2 + number * 7 % 5;
            let first = arena.allocate(&mut workers[(number / 3 % 3) as usize], count as usize).unwrap();
            for child in first..first + count {
                arena.node(child).begin(None, WinRate::HALF, None);
                arena.node(child).add(child * 13 % 40, 0);
                arena.set_move(child, child);
            }
            leaves.extend(first..first + count);
            arena.node(parent).publish(first, count as u16);
        }
        arena
    }

    #[test]
    fn a_tree_keeps_its_shape_wherever_its_nodes_lay() {
        let untouched = grow(4000);
        let first = untouched.node(0).block().unwrap().0;
        let blocks = (0..untouched.used()).filter_map(|parent| Some((parent, untouched.node(parent).block()?.0)));
        assert!(blocks.filter(|(parent, child)| child < parent).count() > 100, "children behind their parents only");
        for root in [0, first, first + 1] {
            let mut arena = grow(4000);
            reclaim(&mut arena, root, || false).unwrap();
            assert_eq!(shape(&arena, 0, 0), shape(&untouched, root, 0));
            assert!(arena.used() < untouched.used());
        }
    }

    #[test]
    fn children_of_seldom_visited_nodes_go_when_there_is_too_much() {
        let (mut arena, untouched) = (grow(20_000), grow(20_000));
        assert!(untouched.used() > untouched.capacity() / 2);
        let threshold = visit_threshold(&untouched, 0, &|| false).unwrap();
        assert!((2..40).contains(&threshold));
        reclaim(&mut arena, 0, || false).unwrap();
        assert_eq!(shape(&arena, 0, 0), shape(&untouched, 0, threshold));
        assert!((2..=arena.capacity() / 2 + 1).contains(&arena.used()));
    }
}
