//! The Game under the battery.

use reynard_engine::rules::Notation;
use reynard_engine::rules::thegame::{Position, Ruleset, TheGame};

use super::{Subject, joined_ones, run};

impl<const N: usize> Subject for TheGame<N> {
    /// The mirror in the diagonal from a1 keeps the rules of boards whose squares it maps on themselves.
    fn image_texts(&self, position: &Position) -> Vec<String> {
        let rules = self.info().rules;
        let names = |key: &str| serde_json::from_value::<Vec<String>>(rules[key].clone()).expect("names");
        let (basis, blocked) = (names("basis"), names("blocked"));
        let is_kept = basis.iter().all(|name| mirrored(name) == *name)
            && blocked.iter().all(|name| blocked.contains(&mirrored(name)));
        if is_kept { vec![image(&self.position_text(position))] } else { Vec::new() }
    }

    fn broken_texts(&self, text: &str) -> Vec<String> {
        let mut texts = vec![text.replacen('/', "", 1), format!("{text} first=1"), format!("1{text}")];
        texts.extend([text.replacen(" a ", " c ", 1), text.replacen(" hand=", " hands=", 1)]);
        texts.extend([text.replacen("basis=", "basis=,", 1), text.replacen('A', "F", 1), text.replacen('(', "", 1)]);
        texts
    }
}

/// File and rank of a square's name exchanged.
fn mirrored(name: &str) -> String {
    let (file, rank) = (name.as_bytes()[0] - b'a', name[1..].parse::<u8>().expect("a rank"));
    format!("{}{}", char::from(b'a' + rank - 1), file + 1)
}

fn image(text: &str) -> String {
    let (placement, rest) = text.split_once(' ').expect("a placement");
    let ranks: Vec<Vec<String>> = placement.split('/').rev().map(cells).collect();
    let row = |file: usize| joined_ones(&ranks.iter().map(|rank| rank[file].as_str()).collect::<String>());
    let rows: Vec<String> = (0..ranks.len()).rev().map(row).collect();
    format!("{} {rest}", rows.join("/"))
}

/// The squares of a row: pieces, stacks, and `1` for each empty one.
fn cells(row: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut rest = row;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' => rest.find(')').expect("a closed stack") + 1,
            '0'..='9' => rest.bytes().take_while(u8::is_ascii_digit).count(),
            _ => 1,
        };
        let (token, tail) = rest.split_at(length);
        match token.parse::<usize>() {
            Ok(run) => cells.extend(vec!["1".to_string(); run]),
            Err(_) => cells.push(token.to_string()),
        }
        rest = tail;
    }
    cells
}

pub const SWITCHED: &[(&str, &str)] = &[
    ("the-game", "size=5"),
    ("the-game", "size=5 first=player_2"),
    ("the-game", "size=16 blocked=d4,d5,h8,j10"),
    ("the-game", "size=11 basis=a6,k6"),
    ("the-game", "blocked=c3,f6 basis=b2,g7"),
    ("the-game", "size=5 min_steps=3"),
    ("the-game", "size=6 distinct_route=true"),
    ("the-game", "size=6 stack_limit=1"),
    ("the-game", "size=6 basis_limit=1"),
    ("the-game", "size=6 entry=any_turn"),
    ("the-game", "size=6 basis_duty=leaving_first"),
    ("the-game", "size=6 return_to_basis=until_all_entered"),
    ("the-game", "size=6 immobile_loses=true"),
    ("the-game", "size=6 repetition=none"),
    ("the-game-horn", "size=5"),
    ("the-game-horn", "size=9 immobile_loses=false"),
    ("the-game-2010", "size=5"),
    ("the-game-2010", "size=12 min_steps=2"),
];

pub fn check(name: &str, switches: &[(String, String)], context: &str, games: usize) {
    let ruleset = Ruleset::from_catalog(name, switches).unwrap_or_else(|error| panic!("{error}"));
    if ruleset.is_wide() {
        run(&TheGame::<4>::new(&ruleset), context, games)
    } else {
        run(&TheGame::<1>::new(&ruleset), context, games)
    }
}
