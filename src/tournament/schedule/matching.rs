//! Pairing as many as possible of those that may meet.

use std::collections::VecDeque;

/// Who may meet whom.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    size: usize,
    edges: Vec<bool>,
}

impl Graph {
    /// Everybody may meet everybody else.
    pub(super) fn complete(size: usize) -> Self {
        let edges = (0..size * size).map(|index| index / size != index % size).collect();
        Graph { size, edges }
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.edges[a * self.size + b]
    }

    pub(super) fn remove(&mut self, a: usize, b: usize) {
        self.edges[a * self.size + b] = false;
        self.edges[b * self.size + a] = false;
    }

    /// Takes a vertex out.
    fn isolate(&mut self, vertex: usize) {
        (0..self.size).for_each(|other| self.remove(vertex, other));
    }

    /// Pairs all vertices, an even number of them: from the first in `order` on, each with the first after it that may
    /// meet it and leaves as many allowed pairs as there can be. Those left over are paired against the graph.
    pub(super) fn pair_in_order(&self, order: &[usize]) -> Vec<[usize; 2]> {
        let mut rest = self.clone();
        let mut pairs = Vec::new();
        let mut left: VecDeque<usize> = order.iter().copied().collect();
        let mut lonely = Vec::new();
        let mut most = rest.largest_matching();
        while let Some(first) = left.pop_front() {
            let mut without = rest.clone();
            without.isolate(first);
            let leaves_most = |&second: &usize| {
                let mut without = without.clone();
                without.isolate(second);
                rest.has(first, second) && without.largest_matching() + 1 == most
            };
            match left.iter().position(leaves_most) {
                Some(at) => {
                    let second = left.remove(at).unwrap_or(first);
                    without.isolate(second);
                    pairs.push([first, second]);
                    most -= 1;
                }
                None => lonely.push(first),
            }
            rest = without;
        }
        pairs.extend(lonely.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
        pairs
    }

    /// The number of pairs in a largest matching, by Edmonds' blossom algorithm.
    fn largest_matching(&self) -> usize {
        let mut mates = vec![None; self.size];
        self.match_greedily(&mut mates);
        for root in 0..self.size {
            if mates[root].is_none() {
                Search::new(self, &mates).augment(root, &mut mates);
            }
        }
        mates.iter().flatten().count() / 2
    }

    fn match_greedily(&self, mates: &mut [Option<usize>]) {
        for a in 0..self.size {
            let free = |&b: &usize| mates[b].is_none() && self.has(a, b);
            if let (None, Some(b)) = (mates[a], (a + 1..self.size).find(free)) {
                mates[a] = Some(b);
                mates[b] = Some(a);
            }
        }
    }
}

/// One search for a path from a free vertex to another, matched and unmatched edges in turn.
struct Search<'a> {
    graph: &'a Graph,
    /// The vertex from which an odd-distance vertex was reached.
    parents: Vec<Option<usize>>,
    /// The base of the blossom that a vertex has been contracted into.
    bases: Vec<usize>,
    /// Whether an even distance from the root is known.
    is_even: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, mates: &[Option<usize>]) -> Self {
        let size = mates.len();
        let bases = (0..size).collect();
        Search { graph, parents: vec![None; size], bases, is_even: vec![false; size], queue: VecDeque::new() }
    }

    /// Adds one pair to the matching when a path is found.
    fn augment(mut self, root: usize, mates: &mut [Option<usize>]) {
        let mut end = self.path_end(root, mates);
        while let Some(vertex) = end {
            let parent = self.parents[vertex];
            let next = parent.and_then(|parent| mates[parent]);
            mates[vertex] = parent;
            if let Some(parent) = parent {
                mates[parent] = Some(vertex);
            }
            end = next;
        }
    }

    fn path_end(&mut self, root: usize, mates: &[Option<usize>]) -> Option<usize> {
        self.is_even[root] = true;
        self.queue.push_back(root);
        while let Some(from) = self.queue.pop_front() {
            for to in 0..mates.len() {
                if !self.graph.has(from, to) || self.bases[from] == self.bases[to] || mates[from] == Some(to) {
                    continue;
                }
                let is_even = to == root || mates[to].is_some_and(|mate| self.parents[mate].is_some());
                if is_even {
                    self.contract(from, to, mates);
                } else if self.parents[to].is_none() {
                    self.parents[to] = Some(from);
                    match mates[to] {
                        None => return Some(to),
                        Some(mate) => {
                            self.is_even[mate] = true;
                            self.queue.push_back(mate);
                        }
                    }
                }
            }
        }
        None
    }

    /// Makes one vertex of the odd circle that the edge between two even vertices closes.
    fn contract(&mut self, a: usize, b: usize, mates: &[Option<usize>]) {
        let base = self.common_base(a, b, mates);
        let mut in_blossom = vec![false; mates.len()];
        self.mark(a, base, b, &mut in_blossom, mates);
        self.mark(b, base, a, &mut in_blossom, mates);
        for vertex in 0..mates.len() {
            if in_blossom[self.bases[vertex]] {
                self.bases[vertex] = base;
                if !self.is_even[vertex] {
                    self.is_even[vertex] = true;
                    self.queue.push_back(vertex);
                }
            }
        }
    }

    /// The nearest base on both ways to the root.
    fn common_base(&self, a: usize, b: usize, mates: &[Option<usize>]) -> usize {
        let mut is_passed = vec![false; mates.len()];
        let mut at = Some(a);
        while let Some(vertex) = at {
            let base = self.bases[vertex];
            is_passed[base] = true;
            at = mates[base].and_then(|mate| self.parents[mate]);
        }
        let mut vertex = b;
        loop {
            let base = self.bases[vertex];
            match mates[base].and_then(|mate| self.parents[mate]) {
                Some(next) if !is_passed[base] => vertex = next,
                _ => return base,
            }
        }
    }

    /// Gives the vertices between `from` and the base a way back over the edge to `child`.
    fn mark(
        &mut self,
        mut from: usize,
        base: usize,
        mut child: usize,
        in_blossom: &mut [bool],
        mates: &[Option<usize>],
    ) {
        while self.bases[from] != base {
            let Some(mate) = mates[from] else { return };
            in_blossom[self.bases[from]] = true;
            in_blossom[self.bases[mate]] = true;
            self.parents[from] = Some(child);
            child = mate;
            match self.parents[mate] {
                Some(next) => from = next,
                None => return,
            }
        }
    }
}
