//! How games of one fox end after jumps: what a level keeps for the next layer where distances count to the end.
//!
//! What lies behind an irreversible move is replayed in the rounds of a level: a level above by its own frontiers, the
//! layer below by how the game ends after the best jump.

use std::io;

use super::foxes::{Foxes, OneFox};
use super::frontier::{SparseWords, StripFrontiers};
use super::landings::Landings;
use super::layer::{Strip, by_strip};
use super::layout::read_rows;
use super::level::{Goal, LevelView};
use super::rounds::{Replay, SolvedGoal, no_memory};
use crate::geometry::singles;
use crate::parallel;
use crate::rules::hunt::Side;
use crate::tablebase::format::LayerFile;
use crate::tablebase::{Metric, TableEntry, TableError};

/// How the game ends from a position, as a number that is lower the better it is for the fox side: its own wins, the
/// soonest first, then draws, then wins of the geese, the latest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct EndCode(u16);

impl EndCode {
    const DRAW: EndCode = EndCode(0x7fff);
    /// The code for a fox that cannot jump, worse for it than any result.
    const NO_JUMP: EndCode = EndCode(u16::MAX);
    const SOONEST_GEESE_WIN: u16 = u16::MAX - 1;

    /// The code of a win; `plies` are at most [`TableEntry::MAX_DISTANCE`].
    fn won(winner: Side, plies: u16) -> EndCode {
        match winner {
            Side::Fox => EndCode(plies),
            Side::Geese => EndCode(EndCode::SOONEST_GEESE_WIN - plies),
        }
    }

    fn of(entry: TableEntry) -> EndCode {
        entry.winner().map_or(EndCode::DRAW, |winner| EndCode::won(winner, entry.distance() as u16))
    }

    /// The winner and the plies to the end; `None` for draws and where there is no jump.
    fn decided(self) -> Option<(Side, u16)> {
        match self {
            EndCode::DRAW | EndCode::NO_JUMP => None,
            EndCode(code) if self < EndCode::DRAW => Some((Side::Fox, code)),
            EndCode(code) => Some((Side::Geese, EndCode::SOONEST_GEESE_WIN - code)),
        }
    }
}

/// The number of codes that are packed together, or that a thread takes at a time.
const CHUNK: usize = 1 << 16;
const COMPRESSION_LEVEL: i32 = 1;

/// How the game ends after a jump, packed: for each pattern of a level and each empty point where the fox has landed.
#[derive(Default)]
pub(super) struct Ends {
    packed: Vec<Box<[u8]>>,
    codes: usize,
}

impl Ends {
    fn new(codes: &[EndCode]) -> io::Result<Ends> {
        Ok(Ends { packed: parallel::try_map(codes.chunks(CHUNK), pack)?, codes: codes.len() })
    }

    /// The unpacked codes, by pattern, then by empty point.
    fn codes(&self) -> io::Result<Vec<EndCode>> {
        let mut codes = vec![EndCode::DRAW; self.codes];
        parallel::try_map(self.packed.iter().zip(codes.chunks_mut(CHUNK)), |(packed, codes)| unpack(packed, codes))?;
        Ok(codes)
    }
}

impl Landings<OneFox> for Ends {
    const METRIC: Metric = Metric::End;

    /// The end of the game after the best jump, by pattern of the level, then by the fox's point.
    type Jumps = Vec<EndCode>;

    fn jumps(level: &LevelView<'_, OneFox>, below: &[Ends]) -> Result<Vec<EndCode>, TableError> {
        best_jumps(level, below).map_err(no_memory)
    }

    fn bad_jumps(
        level: &LevelView<'_, OneFox>,
        _below: &[Ends],
        jumps: &Vec<EndCode>,
        goal: Goal,
    ) -> Result<Replay<u64>, TableError> {
        // Before the first round, every jump is bad for the goal of a win, and no jump for that of not losing.
        let can_jump = |pattern: u64| level.game.foxes.can_jump(pattern) & !pattern;
        let bad = if goal == Goal::Win { level.map(&level.strips, can_jump) } else { level.sets() };
        let frontiers = parallel::try_map(&level.strips, |strip| jump_frontiers(level, strip, jumps, goal));
        Ok(Replay::new(&level.strips, bad, frontiers.map_err(no_memory)?))
    }

    fn keep_level(
        &mut self,
        level: &LevelView<'_, OneFox>,
        jumps: &Vec<EndCode>,
        goals: &[SolvedGoal<OneFox>],
    ) -> Result<(), TableError> {
        let mut ends = stopped(level, goals).map_err(no_memory)?;
        land(level, &mut ends, jumps);
        *self = Ends::new(&ends).map_err(no_memory)?;
        Ok(())
    }

    fn read(level: &LevelView<'_, OneFox>, below: &[Ends], file: &LayerFile) -> Result<Self, TableError> {
        let mut ends = Vec::with_capacity(level.extent.patterns * columns(level));
        for (chunk, strips) in (level.extent.first_chunk..).zip(level.layer.chunks_of(level.extent)) {
            ends.extend(read_rows(level, strips, file, chunk)?.into_iter().map(EndCode::of));
        }
        if level.game.foxes.rules().chain {
            land(level, &mut ends, &best_jumps(level, below).map_err(no_memory)?);
        }
        Ends::new(&ends).map_err(no_memory)
    }
}

fn columns(level: &LevelView<'_, OneFox>) -> usize {
    level.game.columns(level.layer.geese) as usize
}

fn best_jumps(level: &LevelView<'_, OneFox>, below: &[Ends]) -> io::Result<Vec<EndCode>> {
    let (foxes, columns) = (&level.game.foxes, columns(level));
    let all = foxes.rules().all;
    let ranks = foxes.rules().ranks;
    let mut best = vec![EndCode::NO_JUMP; level.extent.patterns * columns];
    let place = |number: usize, pattern: u64, fox: u64| number * columns + OneFox::column(all & !pattern, fox) as usize;
    if below.is_empty() {
        parallel::for_each(level.strips.iter().zip(by_strip(&level.strips, columns, &mut best)), |(strip, best)| {
            for (number, pattern) in level.patterns(strip).enumerate() {
                let jumpers = singles(foxes.can_jump(pattern) & !pattern);
                jumpers.for_each(|fox| best[place(number, pattern, fox)] = EndCode::won(Side::Fox, 0));
            }
        });
        return Ok(best);
    }
    // A captured goose takes its rank off the sum. One level is unpacked at a time, as levels are large.
    let reached = level.extent.ranks.saturating_sub(ranks - 1)..=level.extent.ranks;
    let levels = level.game.layer(level.layer.geese - 1).levels.iter().zip(below).enumerate();
    for (number, (_, ends)) in levels.filter(|(_, (level, _))| reached.contains(&level.ranks)) {
        let codes = ends.codes()?;
        parallel::for_each(level.strips.iter().zip(by_strip(&level.strips, columns, &mut best)), |(strip, best)| {
            let is_open = |level| level == number;
            level.visit_jumps(strip, is_open, |jump| {
                let best = &mut best[place(jump.number, jump.pattern, jump.from)];
                // Without the captured goose there is one more empty point.
                let landing = jump.number_after * (columns + 1) + OneFox::column(jump.empty, jump.landing) as usize;
                *best = (*best).min(codes[landing]);
            });
        });
    }
    Ok(best)
}

/// The best jumps from a strip as frontiers, each in the round in which it counts for a goal: the one after that in
/// which the position behind the jump is decided.
fn jump_frontiers(
    level: &LevelView<'_, OneFox>,
    strip: &Strip,
    best: &[EndCode],
    goal: Goal,
) -> io::Result<StripFrontiers> {
    let all = level.game.foxes.rules().all;
    let columns = columns(level);
    // By round: the numbers of words, and the words.
    let mut rounds: Vec<Vec<(usize, u64)>> = Vec::new();
    let rows = best[strip.start * columns..].chunks_exact(columns.max(1));
    for ((number, pattern), codes) in level.patterns(strip).enumerate().zip(rows) {
        for (fox, code) in singles(all & !pattern).zip(codes) {
            let decided = code.decided().filter(|(winner, _)| *winner == goal.winner());
            let Some((_, plies)) = decided else { continue };
            let round = usize::from(plies) + 1;
            if rounds.len() <= round {
                rounds.resize(round + 1, Vec::new());
            }
            match rounds[round].last_mut().filter(|(last, _)| *last == number) {
                Some((_, foxes)) => *foxes |= fox,
                None => rounds[round].push((number, fox)),
            }
        }
    }
    let mut frontiers = StripFrontiers::default();
    for (round, words) in (0..).zip(rounds) {
        frontiers.add(round, Side::Fox, &SparseWords::of(words.into_iter()))?;
    }
    Ok(frontiers)
}

/// How the game ends if the fox stops on an empty point, with the geese to move: by pattern of a level, then by point.
fn stopped(level: &LevelView<'_, OneFox>, goals: &[SolvedGoal<OneFox>]) -> io::Result<Vec<EndCode>> {
    let all = level.game.foxes.rules().all;
    let columns = columns(level);
    let mut ends = vec![EndCode::DRAW; level.extent.patterns * columns];
    let strips = level.strips.iter().zip(by_strip(&level.strips, columns, &mut ends)).enumerate();
    parallel::try_map(strips, |(number, (strip, ends))| {
        let tails = &level.game.numbering.tail_groups[strip.tails as usize];
        for (goal, solved) in Goal::BOTH.into_iter().zip(goals) {
            for frontier in solved.frontiers[number].read().filter(|frontier| frontier.turn == Side::Geese) {
                let end = EndCode::won(goal.winner(), frontier.round);
                frontier.words()?.visit(|row, word| {
                    let empty = all & !(strip.head | tails[row]);
                    let places = singles(word).map(|fox| row * columns + OneFox::column(empty, fox) as usize);
                    places.for_each(|place| ends[place] = end);
                });
            }
        }
        io::Result::Ok(())
    })?;
    Ok(ends)
}

/// Turns the ends from where a fox stops into those after a jump there, where the fox may or must jump on.
fn land(level: &LevelView<'_, OneFox>, ends: &mut [EndCode], best: &[EndCode]) {
    let rules = level.game.foxes.rules();
    if !rules.chain {
        return;
    }
    parallel::for_each(ends.chunks_mut(CHUNK).zip(best.chunks(CHUNK)), |(ends, best)| {
        for (end, &best) in ends.iter_mut().zip(best) {
            *end = if rules.forced_chain && best != EndCode::NO_JUMP { best } else { best.min(*end) };
        }
    });
}

/// Compresses the low bytes of all codes, then their high bytes, which hardly differ.
fn pack(codes: &[EndCode]) -> io::Result<Box<[u8]>> {
    let low = codes.iter().map(|code| code.0 as u8);
    let bytes: Vec<u8> = low.chain(codes.iter().map(|code| (code.0 >> 8) as u8)).collect();
    // A boxed slice gives back the compressor's spare capacity.
    zstd::bulk::compress(&bytes, COMPRESSION_LEVEL).map(Vec::into_boxed_slice)
}

fn unpack(packed: &[u8], codes: &mut [EndCode]) -> io::Result<()> {
    let bytes = zstd::bulk::decompress(packed, 2 * codes.len())?;
    let (low, high) = bytes.split_at(codes.len());
    for ((code, &low), &high) in codes.iter_mut().zip(low).zip(high) {
        *code = EndCode(u16::from_le_bytes([low, high]));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fox_side_likes_low_codes() {
        let farthest = TableEntry::MAX_DISTANCE as u16;
        let rising = [
            EndCode::won(Side::Fox, 0),
            EndCode::won(Side::Fox, farthest),
            EndCode::DRAW,
            EndCode::won(Side::Geese, farthest),
            EndCode::won(Side::Geese, 0),
            EndCode::NO_JUMP,
        ];
        assert!(rising.is_sorted_by(|one, next| one < next));
        for (winner, plies) in [(Side::Fox, 0), (Side::Fox, farthest), (Side::Geese, 0), (Side::Geese, farthest)] {
            assert_eq!(EndCode::won(winner, plies).decided(), Some((winner, plies)));
            assert_eq!(EndCode::of(TableEntry::won(winner, plies.into())), EndCode::won(winner, plies));
        }
        assert_eq!([EndCode::DRAW, EndCode::NO_JUMP, EndCode::of(TableEntry::DRAW)].map(EndCode::decided), [None; 3]);
    }
}
