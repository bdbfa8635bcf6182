//! The positions with nothing in hand, where pieces go to and fro: settled round by round, with distances.

use super::fox_sets::{FoxMove, FoxSet, FoxSets, Slots, sets_of};
use crate::geometry::bits;
use crate::parallel;
use crate::rules::hunt::Side;
use crate::tablebase::TableEntry;

/// The numbers of patterns of geese: their places among those with as many geese, ordered as binary numbers.
pub(super) struct PatternNumbers {
    number: Vec<u32>,
    /// By number of geese.
    pub(super) patterns: Vec<Vec<Slots>>,
}

impl PatternNumbers {
    pub(super) fn new(slots: usize) -> PatternNumbers {
        let patterns: Vec<Vec<Slots>> = (0..=slots as u32).map(|size| sets_of(size, slots as u32).collect()).collect();
        let mut number = vec![0; 1 << slots];
        for of_size in &patterns {
            of_size.iter().zip(0..).for_each(|(&pattern, at)| number[pattern as usize] = at);
        }
        PatternNumbers { number, patterns }
    }

    #[inline]
    pub(super) fn number(&self, pattern: Slots) -> usize {
        self.number[pattern as usize] as usize
    }
}

/// The values of one number of geese: by kept set of foxes, then by pattern.
#[derive(Default)]
pub(super) struct SlidingLayer {
    pub(super) geese: u32,
    columns: usize,
    /// With the geese to move, and with the foxes to move.
    entries: [Vec<TableEntry>; 2],
}

impl SlidingLayer {
    /// The values of a set of foxes.
    pub(super) fn of_set(&self, turn: Side, set: usize) -> &[TableEntry] {
        &self.entries[index(turn)][set * self.columns..][..self.columns]
    }
}

fn index(turn: Side) -> usize {
    usize::from(turn == Side::Fox)
}

/// Whether this value decides a position for `side` within so many plies.
fn wins(entry: TableEntry, side: Side, plies: u32) -> bool {
    entry.winner() == Some(side) && entry.distance() <= plies
}

/// Settled positions: the set of foxes and the geese.
type Front = Vec<(u32, Slots)>;

/// Solves the positions with so many geese; `below` are those with one less, `None` where they are won by the foxes.
pub(super) fn solve(
    foxes: &FoxSets,
    numbers: &PatternNumbers,
    geese: u32,
    below: Option<&SlidingLayer>,
) -> SlidingLayer {
    let mut rounds = Rounds::new(foxes, numbers, geese, below);
    let mut distance = 0;
    let mut front = [rounds.settled(Side::Geese, 0), rounds.settled(Side::Fox, 0)];
    loop {
        let mut next = if distance == 0 {
            [rounds.settled(Side::Geese, 1), rounds.settled(Side::Fox, 1)]
        } else {
            [Front::new(), Front::new()]
        };
        for &(set, after) in &front[index(Side::Fox)] {
            rounds.settle_goose_steps_to(set, after, distance, &mut next[index(Side::Geese)]);
        }
        for &(set, after) in &front[index(Side::Geese)] {
            rounds.settle_fox_steps_to(set, after, distance, &mut next[index(Side::Fox)]);
        }
        if next.iter().all(Vec::is_empty) {
            return rounds.layer;
        }
        front = next;
        distance += 1;
    }
}

/// A layer while it is solved: after round d every position that is won within d plies is settled, all others count as
/// draws.
struct Rounds<'a> {
    foxes: &'a FoxSets,
    numbers: &'a PatternNumbers,
    below: Option<&'a SlidingLayer>,
    layer: SlidingLayer,
}

impl<'a> Rounds<'a> {
    /// Settles what is won at once, by the end of the game or by a capture.
    fn new(foxes: &'a FoxSets, numbers: &'a PatternNumbers, geese: u32, below: Option<&'a SlidingLayer>) -> Rounds<'a> {
        let patterns = &numbers.patterns[geese as usize];
        let mut rounds = Rounds {
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
        let (mut only_lost, mut won) = (true, false);
        for mv in legal {
            let winner = if mv.captured.is_some() { self.after_capture(mv, geese) } else { None };
            won |= winner == Some(Side::Fox);
            only_lost &= winner == Some(Side::Geese);
        }
        match (won, only_lost) {
            (true, _) => TableEntry::won(Side::Fox, 1),
            (false, true) => TableEntry::won(Side::Geese, 1),
            (false, false) => TableEntry::DRAW,
        }
    }

    fn after_capture(&self, mv: &FoxMove, geese: Slots) -> Option<Side> {
        let Some(below) = self.below else { return Some(Side::Fox) };
        below.of_set(Side::Geese, mv.to as usize)[self.numbers.number(mv.after(geese))].winner()
    }

    /// The positions settled at a distance.
    fn settled(&self, turn: Side, distance: u32) -> Front {
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

    fn settle(&mut self, turn: Side, place: (u32, Slots), winner: Side, distance: u32, next: &mut Front) {
        let at = self.at(place.0, place.1);
        self.layer.entries[index(turn)][at] = TableEntry::won(winner, distance);
        next.push(place);
    }

    /// Settles positions from which a step of a goose leads to one, with the foxes to move, settled at this distance.
    fn settle_goose_steps_to(&mut self, set: u32, after: Slots, distance: u32, next: &mut Front) {
        let foxes = self.foxes;
        let steps = &foxes.sets[set as usize].goose_steps;
        let Some(winner) = self.entry(Side::Fox, set, after).winner() else { return };
        for goose in bits(after) {
            // Every step can be taken back.
            for origin in bits(steps[goose] & !after) {
                let before = after & !(1 << goose) | 1 << origin;
                if self.entry(Side::Geese, set, before) != TableEntry::DRAW {
                    continue;
                }
                if winner == Side::Geese || self.geese_lose(set, before, distance) {
                    self.settle(Side::Geese, (set, before), winner, distance + 1, next);
                }
            }
        }
    }

    fn geese_lose(&self, set: u32, geese: Slots, plies: u32) -> bool {
        let steps = &self.foxes.sets[set as usize].goose_steps;
        bits(geese).all(|goose| {
            bits(steps[goose] & !geese)
                .all(|target| wins(self.entry(Side::Fox, set, geese & !(1 << goose) | 1 << target), Side::Fox, plies))
        })
    }

    /// Settles positions from which a step of a fox leads to one, with the geese to move, settled at this distance.
    fn settle_fox_steps_to(&mut self, set: u32, after: Slots, distance: u32, next: &mut Front) {
        let foxes = self.foxes;
        let here = &foxes.sets[set as usize];
        let Some(winner) = self.entry(Side::Geese, set, after).winner() else { return };
        // Each image of a pattern under the symmetries that keep the foxes has an entry, and is settled for itself.
        for &(from, number) in &here.steps_before {
            let mv = &foxes.sets[from as usize].moves[number as usize];
            let before = mv.before(after);
            if !mv.is_legal(before) || self.entry(Side::Fox, from, before) != TableEntry::DRAW {
                continue;
            }
            if winner == Side::Fox || self.foxes_lose(from, before, distance) {
                self.settle(Side::Fox, (from, before), winner, distance + 1, next);
            }
        }
    }

    fn foxes_lose(&self, set: u32, geese: Slots, plies: u32) -> bool {
        let mut legal = self.foxes.sets[set as usize].moves.iter().filter(|mv| mv.is_legal(geese));
        legal.all(|mv| match mv.captured {
            Some(_) => self.after_capture(mv, geese) == Some(Side::Geese),
            None => wins(self.entry(Side::Geese, mv.to, mv.after(geese)), Side::Geese, plies),
        })
    }
}
