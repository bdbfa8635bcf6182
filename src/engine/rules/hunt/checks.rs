//! What the keys of a hunt ruleset mean on its board, and which of them contradict each other.

use serde_json::Value;

use super::move_geometry::{may_jump, may_step};
use super::ruleset::{
    AttackerMoves, Capture, DirectionName, DropsRule, FillRule, FoxDiagonal, FoxGoal, FoxStart, FoxZone, Geese, Huff,
    JumpRows, Placing, RepetitionKey, Rules, Stuck,
};
use crate::geometry::{Board, Point, PointSet, shape};
use crate::rules::jumps::{BoardJumps, MAX_PILES};
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
            "fox_start" => "; 'centre' and 'choose' are allowed too",
            "fox_zone" => "; 'any' and 'fortress' are allowed too",
            "fox_goal" => "; 'none', 'lowest_rank' and 'past_geese' are allowed too",
            _ => "",
        };
        let set = self.board.read_points(names);
        set.map(|set| self.board.names(set)).map_err(|message| RefusedKey::new(key, message + words))
    }

    /// Refuses keys that mean nothing, or nothing that anybody has said, without certain values of others.
    pub(super) fn check_needs(&self) -> Result<(), RefusedKey> {
        let takes = (self.fox_captures, "'fox_captures': true");
        let in_hand = (self.drops > 0, "pieces of the geese side in hand ('drops')");
        let first_drops = (self.first_drops <= self.drops, "as many pieces of the geese side in hand ('drops')");
        let by_choice = (self.places_foxes(), "pieces of the fox side that are placed by choice ('fox_start')");
        let fox_first = (self.placing == Placing::FoxFirst, "'placing': 'fox_first'");
        let fortress = (!self.fortress.is_empty(), "the key 'fortress'; geese without one move by 'goose_moves'");
        let no_piles = (self.piles.is_empty(), "a board without 'piles'");
        let by_directions = self.attacker_moves == AttackerMoves::None;
        let forward = !by_directions || self.goose_moves.contains(&DirectionName::Forward);
        // What keys need that have another value than the default.
        let of_keys: [((bool, &str), &[&str]); _] = [
            ((self.chain, "'chain': true"), &["forced_chain"]),
            (takes, &["capture", "huff", "jump_rows", "capture_by"]),
            ((self.fox_diagonal == FoxDiagonal::Full, "'fox_diagonal': 'full'"), &["capture_by"]),
            ((!self.chain, "'chain': false"), &["capture_by"]),
            ((self.capture == Capture::Optional, "'capture': 'optional'"), &["capture_by"]),
            ((self.huff == Huff::None, "'huff': 'none'"), &["capture_by"]),
            ((self.jump_rows == JumpRows::One, "'jump_rows': 'one'"), &["capture_by"]),
            ((self.returns_geese(), "'huff': 'add_goose' or 'add_goose_home'"), &["huff_stock"]),
            (no_piles, &["capture_by", "huff_partial_chain", "opening_removals"]),
            ((!no_piles.0, "'piles'"), &["repile"]),
            (fortress, &["attacker_moves", "fill_rule"]),
            (in_hand, &["drop_zone", "drops_rule", "placing"]),
            (first_drops, &["first_drops"]),
            (fox_first, &["first_drops", "drops_rule", "first_move_forward", "opening_removals"]),
            ((self.first_drops == 1, "'first_drops': 1"), &["drops_rule"]),
            ((forward, "'forward' among 'goose_moves'"), &["first_move_forward"]),
            ((!self.fox_home_wins, "'fox_home_wins': false; true is the goal 'lowest_rank'"), &["fox_goal"]),
            ((self.no_progress > 0, "a number of plies in 'no_progress'"), &["no_progress_result"]),
        ];
        let drops_all = in_hand.0 && self.drops_rule == DropsRule::BeforeSteps;
        let directions = (drops_all, "at least one direction, except with 'drops' and 'drops_rule': 'before_steps'");
        let refill = (!self.geese.is_empty() && no_piles.0, "geese on the board at the start and no 'piles'");
        let keeps_gaps = (self.drops_rule != DropsRule::Refill, "a 'drops_rule' that does not put the geese back");
        let as_many = (self.opening_removals as usize <= self.geese.len(), "as many geese at the start");
        let both_pass = self.fox_stuck == Stuck::Pass && self.geese_stuck == Stuck::Pass;
        let ends = self.repetition != RepetitionKey::None || self.no_progress > 0;
        let end = "'repetition' or 'no_progress' to end the game, where both sides could pass for ever";
        let jumps =
            BoardJumps::<u128>::new(&self.board.with_lines(|vector| may_jump(self, vector)), PointSet::EMPTY, |_| true);
        let lengths = self.board.points().iter().flat_map(|&from| jumps.from(from)).map(|jump| jump.over.len());
        let has_none = |length: &u32| lengths.clone().all(|known| known != *length);
        let is_vain =
            matches!(&self.jump_rows, JumpRows::Lengths(named) if named.is_empty() || named.iter().any(has_none));
        let rows = "numbers from 1 for which the board has lines; 'one', 'odd' and 'any' are allowed too";
        let pen = self.board.points_named(&self.pen);
        let ways = self.board.with_lines(|vector| may_step(self, vector) || may_jump(self, vector));
        let has_way_out = pen.iter().any(|point| !ways.neighbours(point).is_subset(pen));
        // What single values need.
        let of_values = [
            ("foxes", self.foxes == 0, (false, "to be at least 1")),
            ("huff", self.huff == Huff::RemoveFox, fox_first),
            ("huff", self.returns_geese(), (!in_hand.0, "'drops': 0, because both use the geese in hand")),
            ("drops_rule", !keeps_gaps.0, takes),
            ("drops_rule", !keeps_gaps.0, refill),
            ("fox_zone", self.fox_zone == FoxZone::Fortress, fortress),
            ("fox_zone", matches!(self.fox_zone, FoxZone::Points(_)), by_choice),
            ("placing", matches!(self.placing, Placing::Alternate | Placing::GeeseThenFox), by_choice),
            ("goose_moves", by_directions && self.goose_moves.is_empty(), directions),
            ("fox_goal", self.fox_goal == FoxGoal::PastGeese, (!in_hand.0, "'drops': 0, all geese on the board")),
            ("fox_goal", self.fox_goal == FoxGoal::Points(Vec::new()), (false, "at least one point, or 'none'")),
            ("fox_goal", self.goal_points() == self.board.all(), (false, "a point that is no goal: any ply would win")),
            ("fox_stuck", both_pass, (ends, end)),
            ("jump_rows", is_vain, (false, rows)),
            ("opening_removals", self.opening_removals > 0, as_many),
            ("opening_removals", self.opening_removals > 0, keeps_gaps),
            ("pen", !self.pen.is_empty(), (has_way_out, "a way out for a fox, which the geese can shut")),
        ];
        let [keys, defaults] = [self, &Rules::default()].map(|rules| serde_json::to_value(rules).unwrap_or_default());
        let words = |value: &Value| value.to_string().replace('"', "'");
        let of_keys = of_keys.iter().flat_map(|&(need, names)| names.iter().map(move |&key| (key, need)));
        for (key, (is_met, what)) in of_keys.filter(|&(key, _)| keys[key] != defaults[key]) {
            let [value, default] = [&keys[key], &defaults[key]].map(words);
            refuse_if(!is_met, key, format!("{value} needs {what}; else only {default} is allowed"))?;
        }
        of_values.into_iter().try_for_each(|(key, is_meant, (is_met, what))| {
            refuse_if(is_meant && !is_met, key, format!("{} needs {what}", words(&keys[key])))
        })
    }

    /// Refuses points and numbers of the fox side that its pieces, its jumps or the board do not have.
    pub(super) fn check_fox_side(&self) -> Result<(), RefusedKey> {
        let foxes = self.fox_points();
        let geese = self.board.points_named(&self.geese);
        let zone = self.placing_zone();
        let count = format!("{} points for {} piece(s) of the fox side (key 'foxes')", foxes.len(), self.foxes);
        let covered = format!("{} covered by geese at the start", self.board.names(foxes & geese).join(" "));
        let room = (zone - geese - foxes).len() + (zone & geese).len().min(self.opening_removals);
        let too_few = "there are too few empty points to place the fox side on";
        refuse_if(foxes.len() > self.foxes, "fox_start", count)?;
        refuse_if(!foxes.is_disjoint(geese), "fox_start", covered)?;
        refuse_if(room < self.foxes_by_choice(), "fox_start", too_few)?;
        self.check_goal()
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

    /// Refuses numbers of geese with which the game would be over or the fortress never full, and piles that the counters
    /// of a position cannot hold.
    pub(super) fn check_geese_side(&self) -> Result<(), RefusedKey> {
        let geese = self.board.points_named(&self.geese);
        let army = self.goose_count();
        let total = army.saturating_sub(self.opening_removals);
        let below = self.fox_wins_below;
        let too_many = format!(
            "{below} is more than the {total} pieces of the geese side, so the game would be over at the start"
        );
        refuse_if(total == 0, "geese", "the geese side needs at least one piece on the board or in 'drops'")?;
        refuse_if(total < below, "fox_wins_below", too_many)?;
        let number = self.piles.len();
        let too_many = format!("{number} points have piles; at most {MAX_PILES} are allowed");
        refuse_if(number > MAX_PILES, "piles", too_many)?;
        let too_high = format!("the geese side has {army} pieces; with piles at most {MOST_PILED} are allowed");
        refuse_if(number > 0 && army > MOST_PILED, "piles", too_high)?;
        let bare = self.pile_points() - geese;
        let no_goose = format!("no goose stands on {} (key 'geese')", self.board.names(bare).join(", "));
        refuse_if(!bare.is_empty(), "piles", no_goose)?;
        let fortress = self.board.points_named(&self.fortress);
        let fillers = if self.fill_rule == FillRule::AnyPiece { self.foxes } else { 0 };
        let shut = fortress - self.points_or_all(&self.goose_zone) - geese;
        let out_of_reach = format!("no goose may enter {} (key 'goose_zone')", self.board.names(shut).join(", "));
        let too_large = format!("{} points can never be filled by {total} pieces", fortress.len());
        refuse_if(shut.len() > fillers, "fortress", out_of_reach)?;
        refuse_if(fortress.len() > total.saturating_add(fillers), "fortress", too_large)?;
        self.check_room()
    }

    /// Refuses zones in which the pieces that are put on the board before the moves may find no empty point.
    fn check_room(&self) -> Result<(), RefusedKey> {
        let standing = self.fox_points() | self.board.points_named(&self.geese);
        let drop_zone = self.points_or_all(&self.drop_zone) & self.points_or_all(&self.goose_zone);
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

    /// Geese on the board and in hand at the start.
    pub(super) fn goose_count(&self) -> u32 {
        self.board.points_named(&self.geese).len().saturating_add(self.drops).saturating_add(self.piled())
    }
}

/// The geese of set-up 13, 15, 17 or 22 on the 33-point cross: the lower arm, the third rank, and further points.
fn numbered_geese(board: &Board, number: u64) -> Option<Vec<String>> {
    let lower = board.points().iter().copied().filter(|&point| board.rank(point) < 3);
    let further = ["a4", "g4", "a5", "g5", "b4", "c4", "d4", "e4", "f4"].iter().filter_map(|name| board.parse(name));
    // Whatever lines join the points.
    let is_cross = shape("cross33").is_some_and(|cross| (cross.width(), cross.all()) == (board.width(), board.all()));
    let is_known = is_cross && [13, 15, 17, 22].contains(&number);
    is_known.then(|| board.names(lower.chain(further).take(number as usize).collect()))
}
