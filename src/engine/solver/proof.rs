//! Proofs that a target cannot be reached, in a form that people can check.

use super::problem::{PegBoard, PegProblem, bit, holes};
use crate::geometry::{Point, Word};

/// Why a target is out of reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Every jump changes the pegs on these holes by an even number, and start and target differ by an odd one.
    Class {
        /// The holes of the set, lowest first.
        holes: Vec<Point>,
    },
    /// No jump raises the weight of the pegs, but the target weighs more than the start.
    Pagoda {
        /// The holes whose weight is not 0.
        weights: Vec<(Point, i32)>,
        /// The weight of the start's pegs.
        start: i32,
        /// The weight of the target's pegs.
        target: i32,
    },
    /// A search tried every line.
    Search {
        /// The number of positions that the search visited.
        positions: u64,
    },
    /// None of several targets can be reached; those that look the same from the start are named once.
    Each {
        /// The holes of each target, and why it is out of reach.
        proofs: Vec<(Vec<Point>, Proof)>,
    },
}

impl Proof {
    /// The proof for several targets from those for each; a single one stands for itself.
    pub(super) fn of_all(mut proofs: Vec<(Vec<Point>, Proof)>) -> Proof {
        match proofs.pop() {
            Some((_, only)) if proofs.is_empty() => only,
            last => Proof::Each { proofs: proofs.into_iter().chain(last).collect() },
        }
    }

    /// The kind of proof in one word: `class`, `pagoda`, `search`, or `each` for several targets.
    pub fn kind(&self) -> &'static str {
        match self {
            Proof::Class { .. } => "class",
            Proof::Pagoda { .. } => "pagoda",
            Proof::Search { .. } => "search",
            Proof::Each { .. } => "each",
        }
    }

    /// The proof as text that people can check; `name` gives the name of a hole.
    pub fn text(&self, name: &dyn Fn(Point) -> String) -> String {
        match self {
            Proof::Class { holes } => {
                let holes: Vec<String> = holes.iter().map(|&hole| name(hole)).collect();
                format!("class: no jump changes whether the pegs on {} are odd or even in number", holes.join(" "))
            }
            Proof::Pagoda { weights, start, target } => {
                let weights: Vec<String> =
                    weights.iter().map(|&(hole, weight)| format!("{}={weight}", name(hole))).collect();
                let weights = weights.join(" ");
                format!(
                    "pagoda: no jump raises the weight of the pegs, it is {start}, the target's {target}: {weights}"
                )
            }
            Proof::Search { positions } => format!("search: {positions} positions"),
            Proof::Each { proofs } => {
                let one = |(holes, proof): &(Vec<Point>, Proof)| {
                    let holes: Vec<String> = holes.iter().map(|&hole| name(hole)).collect();
                    format!("{}: {}", holes.join(" "), proof.text(name))
                };
                proofs.iter().map(one).collect::<Vec<_>>().join("; ")
            }
        }
    }
}

/// A short proof that the problem has no solution, if there is one.
pub(super) fn refutation<W: Word>(problem: &PegProblem<W>) -> Option<Proof> {
    let PegProblem { board, start, target, .. } = problem;
    if let Some(class) = position_class(board, *start, *target) {
        return Some(Proof::Class { holes: holes(class).map(|hole| board.point(hole)).collect() });
    }
    let pagoda = Pagoda::refuting(board, *start, *target)?;
    let weights = pagoda.weights.iter().zip(&board.points).filter(|&(&weight, _)| weight != 0);
    Some(Proof::Pagoda {
        weights: weights.map(|(&weight, &point)| (point, weight)).collect(),
        start: pagoda.worth(*start),
        target: pagoda.worth(*target),
    })
}

/// A set of holes that every jump changes in none or two of its holes and that holds an odd number of pegs in one of
/// two positions and an even number in the other: then neither can be reached from the other.
///
/// A jump empties two holes and fills one, so it changes the parity of a set of holes by the number of its three holes
/// in that set. The sets that every jump meets in an even number of holes (two or none) keep their parity for ever.
/// On the square grid they are Reiss's two three-colourings by diagonals (Reiss 1857; Suremain de Missery before him;
/// Beasley, The Ins and Outs of Peg Solitaire, chapter 4); for any graph they are found by elimination modulo 2.
pub(super) fn position_class<W: Word>(board: &PegBoard<W>, start: W, target: W) -> Option<W> {
    let difference = start ^ target;
    let is_odd = |set: &W| (*set & difference).count_ones() % 2 == 1;
    kept_parities(board).into_iter().filter(is_odd).min_by_key(|set| set.count_ones())
}

/// A basis of the sets in which every jump changes an even number of holes.
fn kept_parities<W: Word>(board: &PegBoard<W>) -> Vec<W> {
    let mut rows: Vec<(W, u8)> = Vec::new();
    for jump in &board.jumps {
        let mut row = jump.iter().fold(W::ZERO, |set, &hole| set | bit(hole));
        for &(other, pivot) in &rows {
            if row & bit(pivot) != W::ZERO {
                row = row ^ other;
            }
        }
        let Some(pivot) = holes(row).next() else { continue };
        for (other, _) in &mut rows {
            if *other & bit(pivot) != W::ZERO {
                *other = *other ^ row;
            }
        }
        rows.push((row, pivot));
    }
    let is_free = |&hole: &u8| rows.iter().all(|&(_, pivot)| pivot != hole);
    let basis = |free: u8| {
        let forced = rows.iter().filter(|(row, _)| *row & bit(free) != W::ZERO);
        forced.fold(bit(free), |set, &(_, pivot)| set | bit(pivot))
    };
    (0..board.holes() as u8).filter(is_free).map(basis).collect()
}

/// A pagoda function: a whole weight for each hole, such that the first two holes of every jump together weigh at least
/// as much as the third.
///
/// The weight of all pegs never rises by a jump, so that a target that weighs more than the start is out of reach. The
/// idea is Conway and Boardman's (Berlekamp, Conway, Guy, Winning Ways, chapter 23; Beasley, chapter 5). A function
/// that refutes a problem, if there is one, is found by linear programming, with a small dense simplex method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pagoda {
    /// The weight of every hole.
    pub weights: Vec<i32>,
}

/// The largest denominator that is tried to make the weights whole.
const MAX_DENOMINATOR: i32 = 240;

impl Pagoda {
    /// The sum of the weights of a set of holes.
    pub(super) fn worth<W: Word>(&self, set: W) -> i32 {
        holes(set).map(|hole| self.weights[usize::from(hole)]).sum()
    }

    /// Whether no jump of the board raises the weight of the pegs.
    fn holds(&self, jumps: &[[u8; 3]]) -> bool {
        let weight = |hole: u8| self.weights[usize::from(hole)];
        jumps.iter().all(|&[from, over, to]| weight(from) + weight(over) >= weight(to))
    }

    /// The function that gives each hole's weight to its image.
    pub(super) fn image(&self, map: &[u8]) -> Self {
        let mut weights = vec![0; self.weights.len()];
        for (&weight, &hole) in self.weights.iter().zip(map) {
            weights[usize::from(hole)] = weight;
        }
        Pagoda { weights }
    }

    /// A function that proves that `target` cannot be reached from `start`, if there is one.
    pub(super) fn refuting<W: Word>(board: &PegBoard<W>, start: W, target: W) -> Option<Self> {
        let weights = real_weights(board, start, target)?;
        let proves = |pagoda: &Pagoda| pagoda.holds(&board.jumps) && pagoda.worth(start) < pagoda.worth(target);
        (1..=MAX_DENOMINATOR).filter_map(|scale| whole(&weights, f64::from(scale))).find(proves)
    }
}

/// The weights times `scale`, if all of these are whole.
fn whole(weights: &[f64], scale: f64) -> Option<Pagoda> {
    let near = weights.iter().all(|weight| (weight * scale - (weight * scale).round()).abs() < 1e-6);
    near.then(|| Pagoda { weights: weights.iter().map(|weight| (weight * scale).round() as i32).collect() })
}

const EPSILON: f64 = 1e-9;
/// Pivots by steepest descent, which can run in circles on degenerate programs; after that Bland's rule, which cannot,
/// takes over.
const PATIENCE: usize = 300;
/// The most pivots, more than any board needs; giving up is safe.
const MAX_PIVOTS: usize = 5_000;

/// Real weights by which `start` weighs less than `target` though no jump raises the weight, if there are any.
///
/// The linear program asks how often each jump must be made to turn `start` into `target`, without regard to order and
/// holes. That is the first phase of the simplex method; when it fails, its prices are the weights (Farkas's lemma).
fn real_weights<W: Word>(board: &PegBoard<W>, start: W, target: W) -> Option<Vec<f64>> {
    let mut tableau = Tableau::new(board, start, target);
    tableau.minimise()?;
    (tableau.rows[tableau.holes][tableau.right()] < -1e-6).then(|| tableau.weights())
}

/// A simplex tableau: a row for each hole, then that of reduced costs; columns for jumps, artificial variables, right
/// side.
struct Tableau {
    holes: usize,
    jumps: usize,
    rows: Vec<Vec<f64>>,
    basis: Vec<usize>,
    /// The signs by which the rows were multiplied so that the right side is not negative.
    signs: Vec<f64>,
}

impl Tableau {
    fn new<W: Word>(board: &PegBoard<W>, start: W, target: W) -> Self {
        let holes = board.holes();
        let jumps = board.jumps.len();
        let worth = |set: W, hole: usize| f64::from(u8::from(set & bit(hole as u8) != W::ZERO));
        let surplus = |hole: usize| worth(start, hole) - worth(target, hole);
        let signs: Vec<f64> = (0..holes).map(|hole| if surplus(hole) < 0.0 { -1.0 } else { 1.0 }).collect();
        let mut rows = vec![vec![0.0; jumps + holes + 1]; holes + 1];
        for (column, &[from, over, to]) in board.jumps.iter().enumerate() {
            for (hole, amount) in [(from, 1.0), (over, 1.0), (to, -1.0)] {
                rows[usize::from(hole)][column] = amount * signs[usize::from(hole)];
            }
        }
        for hole in 0..holes {
            rows[hole][jumps + hole] = 1.0;
            rows[hole][jumps + holes] = surplus(hole).abs();
        }
        for column in (0..jumps).chain([jumps + holes]) {
            rows[holes][column] = -rows[..holes].iter().map(|row| row[column]).sum::<f64>();
        }
        Tableau { holes, jumps, rows, basis: (jumps..jumps + holes).collect(), signs }
    }

    fn right(&self) -> usize {
        self.jumps + self.holes
    }

    /// Pivots until no column improves the solution; `None` if that takes too long.
    fn minimise(&mut self) -> Option<()> {
        for pivots in 0..MAX_PIVOTS {
            let Some(column) = self.entering(pivots < PATIENCE) else { return Some(()) };
            let row = self.leaving(column)?;
            self.pivot(row, column);
        }
        None
    }

    fn entering(&self, steepest: bool) -> Option<usize> {
        let costs = &self.rows[self.holes][..self.jumps];
        let mut promising = (0..self.jumps).filter(|&column| costs[column] < -EPSILON);
        if steepest { promising.min_by(|&a, &b| costs[a].total_cmp(&costs[b])) } else { promising.next() }
    }

    fn leaving(&self, column: usize) -> Option<usize> {
        let right = self.right();
        let ratio = |&row: &usize| self.rows[row][right] / self.rows[row][column];
        let bounding = (0..self.holes).filter(|&row| self.rows[row][column] > EPSILON);
        bounding.min_by(|a, b| ratio(a).total_cmp(&ratio(b)).then(self.basis[*a].cmp(&self.basis[*b])))
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let scale = 1.0 / self.rows[row][column];
        let mut pivot = std::mem::take(&mut self.rows[row]);
        pivot.iter_mut().for_each(|entry| *entry *= scale);
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[column];
            if factor != 0.0 {
                other.iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
            }
        }
        self.rows[row] = pivot;
        self.basis[row] = column;
    }

    /// The prices of the holes with the sign of a pagoda function.
    fn weights(&self) -> Vec<f64> {
        let price = |hole: usize| self.rows[self.holes][self.jumps + hole] - 1.0;
        (0..self.holes).map(|hole| price(hole) * self.signs[hole]).collect()
    }
}
