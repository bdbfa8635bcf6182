//! Learns the turns to go of `src/engine/eval/goose.rs`: solves the game of a player who has the table to himself, four
//! counters, and fits sums over the counters to it. Takes some minutes: `cargo bench --bench goose_table`.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::goose::{FINISH, FieldKind, Goose, INN, PRISON, Ruleset, WELL};

const COUNTERS: usize = 4;
/// One in so many turns a prisoner is relieved.
const RELIEF: f64 = 8.0;
const MAX_SWEEPS: usize = 40;
/// Sweeps end when no value changes by so many turns.
const PRECISION: f64 = 0.1;
const GAMES: u32 = 20_000;
const ROUNDS: usize = 6;

/// The fields of the counters, in any order.
type Stand = [u8; COUNTERS];

/// The lone player's game: numbers of stands and their expected turns.
struct Alone {
    game: Goose,
    /// By field: its number among those where counters stay.
    numbers: Vec<usize>,
    binomials: Vec<[usize; COUNTERS + 1]>,
    turns: Vec<f64>,
    stands: Vec<Stand>,
}

fn stays(field: u8) -> bool {
    !matches!(FieldKind::of(field), FieldKind::Goose | FieldKind::Bridge | FieldKind::Maze | FieldKind::Death)
}

fn missed(field: u8) -> f64 {
    match field {
        INN => 1.0,
        WELL => 2.0,
        _ => 0.0,
    }
}

fn distance(stand: Stand) -> f64 {
    stand.iter().map(|&field| f64::from(FINISH - field)).sum::<f64>() / 10.0
}

fn left(stand: Stand) -> usize {
    stand.iter().filter(|&&field| field < FINISH).count()
}

impl Alone {
    fn new(game: Goose) -> Self {
        let fields: Vec<u8> = (0..=FINISH).filter(|&field| stays(field)).collect();
        let mut numbers = vec![0; usize::from(FINISH) + 1];
        fields.iter().enumerate().for_each(|(number, &field)| numbers[usize::from(field)] = number);
        let mut binomials = vec![[1, 0, 0, 0, 0]];
        for n in 0..fields.len() + COUNTERS {
            let mut row = [1; COUNTERS + 1];
            (1..=COUNTERS).for_each(|k| row[k] = binomials[n][k - 1] + binomials[n][k]);
            binomials.push(row);
        }
        let mut stands = Vec::new();
        add_stands(&fields, &mut Vec::new(), &mut stands);
        stands.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
        let mut alone = Alone { game, numbers, binomials, turns: Vec::new(), stands };
        alone.turns = vec![0.0; alone.number([FINISH; COUNTERS]) + 1];
        for stand in alone.stands.clone() {
            let number = alone.number(stand);
            alone.turns[number] = distance(stand);
        }
        alone
    }

    /// The rank of a stand among all multisets of fields.
    fn number(&self, mut stand: Stand) -> usize {
        stand.sort_unstable();
        let ranked = stand.iter().enumerate();
        ranked.map(|(index, &field)| self.binomials[self.numbers[usize::from(field)] + index][index + 1]).sum()
    }

    fn each_use(&self, stand: Stand, die: u8, mut then: impl FnMut(Stand, f64)) {
        for counter in 0..COUNTERS {
            let from = stand[counter];
            if from == FINISH || from == PRISON || stand[..counter].contains(&from) {
                continue;
            }
            let to = self.game.landing(from, die).field;
            let is_taken = (0..COUNTERS).any(|other| other != counter && stand[other] == to);
            if !is_taken || to == 0 || to == FINISH {
                let mut next = stand;
                next[counter] = to;
                then(next, missed(to));
            }
        }
    }

    /// The least value of a turn, and the stand and the missed turns that it leads to.
    fn best(&self, stand: Stand, dice: [u8; 2], value: &impl Fn(Stand) -> f64) -> (f64, Stand, f64) {
        let mut best = (f64::INFINITY, stand, 0.0);
        let mut offer = |stand: Stand, missed: f64| {
            let turns = missed + value(stand);
            if turns < best.0 {
                best = (turns, stand, missed);
            }
        };
        let [one, other] = dice;
        for (first, second) in [(one, other), (other, one)].into_iter().take(if one == other { 1 } else { 2 }) {
            self.each_use(stand, first, |middle, stop| {
                let mut lapses = true;
                if stop == 0.0 {
                    self.each_use(middle, second, |end, stop| {
                        lapses = false;
                        offer(end, stop);
                    });
                }
                if lapses {
                    offer(middle, stop);
                }
            });
        }
        if best.0.is_finite() { best } else { (value(stand), stand, 0.0) }
    }

    /// The stand after somebody's counter has relieved the prisoner, coming from one of the fields before.
    fn relieved(&self, stand: Stand) -> Option<Stand> {
        let prisoner = stand.iter().position(|&field| field == PRISON)?;
        let mut next = stand;
        next[prisoner] = [49, 48, 47, 46].into_iter().find(|field| !stand.contains(field))?;
        Some(next)
    }

    fn after_roll(&self, stand: Stand) -> f64 {
        let known = |stand| self.turns[self.number(stand)];
        let rolls = (1..=6).flat_map(|high| (1..=high).map(move |low| [high, low]));
        let weight = |[high, low]: [u8; 2]| if high == low { 1.0 } else { 2.0 } / 36.0;
        rolls.map(|dice| weight(dice) * self.best(stand, dice, &known).0).sum()
    }

    fn turn(&self, stand: Stand) -> f64 {
        let stays = 1.0 + self.after_roll(stand);
        match self.relieved(stand) {
            Some(free) => (1.0 - 1.0 / RELIEF) * stays + (1.0 + self.after_roll(free)) / RELIEF,
            None => stays,
        }
    }

    fn solve(&mut self) {
        for sweep in 1..=MAX_SWEEPS {
            let mut change: f64 = 0.0;
            for index in 0..self.stands.len() {
                let stand = self.stands[index];
                if left(stand) > 0 {
                    let (turns, number) = (self.turn(stand), self.number(stand));
                    change = change.max((turns - self.turns[number]).abs());
                    self.turns[number] = turns;
                }
            }
            println!("sweep {sweep}: {:.3} turns from the start, change {change:.3}", self.turns[0]);
            if change < PRECISION {
                break;
            }
        }
    }

    /// Mean turns of many games by a value of stands; counts the stands that are met.
    fn play(&self, value: &impl Fn(Stand) -> f64, met: &mut [f64]) -> f64 {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        (0..GAMES).map(|_| self.play_once(value, met, &mut rng)).sum::<f64>() / f64::from(GAMES)
    }

    fn play_once<R: Rng>(&self, value: &impl Fn(Stand) -> f64, met: &mut [f64], rng: &mut R) -> f64 {
        let (mut stand, mut turns) = ([0; COUNTERS], 0.0);
        while left(stand) > 0 {
            met[self.number(stand)] += 1.0;
            if let Some(free) = self.relieved(stand).filter(|_| rng.random::<f64>() < 1.0 / RELIEF) {
                stand = free;
            }
            let dice = [rng.random_range(1..=6), rng.random_range(1..=6)];
            let (_, next, missed) = self.best(stand, dice, value);
            (stand, turns) = (next, turns + 1.0 + missed);
        }
        turns
    }

    /// Weights of stands for the fit: those met, and what the dice can make of them.
    fn weights(&self, met: &[f64]) -> Vec<f64> {
        let mut weights = met.to_vec();
        for &stand in self.stands.iter().filter(|&&stand| met[self.number(stand)] > 0.0) {
            let share = 1.0 + met[self.number(stand)] / 20.0;
            for die in 1..=6 {
                let mut add = |end| weights[self.number(end)] += share;
                self.each_use(stand, die, |middle, _| self.each_use(middle, die % 6 + 1, |end, _| add(end)));
            }
        }
        weights
    }

    /// The sum over the counters nearest to the solution, for stands with so many counters left.
    fn fit(&self, weights: &[f64], counters: usize) -> Vec<f64> {
        let size = usize::from(FINISH);
        let mut system = vec![vec![0.0; size + 1]; size];
        for &stand in self.stands.iter().filter(|&&stand| left(stand) == counters) {
            let number = self.number(stand);
            let weight = weights[number] + 0.01;
            for row in stand.into_iter().filter(|&field| field < FINISH).map(usize::from) {
                stand
                    .iter()
                    .filter(|&&field| field < FINISH)
                    .for_each(|&field| system[row][usize::from(field)] += weight);
                system[row][size] += weight * self.turns[number];
            }
        }
        (0..size).for_each(|index| system[index][index] += 1e-6);
        solve_linear(system)
    }
}

fn add_stands(fields: &[u8], begun: &mut Vec<u8>, stands: &mut Vec<Stand>) {
    if let Ok(stand) = Stand::try_from(begun.as_slice()) {
        stands.push(stand);
        return;
    }
    for &field in fields {
        let is_shared = begun.last() == Some(&field) && field != 0 && field != FINISH;
        if begun.last().is_none_or(|&last| last <= field) && !is_shared {
            begun.push(field);
            add_stands(fields, begun, stands);
            begun.pop();
        }
    }
}

/// Gauss and Jordan; each row ends with its right-hand side.
fn solve_linear(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let size = rows.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, pivot.expect("rows are left"));
        let top = rows[column].clone();
        for (index, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != column) {
            let factor = row[column] / top[column];
            assert!(factor.is_finite(), "column {column}, row {index}");
            row.iter_mut().zip(&top).for_each(|(entry, top)| *entry -= factor * top);
        }
    }
    (0..size).map(|index| rows[index][size] / rows[index][index]).collect()
}

fn main() {
    let ruleset = Ruleset::from_catalog("goose-team", &[]).expect("a catalog ruleset");
    let mut alone = Alone::new(Goose::new(&ruleset));
    println!("{} stands", alone.stands.len());
    alone.solve();
    let mut met = vec![0.0; alone.turns.len()];
    println!("best play: {:.3} turns", alone.play(&|stand| alone.turns[alone.number(stand)], &mut met));
    println!("by distance: {:.3} turns", alone.play(&distance, &mut vec![0.0; alone.turns.len()]));
    let mut table = Vec::new();
    for _ in 0..ROUNDS {
        let weights = alone.weights(&met);
        table = (1..=COUNTERS).map(|counters| alone.fit(&weights, counters)).collect();
        let value = |stand: Stand| -> f64 {
            let row = left(stand).checked_sub(1).map(|row| &table[row]);
            let entry =
                |field: u8| row.map_or(0.0, |row: &Vec<f64>| row.get(usize::from(field)).copied().unwrap_or(0.0));
            stand.into_iter().map(entry).sum()
        };
        let mut seen = vec![0.0; met.len()];
        println!("by the table: {:.3} turns", alone.play(&value, &mut seen));
        met.iter_mut().zip(seen).for_each(|(met, seen)| *met = (*met + seen) / 2.0);
    }
    for row in table {
        println!("{:?}", row.iter().map(|turns| (turns * 100.0).round() as i64).collect::<Vec<_>>());
    }
}
