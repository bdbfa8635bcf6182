//! The keys of a hunt ruleset: names, values, defaults, some of which depend on other keys, and consistency checks.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Hunt;
use crate::geometry::{Board, PointSet};
use crate::rules::ruleset::{
    self, Family, FamilyRules, Number, NumberOrAuto, OneOrMany, Points, RefusedKey, RulesetBoard, key_enum, refuse_if,
};
use crate::rules::{Game, Notation, Turn};

/// A complete and consistent ruleset of the hunt family.
pub type Ruleset = ruleset::Ruleset<Rules>;

/// Every key that decides how the game is played. Points are in board order once the ruleset has been read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Where the game is played.
    pub board: RulesetBoard,
    /// What the fox side is called.
    pub fox_side: String,
    /// What the geese side is called.
    pub geese_side: String,
    /// Pieces of the fox side.
    pub foxes: u32,
    /// Where the fox side stands at the start: `centre`, `choose` or a list of points.
    pub fox_start: FoxStart,
    /// Where the fox side may be placed by choice.
    pub fox_zone: FoxZone,
    /// Where the geese stand at the start: the number of a set-up of the 33-point cross, of which 22 moves the fox from
    /// the centre to d5, or a list of points.
    pub geese: Geese,
    /// Geese in hand, dropped one a turn on empty points before any goose steps.
    #[serde(with = "Number::<0, 199>")]
    pub drops: u32,
    /// Which side makes the first move, after any placement.
    pub first: First,
    /// Where a goose may step, always along a line; forward is towards higher ranks.
    #[serde(with = "OneOrMany::<DirectionName>")]
    pub goose_moves: Vec<DirectionName>,
    /// How geese move where there is a fortress, instead of `goose_moves`. Inside it they step any way and never leave.
    pub attacker_moves: AttackerMoves,
    /// What the fox side may do along diagonal lines.
    pub fox_diagonal: FoxDiagonal,
    /// Whether the fox side jumps at all.
    pub fox_captures: bool,
    /// Whether a jump may be followed by others in the same turn.
    pub chain: bool,
    /// Whether a jump must be made when there is one.
    pub capture: Capture,
    /// Whether a chain must go on while it can.
    pub forced_chain: bool,
    /// The penalty when the fox side could jump and stepped; it comes before the geese side's own move.
    pub huff: Huff,
    /// Whether stopping a chain early is huffed as well.
    pub huff_partial_chain: bool,
    /// The fox side wins when fewer geese than this are left; `auto` is the fewest that can immobilise a fox somewhere
    /// on the board.
    #[serde(with = "NumberOrAuto")]
    pub fox_wins_below: u32,
    /// What happens to geese without a legal move.
    pub geese_stuck: GeeseStuck,
    /// Whether the first goose move must be straight forward.
    pub first_move_forward: bool,
    /// What the third occurrence of a position means.
    pub repetition: RepetitionKey,
    /// Plies without a capture, a placement or, where geese can never go back, a forward step of a goose, after which
    /// the game is drawn; 0 for no such rule.
    pub no_progress: u32,
    /// Whether the fox side also wins by standing on the lowest rank after its ply.
    pub fox_home_wins: bool,
    /// The points of a region that the geese side wins by filling.
    #[serde(with = "Points")]
    pub fortress: Vec<String>,
    /// Which pieces fill the points of the fortress.
    pub fill_rule: FillRule,
}

/// The default rules are those of `masters-15`.
impl Default for Rules {
    fn default() -> Self {
        Rules {
            board: RulesetBoard::default(),
            fox_side: "fox".into(),
            geese_side: "geese".into(),
            foxes: 1,
            fox_start: FoxStart::Centre,
            fox_zone: FoxZone::Any,
            geese: Geese::Number(15),
            drops: 0,
            first: First::Geese,
            goose_moves: vec![DirectionName::Forward, DirectionName::ForwardDiagonal, DirectionName::Sideways],
            attacker_moves: AttackerMoves::None,
            fox_diagonal: FoxDiagonal::Full,
            fox_captures: true,
            chain: true,
            capture: Capture::Optional,
            forced_chain: false,
            huff: Huff::None,
            huff_partial_chain: false,
            fox_wins_below: 3,
            geese_stuck: GeeseStuck::Lose,
            first_move_forward: false,
            repetition: RepetitionKey::Draw,
            no_progress: 0,
            fox_home_wins: false,
            fortress: Vec::new(),
            fill_rule: FillRule::AttackersOnly,
        }
    }
}

key_enum!(
    /// Directions of a goose's step, always along lines.
    DirectionName { Forward, ForwardDiagonal, Sideways, Backward, BackwardDiagonal }
);
key_enum!(
    /// How an attacker of a siege game moves.
    AttackerMoves {
        /// As `goose_moves` says: the game is no siege.
        None,
        /// Straight or diagonally forward, and along the rank towards the fortress where no line leads forward.
        ForwardPlusEdge,
        /// Straight or diagonally forward, or sideways.
        ForwardSideways,
        /// By steps that come nearer to the fortress.
        ShortestPath,
        /// Along any line.
        Any,
    }
);
key_enum!(
    /// What the fox side may do along diagonal lines.
    FoxDiagonal {
        /// Step and jump.
        Full,
        /// Jump only.
        CaptureOnly,
        /// Nothing.
        None,
    }
);
key_enum!(
    /// Whether a possible jump must be made.
    Capture {
        /// It need not.
        Optional,
        /// It must.
        Forced,
    }
);
key_enum!(
    /// The penalty for not jumping.
    Huff {
        /// No penalty.
        None,
        /// The geese side puts a captured goose, if there is one, back on any empty point.
        AddGoose,
        /// The geese side puts a captured goose back on an empty point of the rows that were full of geese at the
        /// start, if it can.
        AddGooseHome,
        /// A piece that could have jumped is taken off, by the geese side's choice when there are several.
        RemoveFox,
    }
);
key_enum!(
    /// What happens when no goose can move.
    GeeseStuck {
        /// They lose.
        Lose,
        /// They pass.
        Pass,
    }
);
key_enum!(
    /// What the third occurrence of a position means for the game.
    RepetitionKey {
        /// The game is drawn.
        Draw,
        /// The geese side loses.
        GeeseLose,
        /// The fox side loses.
        FoxLoses,
        /// The game goes on.
        None,
    }
);
key_enum!(
    /// Which side makes the first move after any placement.
    First { Geese, Fox }
);
key_enum!(
    /// Which pieces fill a fortress.
    FillRule {
        /// Geese alone.
        AttackersOnly,
        /// Pieces of both sides.
        AnyPiece,
    }
);
key_enum!(
    /// Where the fox side may be placed.
    FoxZone {
        /// On any empty point.
        Any,
        /// On the points of the fortress.
        Fortress,
    }
);

/// Where the fox side starts; `Choose` or points once the ruleset has been read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", expecting = "expected 'centre', 'choose' or a list of points")]
pub enum FoxStart {
    /// The centre of the board.
    Centre,
    /// The fox side places its pieces by choice, one a ply, before anything else.
    Choose,
    /// These points.
    #[serde(untagged)]
    Points(#[serde(with = "Points")] Vec<String>),
}

/// The geese at the start; points once the ruleset has been read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected 13, 15, 17, 22 or a list of points")]
pub enum Geese {
    /// A numbered set-up of the 33-point cross.
    Number(#[schemars(extend("enum" = [13, 15, 17, 22]))] u64),
    /// The points on which geese stand.
    Points(#[serde(with = "Points")] Vec<String>),
}

/// A set-up of geese reads as the list of its points.
impl Deref for Geese {
    type Target = [String];

    fn deref(&self) -> &[String] {
        match self {
            Geese::Number(_) => &[],
            Geese::Points(points) => points,
        }
    }
}

impl FamilyRules for Rules {
    const FAMILY: Family = Family::Hunt;
    const ALIASES: &'static [(&'static str, &'static str)] = &[("officers_start", "fox_start")];

    fn settle(ruleset: &mut Ruleset, _given: &Map<String, Value>) -> Result<(), RefusedKey> {
        ruleset.rules.settle()?;
        ruleset.rules.check_fox_side()?;
        ruleset.rules.check_geese_side()?;
        ruleset.rules.check_fortress()?;
        // Only the compiled game can tell whether a side has won, or cannot move, before the game begins.
        let game = Hunt::<u128>::new(ruleset);
        let Turn::Over(outcome) = game.turn(&game.start()) else { return Ok(()) };
        let reason = game.info().reason_text(outcome.reason);
        Err(RefusedKey::new("geese", format!("the game would be over at the start: {reason}")))
    }
}

impl Rules {
    /// Whether the board needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        self.board.cells() > 64
    }

    /// Where the foxes stand at the start; empty when they are placed by choice.
    pub fn fox_points(&self) -> PointSet<u128> {
        match &self.fox_start {
            FoxStart::Points(names) => self.board.points_named(names),
            FoxStart::Centre | FoxStart::Choose => PointSet::EMPTY,
        }
    }

    /// These rules with fixed values for everything that cannot change the value of a position: set-up, names, plies
    /// before the first goose move, repetition and lack of progress.
    pub fn core(&self) -> Rules {
        Rules {
            fox_side: String::new(),
            geese_side: String::new(),
            fox_start: FoxStart::Choose,
            // Huffed geese return to the rows that were full at the start.
            geese: if self.huff == Huff::AddGooseHome { self.geese.clone() } else { Geese::Points(Vec::new()) },
            first: First::Geese,
            // Positions before the first goose move follow from those after it, unless that move can wait.
            first_move_forward: self.first_move_may_wait(),
            repetition: RepetitionKey::None,
            no_progress: 0,
            ..self.clone()
        }
    }

    /// The hash of [`core`](Rules::core): rulesets with equal hashes give every position the same value.
    pub fn core_fingerprint(&self) -> u64 {
        ruleset::fingerprint(&self.core())
    }

    /// Whether a first goose move that must be straight forward can wait any number of plies, while geese drop or pass.
    pub fn first_move_may_wait(&self) -> bool {
        self.first_move_forward && (self.drops > 0 || self.geese_stuck == GeeseStuck::Pass)
    }

    /// Replaces numbers, `centre` and `auto` by their meaning on the board, and sorts the lists.
    fn settle(&mut self) -> Result<(), RefusedKey> {
        let is_22 = matches!(self.geese, Geese::Number(22));
        self.geese = Geese::Points(match &self.geese {
            Geese::Points(names) => self.in_board_order("geese", names)?,
            Geese::Number(number) => numbered_geese(&self.board, *number).ok_or_else(|| {
                let message = format!(
                    "there is no set-up of {number} geese on this board; allowed are 13, 15, 17 and 22 on the 33-point \
                     cross, or a list of points"
                );
                RefusedKey::new("geese", message)
            })?,
        });
        let no_centre = "this board has no centre; a list of points or 'choose' is allowed";
        self.fox_start = match &self.fox_start {
            FoxStart::Choose => FoxStart::Choose,
            FoxStart::Points(names) => FoxStart::Points(self.in_board_order("fox_start", names)?),
            FoxStart::Centre => {
                // The 22 geese cover the centre of the cross.
                let point = if is_22 { self.board.parse("d5") } else { self.board.centre() };
                FoxStart::Points(vec![self.board.name(point.ok_or_else(|| RefusedKey::new("fox_start", no_centre))?)])
            }
        };
        self.goose_moves.sort();
        self.goose_moves.dedup();
        if self.fox_wins_below == 0 {
            self.fox_wins_below = self.board.fewest_to_immobilise();
        }
        self.fortress = self.in_board_order("fortress", &self.fortress)?;
        Ok(())
    }

    /// The names of the points in board order, each of which must be given once.
    fn in_board_order(&self, key: &str, names: &[String]) -> Result<Vec<String>, RefusedKey> {
        let set = self.board.read_points(names).map_err(|message| RefusedKey::new(key, message))?;
        Ok(self.board.names(set))
    }

    /// Refuses contradictions between the keys of the fox side.
    fn check_fox_side(&self) -> Result<(), RefusedKey> {
        let foxes = self.fox_points();
        let geese = self.board.points_named(&self.geese);
        let by_choice = self.fox_start == FoxStart::Choose;
        let zone = match self.fox_zone {
            FoxZone::Any => self.board.all(),
            FoxZone::Fortress => self.board.points_named(&self.fortress),
        };
        let homeless = self.fox_zone == FoxZone::Fortress && self.fortress.is_empty();
        let count = format!("{} point(s) for {} piece(s) of the fox side (key 'foxes')", foxes.len(), self.foxes);
        let covered = format!("{} covered by geese at the start", self.board.names(foxes & geese).join(" "));
        let too_few = "there are too few empty points to place the fox side on";
        refuse_if(self.foxes == 0, "foxes", "at least 1 is needed")?;
        refuse_if(!by_choice && foxes.len() != self.foxes, "fox_start", count)?;
        refuse_if(!foxes.is_disjoint(geese), "fox_start", covered)?;
        refuse_if(homeless, "fox_zone", "'fortress' needs the key 'fortress'")?;
        refuse_if(by_choice && (zone - geese).len() < self.foxes, "fox_start", too_few)?;
        refuse_if(self.forced_chain && !self.chain, "forced_chain", "needs 'chain': true")?;
        let forced = !self.fox_captures && self.capture == Capture::Forced;
        refuse_if(forced, "capture", "'forced' needs 'fox_captures': true")?;
        let huffed = !self.fox_captures && self.huff != Huff::None;
        refuse_if(huffed, "huff", "needs 'fox_captures': true; without jumps only 'none' is allowed")
    }

    /// Refuses contradictions between the keys of the geese side.
    fn check_geese_side(&self) -> Result<(), RefusedKey> {
        let total = self.goose_count();
        let below = self.fox_wins_below;
        let too_many = format!(
            "{below} is more than the {total} pieces of the geese side, so the game would be over at the start"
        );
        let both_use_hand = self.drops > 0 && matches!(self.huff, Huff::AddGoose | Huff::AddGooseHome);
        let stock = "cannot bring geese back in a ruleset with 'drops': both use the stock; 'none' and 'remove_fox' are \
                     allowed";
        let by_directions = self.attacker_moves == AttackerMoves::None;
        let never_forward = self.first_move_forward && !self.goose_moves.contains(&DirectionName::Forward);
        refuse_if(total == 0, "geese", "the geese side needs at least one piece on the board or in 'drops'")?;
        refuse_if(total < below, "fox_wins_below", too_many)?;
        refuse_if(both_use_hand, "huff", stock)?;
        refuse_if(by_directions && never_forward, "first_move_forward", "needs 'forward' among 'goose_moves'")?;
        refuse_if(by_directions && self.goose_moves.is_empty(), "goose_moves", "at least one direction is needed")
    }

    /// Refuses a missing fortress, and one with more points than there are pieces to fill it.
    fn check_fortress(&self) -> Result<(), RefusedKey> {
        let points = self.board.points_named(&self.fortress).len();
        let total = self.goose_count();
        let fillers = if self.fill_rule == FillRule::AnyPiece { self.foxes } else { 0 };
        let homeless = self.attacker_moves != AttackerMoves::None && points == 0;
        let too_large = format!("{points} points can never be filled by {total} pieces");
        refuse_if(homeless, "attacker_moves", "needs the key 'fortress'; without one use 'goose_moves'")?;
        refuse_if(points > total.saturating_add(fillers), "fortress", too_large)
    }

    /// Geese on the board and in hand at the start.
    fn goose_count(&self) -> u32 {
        self.board.points_named(&self.geese).len().saturating_add(self.drops)
    }
}

/// The geese of set-up 13, 15, 17 or 22 on the 33-point cross: the lower arm, the third rank, and further points.
fn numbered_geese(board: &Board, number: u64) -> Option<Vec<String>> {
    let extra: &[&str] = match number {
        13 => &[],
        15 => &["a4", "g4"],
        17 => &["a4", "g4", "a5", "g5"],
        22 => &["a4", "b4", "c4", "d4", "e4", "f4", "g4", "a5", "g5"],
        _ => return None,
    };
    let lower = board.points().iter().filter(|&&point| board.rank(point) < 3).map(|&point| board.name(point));
    is_cross(board).then(|| lower.chain(extra.iter().map(ToString::to_string)).collect())
}

/// Whether the points are those of the 33-point cross, whatever lines join them.
fn is_cross(board: &Board) -> bool {
    let inside = |rank: u8, file: u8| (2..5).contains(&rank) || (2..5).contains(&file);
    (board.width(), board.height()) == (7, 7)
        && (0..7).all(|rank| (0..7).all(|file| board.at(file, rank).is_some() == inside(rank, file)))
}
