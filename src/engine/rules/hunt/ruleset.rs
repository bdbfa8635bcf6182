//! The keys of a hunt ruleset: names, values, defaults, some of which depend on other keys, and consistency checks.

use std::collections::BTreeMap;
use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Hunt, Side};
use crate::geometry::PointSet;
use crate::rules::ruleset::{
    self, Family, FamilyRules, Number, NumberByPoint, NumberOrAuto, OneOrMany, Plain, PointList, Points, RefusedKey,
    RulesetBoard, key_enum, refuse_if,
};
use crate::rules::{Game, Notation, Outcome};

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
    /// Where the fox side stands at the start: `centre`, `choose` or a list of points; pieces beyond these points are
    /// placed by choice.
    pub fox_start: FoxStart,
    /// Where the fox side may be placed by choice: `any`, `fortress` or a list of points.
    pub fox_zone: FoxZone,
    /// Where the geese stand at the start: the number of a set-up of the 33-point cross, of which 22 moves the fox from
    /// the centre to d5, or a list of points.
    pub geese: Geese,
    /// How many geese, from 2, stand at the start on some of these points, at most four; one of a pile steps at a time,
    /// a jump takes one, and a chain never goes straight back over the pile just jumped.
    #[serde(with = "NumberByPoint::<2, 99>")]
    pub piles: BTreeMap<String, u32>,
    /// Whether geese may also step onto a point of `piles` where geese stand.
    pub repile: bool,
    /// Geese in hand, dropped one a turn on empty points before any goose steps.
    #[serde(with = "Number::<0, 199>")]
    pub drops: u32,
    /// The points onto which geese in hand may be dropped; an empty list stands for all.
    #[serde(with = "Points")]
    pub drop_zone: Vec<String>,
    /// Geese that are dropped in the first turn of the geese side; one in every later turn.
    #[serde(with = "Number::<1, 199>")]
    pub first_drops: u32,
    /// When geese in hand are dropped.
    pub drops_rule: DropsRule,
    /// The order in which the pieces in hand of both sides are put on the board.
    pub placing: Placing,
    /// Geese that the fox side takes off the board before anything else, one a ply.
    #[serde(with = "Number::<0, 199>")]
    pub opening_removals: u32,
    /// Which side makes the first move, after any placement.
    pub first: First,
    /// The points that geese may enter; an empty list stands for all.
    #[serde(with = "Points")]
    pub goose_zone: Vec<String>,
    /// Where a goose may step, always along a line; forward is towards higher ranks. An empty list, where all geese are
    /// dropped and none steps, needs `drops`.
    #[serde(with = "OneOrMany::<DirectionName>")]
    pub goose_moves: Vec<DirectionName>,
    /// How geese move where there is a fortress, instead of `goose_moves`. Inside it they step any way and never leave.
    pub attacker_moves: AttackerMoves,
    /// What the fox side may do along diagonal lines.
    pub fox_diagonal: FoxDiagonal,
    /// Whether the fox side takes geese at all.
    pub fox_captures: bool,
    /// How the fox side takes geese.
    pub capture_by: CaptureBy,
    /// How many adjacent geese in an unbroken straight row one jump may pass and take: `one`, `odd`, `any` or numbers.
    pub jump_rows: JumpRows,
    /// How far the fox side steps along a straight line of empty points; 0 for any distance.
    #[serde(with = "Number::<0, 25>")]
    pub fox_range: u32,
    /// Whether a jump may be followed by others in the same turn.
    pub chain: bool,
    /// Whether a jump must be made when there is one.
    pub capture: Capture,
    /// Whether a chain must go on while it can.
    pub forced_chain: bool,
    /// The penalty when the fox side could jump and stepped; it comes before the geese side's own move.
    pub huff: Huff,
    /// Where the geese come from that huffs put on the board.
    pub huff_stock: HuffStock,
    /// Whether stopping a chain early is huffed as well.
    pub huff_partial_chain: bool,
    /// The fox side wins when fewer geese than this are left; `auto` is the fewest that can immobilise a fox somewhere
    /// on the board.
    #[serde(with = "NumberOrAuto")]
    pub fox_wins_below: u32,
    /// What happens to geese without a legal move.
    pub geese_stuck: Stuck,
    /// What happens to a fox side without a legal move.
    pub fox_stuck: Stuck,
    /// Whether the first goose move must be straight forward.
    pub first_move_forward: bool,
    /// What the third occurrence of a position means.
    pub repetition: RepetitionKey,
    /// Plies without a capture, a placement or, where geese can never go back, a forward step of a goose, after which
    /// the game ends; 0 for no such rule.
    pub no_progress: u32,
    /// What the end by `no_progress` means.
    pub no_progress_result: NoProgressResult,
    /// Where the fox side also wins after its ply: `none`, `lowest_rank`, `past_geese` or a list of points.
    pub fox_goal: FoxGoal,
    /// Whether the fox side also wins by standing on the lowest rank after its ply: the older name, and the form in
    /// which it is kept, of the goal `lowest_rank`.
    pub fox_home_wins: bool,
    /// The points of a region that the geese side wins by filling.
    #[serde(with = "Points")]
    pub fortress: Vec<String>,
    /// Which pieces fill the points of the fortress.
    pub fill_rule: FillRule,
    /// The points of a pen: the geese side also wins when all foxes stand there in their turn and no move leads one of
    /// them off these points.
    #[serde(with = "Points")]
    pub pen: Vec<String>,
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
            piles: BTreeMap::new(),
            repile: false,
            drops: 0,
            drop_zone: Vec::new(),
            first_drops: 1,
            drops_rule: DropsRule::BeforeSteps,
            placing: Placing::FoxFirst,
            opening_removals: 0,
            first: First::Geese,
            goose_zone: Vec::new(),
            goose_moves: vec![DirectionName::Forward, DirectionName::ForwardDiagonal, DirectionName::Sideways],
            attacker_moves: AttackerMoves::None,
            fox_diagonal: FoxDiagonal::Full,
            fox_captures: true,
            capture_by: CaptureBy::Jump,
            jump_rows: JumpRows::One,
            fox_range: 1,
            chain: true,
            capture: Capture::Optional,
            forced_chain: false,
            huff: Huff::None,
            huff_stock: HuffStock::Captured,
            huff_partial_chain: false,
            fox_wins_below: 3,
            geese_stuck: Stuck::Lose,
            fox_stuck: Stuck::Lose,
            first_move_forward: false,
            repetition: RepetitionKey::Draw,
            no_progress: 0,
            no_progress_result: NoProgressResult::Draw,
            fox_goal: FoxGoal::None,
            fox_home_wins: false,
            fortress: Vec::new(),
            fill_rule: FillRule::AttackersOnly,
            pen: Vec::new(),
        }
    }
}

key_enum!(
    /// Directions of a goose's step, always along lines.
    DirectionName { Forward, ForwardDiagonal, Sideways, Backward, BackwardDiagonal }
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
    /// What the fox side may do along diagonal lines.
    FoxDiagonal {
        /// Step and jump.
        Full,
        /// Jump only.
        CaptureOnly,
        /// Nothing.
        None,
    }
    /// How a fox takes geese.
    CaptureBy {
        /// By a jump over them.
        Jump,
        /// By a step to a point with a goose on either side, on one straight line; both are taken.
        Intervene,
    }

    /// Whether a possible jump must be made.
    Capture {
        /// It need not.
        Optional,
        /// It must.
        Forced,
    }
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
    /// Where the geese come from that huffs put on the board.
    HuffStock {
        /// From those that have been captured; without any there is no penalty.
        Captured,
        /// From a stock without end.
        Unlimited,
    }
    /// What happens to a side without a legal move.
    Stuck {
        /// It loses.
        Lose,
        /// It passes.
        Pass,
        /// The game is drawn.
        Draw,
    }
    /// What the end by lack of progress means.
    NoProgressResult {
        /// The game is drawn.
        Draw,
        /// The fox side wins: it has survived.
        FoxWins,
        /// The geese side wins.
        GeeseWin,
    }
    /// The order in which pieces in hand are put on the board.
    Placing {
        /// First all foxes; then the geese side drops one a turn, while the foxes already move.
        FoxFirst,
        /// Each side puts one of its pieces on the board in its turn, and moves when it has none in hand.
        Alternate,
        /// First all foxes, then all geese, then the moves.
        FoxThenGeese,
        /// First all geese, then all foxes, then the moves.
        GeeseThenFox,
    }
    /// When geese in hand are dropped.
    DropsRule {
        /// One a turn before any goose steps, unless there is no empty point for it.
        BeforeSteps,
        /// In any turn, instead of a step.
        AnyTurn,
        /// While there are fewer geese on the board than at the start, before the step of the same turn, as far as
        /// there are empty points for them.
        Refill,
    }
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
    /// Which side makes the first move after any placement.
    First { Geese, Fox }
    /// Which pieces fill a fortress.
    FillRule {
        /// Geese alone.
        AttackersOnly,
        /// Pieces of both sides.
        AnyPiece,
    }
);

/// Where the fox side may be placed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", expecting = "expected 'any', 'fortress' or a list of points")]
pub enum FoxZone {
    /// On any empty point.
    Any,
    /// On the points of the fortress.
    Fortress,
    /// On these points.
    #[serde(untagged)]
    Points(#[serde(with = "Points")] Vec<String>),
}

/// The lengths of the rows of geese that a jump takes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", expecting = "expected 'one', 'odd', 'any' or a list of numbers from 1")]
pub enum JumpRows {
    /// A single goose.
    One,
    /// Odd numbers.
    Odd,
    /// Any number.
    Any,
    /// These numbers.
    #[serde(untagged)]
    Lengths(#[serde(with = "OneOrMany::<u32>")] Vec<u32>),
}

impl JumpRows {
    /// Whether a jump over a row of this length is allowed.
    pub(super) fn allows(&self, length: u32) -> bool {
        match self {
            JumpRows::One => length == 1,
            JumpRows::Odd => length % 2 == 1,
            JumpRows::Any => true,
            JumpRows::Lengths(lengths) => lengths.contains(&length),
        }
    }
}

/// Where the fox side wins by standing there after its ply.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", expecting = "expected 'none', 'lowest_rank', 'past_geese' or a list of points")]
pub enum FoxGoal {
    /// Nowhere.
    None,
    /// On the lowest rank; kept as `fox_home_wins`.
    LowestRank,
    /// Where no goose stands on a lower rank than any piece of the fox side.
    PastGeese,
    /// On one of these points.
    #[serde(untagged)]
    Points(#[serde(with = "Points")] Vec<String>),
}

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
    Points(
        #[serde(with = "Points")]
        #[schemars(with = "PointList")]
        Vec<String>,
    ),
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
    const ADDED: &'static [&'static str] = &[
        "pen",
        "opening_removals",
        "capture_by",
        "drops_rule",
        "goose_zone",
        "piles",
        "repile",
        "drop_zone",
        "first_drops",
        "jump_rows",
        "fox_range",
        "placing",
        "huff_stock",
        "fox_stuck",
        "no_progress_result",
        "fox_goal",
    ];

    fn settle(ruleset: &mut Ruleset, _given: &Map<String, Value>) -> Result<(), RefusedKey> {
        ruleset.rules.settle()?;
        ruleset.rules.check_needs()?;
        ruleset.rules.check_fox_side()?;
        ruleset.rules.check_geese_side()?;
        // Only the compiled game tells whether a side has won or is stuck before, or after, the opening's removals.
        let game = Hunt::<u128>::new(ruleset);
        let no_landing = (ruleset.drops > 0 || ruleset.returns_geese()) && game.drop_zone.is_empty();
        let key = if ruleset.drops > 0 { "drop_zone" } else { "huff" };
        refuse_if(no_landing, key, "no goose can ever come: no point for it lies in 'goose_zone' or a full row")?;
        let mut position = game.start();
        while let Some(lowest) = position.owed.first() {
            position = game.after_removal(&position, lowest);
        }
        // A fox side that would lose can take off other geese.
        let is_sure = |over: &Outcome| ruleset.opening_removals == 0 || over.winner == Some(game.seat(Side::Fox));
        if let Some(outcome) = game.turn(&position).outcome().filter(is_sure) {
            let reason = game.info().reason_text(outcome.reason);
            return Err(RefusedKey::new("geese", format!("the game would be over at the start: {reason}")));
        }
        Ok(())
    }
}

impl Rules {
    /// Whether the board needs more than 64 bits.
    pub fn is_wide(&self) -> bool {
        self.board.cells() > 64
    }

    /// Whether foxes step to neighbouring points and jump over single geese only.
    pub fn has_short_moves(&self) -> bool {
        self.jump_rows == JumpRows::One && self.fox_range == 1
    }

    /// Whether huffing puts geese on the board.
    pub(super) fn returns_geese(&self) -> bool {
        matches!(self.huff, Huff::AddGoose | Huff::AddGooseHome)
    }

    /// Whether some piece of the fox side is placed by choice.
    pub fn places_foxes(&self) -> bool {
        self.foxes_by_choice() > 0
    }

    /// Where the foxes stand at the start, without those that are placed by choice.
    pub fn fox_points(&self) -> PointSet<u128> {
        match &self.fox_start {
            FoxStart::Points(names) => self.board.points_named(names),
            FoxStart::Centre | FoxStart::Choose => PointSet::EMPTY,
        }
    }

    /// These rules with fixed values for everything that cannot change the value of a position: set-up, names, plies
    /// before the first goose move, repetition and lack of progress.
    pub fn core(&self) -> Rules {
        // Huffed geese return to the rows that were full at the start, and drops refill the number of the start.
        let needs_start = self.huff == Huff::AddGooseHome || self.drops_rule == DropsRule::Refill;
        Rules {
            fox_side: String::new(),
            geese_side: String::new(),
            fox_start: FoxStart::Choose,
            geese: if needs_start { self.geese.clone() } else { Geese::Points(Vec::new()) },
            first: First::Geese,
            // Positions before the first goose move follow from those after it, unless that move can wait.
            first_move_forward: self.first_move_may_wait(),
            repetition: RepetitionKey::None,
            no_progress: 0,
            no_progress_result: NoProgressResult::Draw,
            placing: Placing::FoxFirst,
            opening_removals: 0,
            ..self.clone()
        }
    }

    /// The hash of [`core`](Rules::core): rulesets with equal hashes give every position the same value.
    pub fn core_fingerprint(&self) -> u64 {
        ruleset::fingerprint(&self.core())
    }

    /// Whether a first goose move that must be straight forward can wait any number of plies, while geese drop or pass.
    pub fn first_move_may_wait(&self) -> bool {
        self.first_move_forward && (self.drops > 0 || self.geese_stuck == Stuck::Pass)
    }
}
