//! What the keys of a hunt ruleset mean on its board, and which of them contradict each other.

use super::ruleset::{
    AttackerMoves, Capture, CaptureBy, DirectionName, DropsRule, FillRule, FoxGoal, FoxStart, FoxZone, Geese, Huff,
    HuffStock, JumpRows, NoProgressResult, Placing, RepetitionKey, Rules, Stuck,
};
use crate::geometry::{Board, Point, PointSet, shape};
use crate::rules::jumps::MAX_PILES;
use crate::rules::ruleset::{RefusedKey, refuse_if};

/// The most geese of a game with piles, so that counters of 8 bits suffice even if all stand on one pile.
pub(super) const MOST_PILED: u32 = 99;

impl Rules {
    /// These points, or all where none are named.
    pub(super) fn points_or_all(&self, names: &[String]) -> PointSet<u128> {
        if names.is_empty() { self.board.all() } else { self.board.points_named(names) }
    }

    /// The points on which several geese can stand.
    pub(super) fn pile_points(&self) -> PointSet<u128> {
        self.piles.keys().filter_map(|name| self.board.parse(name)).collect()
    }

    /// Geese beyond one on each point at the start.
    pub(super) fn piled(&self) -> u32 {
        self.piles.values().fold(0, |sum: u32, geese| sum.saturating_add(geese.saturating_sub(1)))
    }

    /// The pieces of the fox side that are placed by choice.
    pub(super) fn foxes_by_choice(&self) -> u32 {
        self.foxes.saturating_sub(self.fox_points().len())
    }

    /// Where the fox side may be placed.
    pub(super) fn placing_zone(&self) -> PointSet<u128> {
        match &self.fox_zone {
            FoxZone::Any => self.board.all(),
            FoxZone::Fortress => self.board.points_named(&self.fortress),
            FoxZone::Points(names) => self.board.points_named(names),
        }
    }

    /// The points on which a fox wins at the end of its ply.
    pub(super) fn goal_points(&self) -> PointSet<u128> {
        match &self.fox_goal {
            FoxGoal::Points(names) => self.board.points_named(names),
            _ if self.fox_home_wins => self.board.rank_points(0),
            _ => PointSet::EMPTY,
        }
    }

    /// Replaces numbers, `centre` and `auto` by their meaning on the board, and sorts the lists.
    pub(super) fn settle(&mut self) -> Result<(), RefusedKey> {
        let is_22 = matches!(self.geese, Geese::Number(22));
        self.geese = Geese::Points(match &self.geese {
            Geese::Points(names) => self.in_board_order("geese", names)?,
            Geese::Number(number) => numbered_geese(&self.board, *number).ok_or_else(|| {
                let misprint = if *number == 18 { " (the 18 in the heading of the sheet after Bell is a misprint of 17)" } else { "" };
                let message = format!(
                    "there is no set-up of {number} geese on this board{misprint}; allowed are 13, 15, 17 and 22 on the 33-point \
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
        if let JumpRows::Lengths(lengths) = &mut self.jump_rows {
            lengths.sort_unstable();
            lengths.dedup();
        }
        self.goose_moves.sort();
        self.goose_moves.dedup();
        if self.fox_wins_below == 0 {
            self.fox_wins_below = self.board.fewest_to_immobilise();
        }
        self.fortress = self.in_board_order("fortress", &self.fortress)?;
        self.pen = self.in_board_order("pen", &self.pen)?;
        let named: Vec<String> = self.piles.keys().cloned().collect();
        self.in_board_order("piles", &named)?;
        let canonical = |name: &String| self.board.parse(name).map_or_else(String::new, |point| self.board.name(point));
        self.piles = self.piles.iter().map(|(name, &geese)| (canonical(name), geese)).collect();
        self.drop_zone = self.in_board_order("drop_zone", &self.drop_zone)?;
        self.goose_zone = self.in_board_order("goose_zone", &self.goose_zone)?;
        if let FoxZone::Points(names) = &self.fox_zone {
            self.fox_zone = FoxZone::Points(self.in_board_order("fox_zone", names)?);
        }
        match &self.fox_goal {
            FoxGoal::Points(names) => self.fox_goal = FoxGoal::Points(self.in_board_order("fox_goal", names)?),
            FoxGoal::LowestRank => (self.fox_goal, self.fox_home_wins) = (FoxGoal::None, true),
            FoxGoal::None | FoxGoal::PastGeese => {}
        }
        Ok(())
    }

    /// The names of the points in board order, each of which must be given once; an error names the words that the key
    /// allows too.
    fn in_board_order(&self, key: &str, names: &[String]) -> Result<Vec<String>, RefusedKey> {
        let words = match key {
            "fox_zone" => "; 'any' and 'fortress' are allowed too",
            "fox_goal" => "; 'none', 'lowest_rank' and 'past_geese' are allowed too",
            _ => "",
        };
        let set = self.board.read_points(names);
        set.map(|set| self.board.names(set)).map_err(|message| RefusedKey::new(key, message + words))
    }

    /// Refuses contradictions between the keys of the fox side.
    pub(super) fn check_fox_side(&self) -> Result<(), RefusedKey> {
        let foxes = self.fox_points();
        let geese = self.board.points_named(&self.geese);
        let by_choice = self.foxes_by_choice();
        let zone = self.placing_zone();
        let homeless = self.fox_zone == FoxZone::Fortress && self.fortress.is_empty();
        let count = format!("{} points for {} piece(s) of the fox side (key 'foxes')", foxes.len(), self.foxes);
        let covered = format!("{} covered by geese at the start", self.board.names(foxes & geese).join(" "));
        let too_few = "there are too few empty points to place the fox side on";
        refuse_if(self.foxes == 0, "foxes", "at least 1 is needed")?;
        refuse_if(foxes.len() > self.foxes, "fox_start", count)?;
        refuse_if(!foxes.is_disjoint(geese), "fox_start", covered)?;
        refuse_if(homeless, "fox_zone", "'fortress' needs the key 'fortress'")?;
        let freed = (zone & geese).len().min(self.opening_removals);
        refuse_if((zone - geese - foxes).len() + freed < by_choice, "fox_start", too_few)?;
        refuse_if(self.forced_chain && !self.chain, "forced_chain", "needs 'chain': true")?;
        let forced = !self.fox_captures && self.capture == Capture::Forced;
        refuse_if(forced, "capture", "'forced' needs 'fox_captures': true")?;
        let huffed = !self.fox_captures && self.huff != Huff::None;
        refuse_if(huffed, "huff", "needs 'fox_captures': true; without jumps only 'none' is allowed")?;
        let no_stock = self.huff_stock == HuffStock::Unlimited && !self.returns_geese();
        refuse_if(no_stock, "huff_stock", "'unlimited' needs 'huff': 'add_goose' or 'add_goose_home'")?;
        let is_plain = self.fox_captures && !self.chain && self.capture == Capture::Optional && self.huff == Huff::None;
        let needs = "'intervene' needs 'fox_captures': true, 'chain': false, 'capture': 'optional', 'huff': 'none', \
                     'jump_rows': 'one' and no 'piles'";
        let is_single = self.jump_rows == JumpRows::One && self.piles.is_empty();
        refuse_if(self.capture_by == CaptureBy::Intervene && !(is_plain && is_single), "capture_by", needs)?;
        let no_rows =
            matches!(&self.jump_rows, JumpRows::Lengths(lengths) if lengths.first().is_none_or(|&least| least == 0));
        refuse_if(no_rows, "jump_rows", "a list needs numbers from 1; 'one', 'odd' and 'any' are allowed too")
    }

    /// Refuses contradictions between the keys of goals and ends.
    pub(super) fn check_ends(&self) -> Result<(), RefusedKey> {
        let two_goals = self.fox_home_wins && self.fox_goal != FoxGoal::None;
        refuse_if(two_goals, "fox_goal", "'fox_home_wins': true is the goal 'lowest_rank'; one of the two is allowed")?;
        let endless = self.fox_stuck == Stuck::Pass
            && self.geese_stuck == Stuck::Pass
            && self.repetition == RepetitionKey::None
            && self.no_progress == 0;
        let never = "both sides could pass for ever; another value of 'repetition' or 'no_progress' ends the game";
        refuse_if(endless, "fox_stuck", never)?;
        let empty = self.fox_goal == FoxGoal::Points(Vec::new());
        refuse_if(empty, "fox_goal", "a list needs at least one point; 'none' is allowed")?;
        let past = self.fox_goal == FoxGoal::PastGeese && self.drops > 0;
        refuse_if(past, "fox_goal", "'past_geese' needs all geese on the board, so that 'drops' must be 0")?;
        self.check_goal()?;
        let counts = self.no_progress > 0 || self.no_progress_result == NoProgressResult::Draw;
        refuse_if(!counts, "no_progress_result", "needs a number of plies in 'no_progress'")
    }

    /// Refuses a goal on which the fox side can be placed, whatever geese it has taken off before.
    fn check_goal(&self) -> Result<(), RefusedKey> {
        let geese = self.board.points_named(&self.geese);
        let removals = self.opening_removals as usize;
        let past_geese = |fox: &Point| {
            // A goose on the fox's own point is one of those taken off. Points are in the order of their ranks: without
            // the geese that are taken off this is the lowest.
            let lowest = (geese - PointSet::of(*fox)).iter().nth(removals - usize::from(geese.has(*fox)));
            self.board.rank(*fox) <= lowest.map_or(0, |goose| self.board.rank(goose))
        };
        let free = self.placing_zone() - if removals > 0 { PointSet::EMPTY } else { geese } - self.fox_points();
        let is_past = self.fox_goal == FoxGoal::PastGeese;
        let won = if is_past { free.iter().filter(past_geese).collect() } else { free & self.goal_points() };
        let names = self.board.names(won).join(", ");
        let at_once = format!("a fox placed on one of these points would win at once: {names}; see 'fox_zone'");
        refuse_if(self.places_foxes() && !won.is_empty(), "fox_goal", at_once)
    }

    /// Refuses contradictions between the keys of the geese side.
    pub(super) fn check_geese_side(&self) -> Result<(), RefusedKey> {
        let total = self.goose_count().saturating_sub(self.opening_removals);
        let below = self.fox_wins_below;
        let too_many = format!(
            "{below} is more than the {total} pieces of the geese side, so the game would be over at the start"
        );
        let stock = "cannot bring geese back in a ruleset with 'drops': both use the stock; 'none' and 'remove_fox' are \
                     allowed";
        let by_directions = self.attacker_moves == AttackerMoves::None;
        let never_forward = self.first_move_forward && !self.goose_moves.contains(&DirectionName::Forward);
        refuse_if(total == 0, "geese", "the geese side needs at least one piece on the board or in 'drops'")?;
        refuse_if(total < below, "fox_wins_below", too_many)?;
        refuse_if(self.drops > 0 && self.returns_geese(), "huff", stock)?;
        refuse_if(by_directions && never_forward, "first_move_forward", "needs 'forward' among 'goose_moves'")?;
        let fixed = by_directions && self.goose_moves.is_empty() && self.drops == 0;
        refuse_if(fixed, "goose_moves", "at least one direction is needed where no geese are dropped ('drops')")?;
        self.check_piles()?;
        self.check_placing()
    }

    /// Refuses piles that the counters of a position cannot hold, and what nobody has said for them.
    fn check_piles(&self) -> Result<(), RefusedKey> {
        let number = self.piles.len();
        let too_many = format!("{number} points have piles; at most {MAX_PILES} are allowed");
        refuse_if(number > MAX_PILES, "piles", too_many)?;
        refuse_if(self.piles.values().any(|&geese| geese < 2), "piles", "a pile has at least 2 geese")?;
        let army = self.goose_count();
        let too_high = format!("the geese side has {army} pieces; with piles at most {MOST_PILED} are allowed");
        refuse_if(number > 0 && army > MOST_PILED, "piles", too_high)?;
        let bare = self.pile_points() - self.board.points_named(&self.geese);
        let no_goose = format!("no goose stands on {} (key 'geese')", self.board.names(bare).join(", "));
        refuse_if(!bare.is_empty(), "piles", no_goose)?;
        refuse_if(self.repile && self.piles.is_empty(), "repile", "needs 'piles'")?;
        let stops = self.huff_partial_chain && !self.piles.is_empty();
        refuse_if(stops, "huff_partial_chain", "is not defined for a board with 'piles', so it must be false")
    }

    /// Refuses ways of placing that need pieces in hand where there are none.
    fn check_placing(&self) -> Result<(), RefusedKey> {
        let needs_drops = "needs pieces of the geese side in hand ('drops')";
        let from_hand = self.drops > 0;
        let only_first = "needs 'placing': 'fox_first'";
        let is_other = self.placing != Placing::FoxFirst;
        refuse_if(!self.drop_zone.is_empty() && !from_hand, "drop_zone", needs_drops)?;
        refuse_if(self.first_drops > 1 && !from_hand, "first_drops", needs_drops)?;
        let is_usual = self.drops_rule == DropsRule::BeforeSteps;
        refuse_if(!is_usual && !from_hand, "drops_rule", needs_drops)?;
        let no_order = "needs 'placing': 'fox_first' and 'first_drops': 1";
        refuse_if(!is_usual && (is_other || self.first_drops > 1), "drops_rule", no_order)?;
        let no_places = self.drops_rule == DropsRule::Refill && (self.geese.is_empty() || !self.piles.is_empty());
        refuse_if(no_places, "drops_rule", "'refill' needs geese on the board at the start, one on a point ('piles')")?;
        refuse_if(is_other && !from_hand, "placing", needs_drops)?;
        let needs_foxes = matches!(self.placing, Placing::Alternate | Placing::GeeseThenFox) && !self.places_foxes();
        refuse_if(needs_foxes, "placing", "needs pieces of the fox side in hand ('fox_start')")?;
        let unclear = is_other || !self.piles.is_empty() || self.drops_rule == DropsRule::Refill;
        let needs = "needs 'placing': 'fox_first', no 'piles', and a 'drops_rule' that does not put the geese back";
        refuse_if(self.opening_removals > 0 && unclear, "opening_removals", needs)?;
        let too_many = self.opening_removals > self.board.points_named(&self.geese).len();
        refuse_if(too_many, "opening_removals", "more than the geese on the board at the start")?;
        refuse_if(is_other && self.first_drops > 1, "first_drops", only_first)?;
        refuse_if(is_other && self.first_move_forward, "first_move_forward", only_first)?;
        refuse_if(is_other && self.huff == Huff::RemoveFox, "huff", "'remove_fox' needs 'placing': 'fox_first'")?;
        self.check_room()
    }

    /// Refuses zones in which the pieces that are put on the board before the moves may find no empty point.
    fn check_room(&self) -> Result<(), RefusedKey> {
        let standing = self.fox_points() | self.board.points_named(&self.geese);
        let drop_zone = self.points_or_all(&self.drop_zone);
        let fox_zone = self.placing_zone() - standing;
        let by_choice = self.foxes_by_choice();
        let drops_first = matches!(self.placing, Placing::FoxThenGeese | Placing::GeeseThenFox);
        let for_geese = (drop_zone - standing).len().saturating_sub(by_choice);
        let drops = if drops_first { self.drops } else { self.first_drops.min(self.drops) };
        let narrow = format!("there must be room for {drops} drops beside the fox side; {for_geese} points are sure");
        refuse_if((drops_first || drops > 1) && for_geese < drops, "drop_zone", narrow)?;
        let covered = (fox_zone & drop_zone).len().min(self.drops);
        let late = matches!(self.placing, Placing::Alternate | Placing::GeeseThenFox);
        let taken = "geese that are dropped first may cover it, so that the fox side cannot be placed";
        refuse_if(late && fox_zone.len() < covered + by_choice, "fox_zone", taken)
    }

    /// Refuses a missing fortress, and one with more points than there are pieces to fill it.
    pub(super) fn check_fortress(&self) -> Result<(), RefusedKey> {
        let points = self.board.points_named(&self.fortress).len();
        let total = self.goose_count().saturating_sub(self.opening_removals);
        let fillers = if self.fill_rule == FillRule::AnyPiece { self.foxes } else { 0 };
        let homeless = self.attacker_moves != AttackerMoves::None && points == 0;
        let too_large = format!("{points} points can never be filled by {total} pieces");
        refuse_if(homeless, "attacker_moves", "needs the key 'fortress'; without one use 'goose_moves'")?;
        refuse_if(points > total.saturating_add(fillers), "fortress", too_large)
    }

    /// Geese on the board and in hand at the start.
    pub(super) fn goose_count(&self) -> u32 {
        self.board.points_named(&self.geese).len().saturating_add(self.drops).saturating_add(self.piled())
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
    // Whatever lines join the points.
    let is_cross = shape("cross33").is_some_and(|cross| (cross.width(), cross.all()) == (board.width(), board.all()));
    is_cross.then(|| lower.chain(extra.iter().map(ToString::to_string)).collect())
}
