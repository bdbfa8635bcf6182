//! Proofs that a target cannot be reached, in a form that can be checked.

use super::pagoda::Pagoda;

/// Why a target is out of reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Every jump changes the pegs on these holes by an even number, and start and target differ by an odd one.
    Class {
        /// By their numbers in the solver.
        holes: Vec<u8>,
    },
    /// No jump raises the weight of the pegs, and the start weighs less than the target.
    Pagoda {
        /// The weights.
        pagoda: Pagoda,
        /// The weight of the start.
        start: i32,
        /// The weight of the target.
        target: i32,
    },
    /// Everything was tried: that many positions were looked at.
    Search {
        /// How many.
        positions: u64,
    },
}

impl Proof {
    /// How it was proved, in one word: `class`, `pagoda` or `search`.
    pub fn kind(&self) -> &'static str {
        match self {
            Proof::Class { .. } => "class",
            Proof::Pagoda { .. } => "pagoda",
            Proof::Search { .. } => "search",
        }
    }

    /// The proof for people, who can check it; `name` tells what a hole is called.
    pub fn text(&self, name: impl Fn(u8) -> String) -> String {
        match self {
            Proof::Class { holes } => {
                let holes: Vec<String> = holes.iter().map(|&hole| name(hole)).collect();
                format!("class: no jump changes whether the pegs on {} are odd or even in number", holes.join(" "))
            }
            Proof::Pagoda { pagoda, start, target } => {
                let weights = pagoda.weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
                let weights: Vec<String> =
                    weights.map(|(hole, weight)| format!("{}={weight}", name(hole as u8))).collect();
                let weights = weights.join(" ");
                format!(
                    "pagoda: no jump raises the weight of the pegs, it is {start}, the target's {target}: {weights}"
                )
            }
            Proof::Search { positions } => format!("search: {positions} positions"),
        }
    }
}
