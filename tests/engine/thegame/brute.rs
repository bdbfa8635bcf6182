//! The Game played slowly, straight from the words of the rules: routes are listed one by one, stacks are letters.

use std::collections::{BTreeMap, BTreeSet};

/// File and rank, from zero.
type Place = (i32, i32);

/// What the variants say otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    pub size: i32,
    pub basis: [Place; 2],
    pub blocked: Vec<Place>,
    pub is_horn: bool,
    pub is_2010: bool,
}

impl Variant {
    pub fn new(name: &str, size: i32, blocked: &[Place]) -> Self {
        Variant {
            size,
            basis: [(0, 0), (size - 1, size - 1)],
            blocked: blocked.to_vec(),
            is_horn: name.ends_with("horn"),
            is_2010: name.ends_with("2010"),
        }
    }
}

/// A position: stacks bottom to top, of `A` and `B`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slow {
    pub variant: Variant,
    pub stacks: BTreeMap<Place, String>,
    pub turn: usize,
    pub hand: [u32; 2],
    pub turns: [u32; 2],
    pub counter: [u32; 2],
}

fn name((file, rank): Place) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Slow {
    pub fn start(variant: &Variant) -> Self {
        let (hand, none) = ([5; 2], [0; 2]);
        Slow { variant: variant.clone(), stacks: BTreeMap::new(), turn: 0, hand, turns: none, counter: none }
    }

    fn letter(side: usize) -> char {
        ['A', 'B'][side]
    }

    fn stack(&self, place: Place) -> &str {
        self.stacks.get(&place).map_or("", String::as_str)
    }

    fn count(&self, side: usize, place: Place) -> usize {
        self.stack(place).chars().filter(|&piece| piece == Slow::letter(side)).count()
    }

    fn is_on_board(&self, (file, rank): Place) -> bool {
        let inside = |n: i32| (0..self.variant.size).contains(&n);
        inside(file) && inside(rank) && !self.variant.blocked.contains(&(file, rank))
    }

    /// Where routes from `start` lead for the side to move.
    fn route_ends(&self, start: Place) -> BTreeSet<Place> {
        let mut ends = BTreeSet::new();
        self.extend_route(&mut vec![start], None, 0, &mut ends);
        ends
    }

    fn extend_route(&self, route: &mut Vec<Place>, last: Option<Place>, changes: u32, ends: &mut BTreeSet<Place>) {
        let (file, rank) = route[route.len() - 1];
        for step in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
            let next = (file + step.0, rank + step.1);
            let changes = changes + u32::from(last.is_some_and(|last| last != step));
            if changes > 2 || next == route[0] || !self.is_on_board(next) {
                continue;
            }
            if self.variant.is_horn && route.contains(&next) {
                continue;
            }
            let steps = route.len();
            if (steps == 5 || self.variant.is_2010) && self.may_land(next) {
                ends.insert(next);
            }
            if steps < 5 && self.stack(next).is_empty() {
                route.push(next);
                self.extend_route(route, Some(step), changes, ends);
                route.pop();
            }
        }
    }

    fn may_land(&self, place: Place) -> bool {
        let (me, foe) = (self.turn, 1 - self.turn);
        let is_home = place == self.variant.basis[me];
        if self.count(foe, place) >= 2 {
            return false;
        }
        if self.variant.is_horn && (self.count(me, place) >= 2 || (is_home && self.count(me, place) >= 1)) {
            return false;
        }
        !(self.variant.is_2010 && is_home && self.hand[me] == 0)
    }

    fn entries(&self) -> Vec<String> {
        let home = self.variant.basis[self.turn];
        if self.hand[self.turn] == 0 || self.count(1 - self.turn, home) > 0 {
            return Vec::new();
        }
        self.route_ends(home).into_iter().map(|end| format!("@{}", name(end))).collect()
    }

    /// Moves of pieces on the board that lie on top.
    fn walks(&self) -> Vec<(Place, Place)> {
        let mine = |stack: &String| stack.ends_with(Slow::letter(self.turn));
        let sources = self.stacks.iter().filter(|(_, stack)| mine(stack)).map(|(&place, _)| place);
        sources.flat_map(|from| self.route_ends(from).into_iter().map(move |to| (from, to))).collect()
    }

    /// Every legal move, sorted; empty when the game is over.
    pub fn moves(&self) -> Vec<String> {
        if self.is_won() {
            return Vec::new();
        }
        let text = |(from, to): &(Place, Place)| name(*from) + &name(*to);
        let (entries, walks) = (self.entries(), self.walks());
        let leaving: Vec<_> = walks.iter().filter(|(from, _)| *from == self.variant.basis[self.turn]).collect();
        let must_leave = self.counter[self.turn] == 3 && !leaving.is_empty();
        let is_entry_turn = self.turns[self.turn] < 5;
        let mut moves: Vec<String> = if is_entry_turn && !self.variant.is_2010 && !entries.is_empty() {
            entries
        } else if must_leave {
            leaving.into_iter().map(text).collect()
        } else {
            walks.iter().map(text).chain(entries).collect()
        };
        if moves.is_empty() {
            moves.push("pass".into());
        }
        moves.sort();
        moves
    }

    /// Whether the player who has just moved has won.
    pub fn is_won(&self) -> bool {
        let (loser, winner) = (self.turn, 1 - self.turn);
        let goal = self.variant.basis[loser];
        if self.count(winner, goal) > 0 && self.count(loser, goal) == 0 {
            return true;
        }
        let losing: Vec<&String> = self.stacks.values().filter(|stack| stack.contains(Slow::letter(loser))).collect();
        let all_under = losing.iter().all(|stack| stack.ends_with(Slow::letter(winner)));
        self.variant.is_horn && !losing.is_empty() && all_under && self.entries().is_empty()
    }

    pub fn play(&mut self, mv: &str) {
        let me = self.turn;
        let home = self.variant.basis[me];
        let held = self.count(me, home) > 0;
        let (from, to) = self.ends(mv);
        if let Some(from) = from {
            let mut stack = self.stacks.remove(&from).expect("a piece to move");
            stack.pop();
            if !stack.is_empty() {
                self.stacks.insert(from, stack);
            }
        } else if to.is_some() {
            self.hand[me] -= 1;
        }
        if let Some(to) = to {
            self.land(to);
        }
        self.turns[me] = (self.turns[me] + 1).min(5);
        let quiet = from != Some(home) && to != Some(home);
        let still_held = held && self.count(me, home) > 0 && quiet;
        self.counter[me] = if still_held { (self.counter[me] + 1).min(3) } else { 0 };
        if self.count(1 - me, self.variant.basis[1 - me]) == 0 {
            self.counter[1 - me] = 0;
        }
        self.turn = 1 - me;
    }

    fn land(&mut self, to: Place) {
        let (mine, theirs) = (Slow::letter(self.turn), Slow::letter(1 - self.turn));
        let stack = self.stacks.entry(to).or_default();
        stack.push(mine);
        if stack.len() == 3 && stack.contains(theirs) {
            stack.retain(|piece| piece == mine);
        }
    }

    /// Origin and end of a move text.
    fn ends(&self, mv: &str) -> (Option<Place>, Option<Place>) {
        let place = |text: &str| {
            let rank: i32 = text[1..].parse().expect("a rank");
            (i32::from(text.as_bytes()[0] - b'a'), rank - 1)
        };
        let second = mv.rfind(|letter: char| letter.is_ascii_lowercase()).expect("a letter");
        match (mv, mv.strip_prefix('@')) {
            ("pass", _) => (None, None),
            (_, Some(to)) => (None, Some(place(to))),
            _ => (Some(place(&mv[..second])), Some(place(&mv[second..]))),
        }
    }

    pub fn text(&self) -> String {
        let row = |rank: i32| {
            let cell = |file: i32| match self.stack((file, rank)) {
                "" => ".".to_string(),
                one if one.len() == 1 => one.to_string(),
                stack => format!("({stack})"),
            };
            runs(&(0..self.variant.size).map(cell).collect::<String>())
        };
        let rows: Vec<String> = (0..self.variant.size).rev().map(row).collect();
        let pair = |[a, b]: [u32; 2]| format!("{a},{b}");
        let turn = ["a", "b"][self.turn];
        let (hand, turns, basis) = (pair(self.hand), pair(self.turns), pair(self.counter));
        format!("{} {turn} hand={hand} turns={turns} basis={basis}", rows.join("/"))
    }
}

/// `..A.` becomes `2A1`.
fn runs(row: &str) -> String {
    let mut text = String::new();
    let mut run = 0;
    for letter in row.chars().chain(['!']) {
        if letter == '.' {
            run += 1;
            continue;
        }
        if run > 0 {
            text += &run.to_string();
        }
        run = 0;
        text.push(letter);
    }
    text.trim_end_matches('!').to_string()
}
