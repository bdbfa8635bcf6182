//! Peg solitaire under the battery.

use reynard_engine::geometry::{Symmetry, Word, symmetries};
use reynard_engine::rules::Notation;
use reynard_engine::rules::solitaire::{Position, Ruleset, Solitaire};

use super::{Subject, run};

impl<W: Word> Subject for Solitaire<W> {
    fn image_texts(&self, position: &Position<W>) -> Vec<String> {
        let keeps_target = |symmetry: &Symmetry| symmetry.set(self.target()) == self.target();
        let image = |symmetry: &Symmetry| self.position_text(&Position { pegs: symmetry.set(position.pegs) });
        symmetries(self.board()).iter().filter(|symmetry| keeps_target(symmetry)).map(image).collect()
    }

    /// Every move takes a peg.
    fn always_ends(&self) -> bool {
        true
    }

    fn broken_texts(&self, text: &str) -> Vec<String> {
        let mut texts = vec![text.replacen('/', "", 1), format!("1{text}"), format!("{text} first=1")];
        texts.extend([text.replacen('P', "G", 1), text.replace(" p", " g"), text.replace(" p", "")]);
        texts
    }
}

pub const SWITCHED: &[(&str, &str)] = &[
    ("solitaire", "vacancy=c7"),
    ("solitaire", "target=any_single_peg"),
    ("solitaire", "vacancy=17,16,18"),
    ("solitaire", "target=c7,e7,d1"),
    ("solitaire", "start=d4,d5,d3,c4,e4 target=d6"),
    ("solitaire", "board=grid(6,6) vacancy=c3"),
    ("solitaire", "board=grid(10,10) start=a1,b1,c2,c3,d3,j10,i10,h9,h8,f5,f6,e5"),
    ("solitaire-french", "vacancy=d3 target=d5"),
];

pub fn check(name: &str, switches: &[(String, String)], context: &str, games: usize) {
    let ruleset = Ruleset::from_catalog(name, switches).unwrap_or_else(|error| panic!("{error}"));
    if ruleset.is_wide() {
        run(&Solitaire::<u128>::new(&ruleset), context, games)
    } else {
        run(&Solitaire::<u64>::new(&ruleset), context, games)
    }
}
