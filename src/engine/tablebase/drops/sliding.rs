//! Solves the positions with nothing in hand, round by round, with their distances.

use super::SIDES;
use super::fox_sets::{FoxMove, FoxSet, FoxSets, Slots};
use crate::geometry::bits;
use crate::parallel;
use crate::rules::hunt::Side;
use crate::tablebase::TableEntry;

/// The numbers of goose patterns: each one's place among those with as many geese, ordered as binary numbers.
pub(super) struct PatternNumbers {
    number: Vec<u32>,
    /// By number of geese: their patterns in order.
    pub(super) patterns: Vec<Vec<Slots>>,
}

impl PatternNumbers {
    pub(super) fn new(slots: usize) -> PatternNumbers {
        let mut number = Vec::with_capacity(1 << slots);
        let mut patterns = vec![Vec::new(); slots + 1];
        for pattern in 0..1 << slots {
            let of_size: &mut Vec<Slots> = &mut patterns[Slots::count_ones(pattern) as usize];
            number.push(of_size.len() as u32);
            of_size.push(pattern);
        }
        PatternNumbers { number, patterns }
    }

    #[inline]
    pub(super) fn number(&self, pattern: Slots) -> usize {
        self.number[pattern as usize] as usize
    }
}

/// The values of all positions with one number of geese, by kept set of foxes, then by pattern.
#[derive(Default)]
pub(super) struct SlidingLayer {
    pub(super) geese: u32,
    columns: usize,
    /// The entries with the geese to move, then those with the foxes to move.
    entries: [Vec<TableEntry>; 2],
}

impl SlidingLayer {
    /// The values of the positions with a set of foxes and this side to move, by pattern.
    pub(super) fn of_set(&self, turn: Side, set: usize) -> &[TableEntry] {
        &self.entries[index(turn)][set * self.columns..][..self.columns]
    }
}

fn index(turn: Side) -> usize {
    usize::from(turn == Side::Fox)
}

/// Whether an entry is a win of `side` within `plies` plies.
fn wins(entry: TableEntry, side: Side, plies: u32) -> bool {
    entry.winner() == Some(side) && entry.distance() <= plies
}

/// The geese after one of them has stepped from a slot to another.
fn stepped(geese: Slots, from: usize, to: usize) -> Slots {
    (geese & !(1 << from)) | (1 << to)
}

/// The positions settled in the last round, each as its set of foxes and its geese.
type Frontier = Vec<(u32, Slots)>;

/// Solves the positions with `geese` geese; `below` are those with one less, `None` if the foxes have won them.
pub(super) fn solve(
    foxes: &FoxSets,
    numbers: &PatternNumbers,
    geese: u32,
    below: Option<&SlidingLayer>,
) -> SlidingLayer {
    let mut rounds = SlidingRounds::new(foxes, numbers, geese, below);
    let mut distance = 0;
    let mut frontier = SIDES.map(|turn| rounds.settled(turn, 0));
    loop {
        // Positions that a capture decides are settled from the beginning.
        let mut next = SIDES.map(|turn| if distance == 0 { rounds.settled(turn, 1) } else { Frontier::new() });
        for turn in SIDES {
            rounds.settle_before(&frontier[index(turn.other())], turn, distance, &mut next[index(turn)]);
        }
        if next.iter().all(Vec::is_empty) {
            return rounds.layer;
        }
        frontier = next;
        distance += 1;
    }
}

/// A layer while it is solved: after round d every position won within d plies is settled, and all others count as
/// draws.
struct SlidingRounds<'a> {
    foxes: &'a FoxSets,
    numbers: &'a PatternNumbers,
    below: Option<&'a SlidingLayer>,
    layer: SlidingLayer,
}

impl<'a> SlidingRounds<'a> {
    /// The layer with all wins settled that the end of the game or a capture decides at once.
    fn new(
        foxes: &'a FoxSets,
        numbers: &'a PatternNumbers,
        geese: u32,
        below: Option<&'a SlidingLayer>,
    ) -> SlidingRounds<'a> {
        let patterns = &numbers.patterns[geese as usize];
        let mut rounds = SlidingRounds {
            foxes,
            numbers,
            below,
            layer: SlidingLayer { geese, columns: patterns.len(), ..Default::default() },
        };
        let of_sets = |first: &(dyn Fn(&FoxSet, Slots) -> TableEntry + Sync)| -> Vec<TableEntry> {
            let of_set = |set| patterns.iter().map(|&geese| first(set, geese)).collect::<Vec<_>>();
            parallel::map(&foxes.sets, of_set).concat()
        };
        let entries = [
            of_sets(&|set, geese| {
                let free = bits(geese).any(|goose| set.goose_steps[goose] & !geese != 0);
                if free { TableEntry::DRAW } else { TableEntry::won(Side::Fox, 0) }
            }),
            of_sets(&|set, geese| rounds.first_fox_entry(set, geese)),
        ];
        rounds.layer.entries = entries;
        rounds
    }

    fn first_fox_entry(&self, set: &FoxSet, geese: Slots) -> TableEntry {
        let mut legal = set.moves.iter().filter(|mv| mv.is_legal(geese)).peekable();
        if legal.peek().is_none() {
            return TableEntry::won(Side::Geese, 0);
        }
        let mut only_lost = true;
        let mut won = false;
        for mv in legal {
            let winner = if mv.captured.is_some() { self.after_capture(mv, geese) } else { None };
            won |= winner == Some(Side::Fox);
            only_lost &= winner == Some(Side::Geese);
        }
        if won {
            TableEntry::won(Side::Fox, 1)
        } else if only_lost {
            TableEntry::won(Side::Geese, 1)
        } else {
            TableEntry::DRAW
        }
    }

    fn after_capture(&self, mv: &FoxMove, geese: Slots) -> Option<Side> {
        let Some(below) = self.below else { return Some(Side::Fox) };
        below.of_set(Side::Geese, mv.to as usize)[self.numbers.number(mv.after(geese))].winner()
    }

    /// The positions settled at this distance.
    fn settled(&self, turn: Side, distance: u32) -> Frontier {
        let patterns = &self.numbers.patterns[self.layer.geese as usize];
        let of_set = |set: usize| {
            let entries = self.layer.of_set(turn, set).iter().zip(patterns);
            let settled = entries.filter(move |(entry, _)| **entry != TableEntry::DRAW && entry.distance() == distance);
            settled.map(move |(_, &pattern)| (set as u32, pattern))
        };
        (0..self.foxes.sets.len()).flat_map(of_set).collect()
    }

    fn at(&self, set: u32, geese: Slots) -> usize {
        set as usize * self.layer.columns + self.numbers.number(geese)
    }

    fn entry(&self, turn: Side, set: u32, geese: Slots) -> TableEntry {
        self.layer.entries[index(turn)][self.at(set, geese)]
    }

    /// Settles positions with `turn` to move from which a step leads to one of the frontier, whose positions were
    /// settled at this distance.
    fn settle_before(&mut self, frontier: &[(u32, Slots)], turn: Side, distance: u32, next: &mut Frontier) {
        let mut candidates = Vec::new();
        for &(set, after) in frontier {
            let Some(winner) = self.entry(turn.other(), set, after).winner() else { continue };
            candidates.clear();
            self.list_before(turn, set, after, &mut candidates);
            for &(from, before) in &candidates {
                if self.entry(turn, from, before) != TableEntry::DRAW {
                    continue;
                }
                if winner == turn || self.is_lost(turn, from, before, distance) {
                    let at = self.at(from, before);
                    self.layer.entries[index(turn)][at] = TableEntry::won(winner, distance + 1);
                    next.push((from, before));
                }
            }
        }
    }

    /// Lists the positions from which a step of `turn` leads to a set of foxes with the geese `after`.
    fn list_before(&self, turn: Side, set: u32, after: Slots, candidates: &mut Vec<(u32, Slots)>) {
        let here = &self.foxes.sets[set as usize];
        match turn {
            // Geese can step back the way they came, so steps forward and back are the same.
            Side::Geese => bits(after).for_each(|goose| {
                let origins = bits(here.goose_steps[goose] & !after);
                candidates.extend(origins.map(|origin| (set, stepped(after, goose, origin))));
            }),
            // Images of a pattern under symmetries that keep the foxes have entries of their own, and are settled one
            // by one.
            Side::Fox => candidates.extend(here.steps_before.iter().filter_map(|&(from, number)| {
                let mv = &self.foxes.sets[from as usize].moves[number as usize];
                let before = mv.before(after);
                mv.is_legal(before).then_some((from, before))
            })),
        }
    }

    /// Whether every move leads to a win of the other side settled within `plies` plies.
    fn is_lost(&self, turn: Side, set: u32, geese: Slots, plies: u32) -> bool {
        let here = &self.foxes.sets[set as usize];
        match turn {
            Side::Geese => bits(geese).all(|goose| {
                let mut targets = bits(here.goose_steps[goose] & !geese);
                targets.all(|target| wins(self.entry(Side::Fox, set, stepped(geese, goose, target)), Side::Fox, plies))
            }),
            Side::Fox => here.moves.iter().filter(|mv| mv.is_legal(geese)).all(|mv| match mv.captured {
                Some(_) => self.after_capture(mv, geese) == Some(Side::Geese),
                None => wins(self.entry(Side::Geese, mv.to, mv.after(geese)), Side::Geese, plies),
            }),
        }
    }
}
