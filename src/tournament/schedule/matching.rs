//! Pairs as many as possible of the engines that may meet.

use std::collections::VecDeque;

use petgraph::algo::maximum_matching;
use petgraph::graphmap::UnGraphMap;

/// Who may meet whom.
pub(super) type MeetingGraph = UnGraphMap<usize, ()>;

/// Everybody may meet everybody else.
pub(super) fn complete(size: usize) -> MeetingGraph {
    (0..size).flat_map(|a| (a + 1..size).map(move |b| (a, b))).collect()
}

/// Pairs all vertices, an even number of them: from the first in `order` on, each with the first after it that may
/// meet it and leaves as many allowed pairs as there can be. Those left over are paired against the graph.
pub(super) fn pair_in_order(graph: &MeetingGraph, order: &[usize]) -> Vec<[usize; 2]> {
    let mut rest = graph.clone();
    let mut pairs = Vec::new();
    let mut left: VecDeque<usize> = order.iter().copied().collect();
    let mut unpaired = Vec::new();
    let mut most = maximum_matching(&rest).len();
    while let Some(first) = left.pop_front() {
        let leaves_most = |&second: &usize| {
            rest.contains_edge(first, second) && {
                let mut without = rest.clone();
                without.remove_node(first);
                without.remove_node(second);
                maximum_matching(&without).len() + 1 == most
            }
        };
        match left.iter().position(leaves_most).and_then(|at| left.remove(at)) {
            Some(second) => {
                rest.remove_node(second);
                pairs.push([first, second]);
                most -= 1;
            }
            None => unpaired.push(first),
        }
        rest.remove_node(first);
    }
    pairs.extend(unpaired.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
    pairs
}
