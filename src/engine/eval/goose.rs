//! The evaluation of the goose family: which player needs fewer turns to finish.
//!
//! The turns that every player still needs come from a learned table ([`TURNS`]). The odds of the race grow with the
//! difference and shrink with the square root of the turns still to be played, as for sums of dice. Logistic regression
//! on games of the evaluator against itself gave the two weights (`cargo bench --bench goose_race`).

use super::{Evaluator, MAX_EVALUATION, Terms, named, parameters, share};
use crate::rules::goose::{FINISH, Goose, INN, Phase, Position, WELL, Wait};
use crate::rules::{MAX_SEATS, Seat};

parameters! {
    /// Evaluates a race by the turns that the players still need, from a learned table.
    pub struct GooseEvaluator {
        /// Goose: value of a lead of one turn with one turn to go, in hundredths.
        lead: "EvalRaceLead" = 187, 0..=2000;
        /// Goose: what having the turn is worth, in hundredths of a turn.
        turn: "EvalRaceTurn" = 65, 0..=200;
        /// Goose: thousandths of the learned turns to go; the rest is counted by the distance alone.
        learned: "EvalRaceLearned" = 1000, 0..=1000;
    }
}

/// Hundredths that multiply the odds by e, the scale of all evaluations in the searchers.
const HUNDREDTHS_PER_NAT: f64 = 150.0;
/// Fields that a counter is taken to advance per turn, where turns are estimated by the distance.
const FIELDS_PER_TURN: f64 = 10.0;
/// The least turns to go that are counted, so that leads near the end are not weighed without bounds.
const LEAST_TURNS: f64 = 1.0;

impl GooseEvaluator {
    /// The expected number of a player's own turns until all its counters are borne off.
    pub fn turns_to_go(&self, game: &Goose, position: &Position, seat: Seat) -> f64 {
        let fields = game.fields(position, seat);
        let left = fields.iter().filter(|&&field| field < FINISH).count();
        let learned: u32 = fields.iter().map(|&field| learned_turns(left, field)).sum();
        let distance: u32 = fields.iter().map(|&field| u32::from(FINISH - field)).sum();
        let share = share(self.learned);
        let way = share * f64::from(learned) / 100.0 + (1.0 - share) * f64::from(distance) / FIELDS_PER_TURN;
        way + missed_turns(game, position, seat)
    }

    /// The log odds that a player with `own` turns to go finishes before one with `other`, in hundredths; `tempo` is 1
    /// with the turn, -1 against it.
    fn ahead(&self, own: f64, other: f64, tempo: f64) -> f64 {
        let lead = other - own + tempo * f64::from(self.turn) / 100.0;
        f64::from(self.lead) * lead / (own + other).max(LEAST_TURNS).sqrt()
    }

    /// The evaluation for `seat` in hundredths; `tempo` is the share of the worth of having the turn that counts, 0 or
    /// 1.
    fn value(&self, game: &Goose, position: &Position, seat: Seat, tempo: f64) -> i32 {
        let mut turns = [0.0; MAX_SEATS];
        let seats = usize::from(game.ruleset().rules.players);
        for (seat, turns) in turns.iter_mut().enumerate().take(seats) {
            *turns = self.turns_to_go(game, position, Seat(seat as u8));
        }
        let ahead_of = |other: usize| {
            let tempo = tempo * (on_turn(position, seat) - on_turn(position, Seat(other as u8)));
            self.ahead(turns[seat.index()], turns[other], tempo)
        };
        let mut others = (0..seats).filter(|&other| other != seat.index()).map(ahead_of);
        let value = match seats {
            2 => others.next().unwrap_or_default(),
            // The first at the finish wins: the odds against a player add up.
            _ => {
                let against: f64 = others.map(|ahead| libm::exp(-ahead / HUNDREDTHS_PER_NAT)).sum();
                -HUNDREDTHS_PER_NAT * libm::log(against)
            }
        };
        (value.round() as i32).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}

/// The number of turns that the inn or the well still costs the player.
fn missed_turns(game: &Goose, position: &Position, seat: Seat) -> f64 {
    let stops = game.fields(position, seat).iter().zip(game.waits(position, seat));
    let missed = stops.map(|(&field, wait)| match wait {
        Wait::Turns(turns) if field == INN || field == WELL => f64::from(turns),
        Wait::UntilRelieved if field == WELL => UNTIL_RELIEVED,
        _ => 0.0,
    });
    missed.fold(0.0, f64::max)
}

/// The share of a turn that a player has: 1 when it is to roll, half for each die still to be used, 0 for the others.
fn on_turn(position: &Position, seat: Seat) -> f64 {
    match position.phase {
        _ if position.seat() != seat => 0.0,
        Phase::Use => position.dice().count() as f64 / 2.0,
        _ => 1.0,
    }
}

impl Evaluator<Goose> for GooseEvaluator {
    fn evaluate(&self, game: &Goose, position: &Position, seat: Seat) -> i32 {
        self.value(game, position, seat, 1.0)
    }

    fn explain(&self, game: &Goose, position: &Position) -> Terms {
        let way = self.value(game, position, Seat::P1, 0.0);
        named([("turns to go", way), ("turn", self.evaluate(game, position, Seat::P1) - way)])
    }
}

/// The assumed cost, in turns, of a well that holds a counter until it is relieved.
const UNTIL_RELIEVED: f64 = 8.0;

/// The learned turns to go, in hundredths of a turn, by counters on the track, then by field. Fields on which no
/// counter stays have the entry of the next one.
///
/// The game of a player alone can be solved: value iteration over the 196,839 ways in which four counters can stand
/// gives the expected turns of best play, 22.7 from the start. An estimate is a sum over the counters; the entries are
/// those that come nearest to the solution (weighted least squares over the positions that play meets and those one
/// turn away). Playing by the table takes 23.2 turns, playing by the distance alone 27.7. A prisoner is assumed to be
/// relieved after eight turns on average. `cargo bench --bench goose_table` solves the game and fits the table again.
const TURNS: [[u16; FINISH as usize + 1]; 4] = [
    [
        1077, 1064, 1063, 1057, 1045, 1042, 1042, 1042, 1009, 991, 991, 1001, 978, 964, 957, 957, 946, 944, 923, 923,
        896, 864, 844, 869, 869, 862, 829, 796, 796, 783, 790, 734, 745, 745, 733, 701, 671, 671, 679, 645, 633, 661,
        661, 661, 653, 674, 674, 595, 575, 465, 514, 514, 1099, 387, 340, 340, 401, 282, 248, 248, 248, 254, 346, 0,
    ],
    [
        765, 757, 757, 741, 728, 716, 716, 716, 694, 667, 667, 682, 670, 644, 645, 645, 635, 625, 616, 616, 590, 574,
        553, 564, 564, 559, 531, 510, 510, 512, 516, 473, 470, 470, 463, 439, 419, 419, 427, 409, 395, 381, 381, 381,
        371, 377, 377, 336, 330, 310, 294, 294, 854, 265, 241, 241, 265, 225, 201, 201, 201, 210, 238, 0,
    ],
    [
        630, 614, 619, 611, 599, 597, 597, 597, 574, 549, 549, 566, 552, 529, 537, 537, 527, 513, 510, 510, 488, 475,
        452, 466, 466, 458, 436, 414, 414, 420, 421, 390, 384, 384, 378, 359, 341, 341, 349, 334, 316, 314, 314, 314,
        303, 302, 302, 280, 270, 261, 248, 248, 637, 234, 211, 211, 224, 203, 185, 185, 185, 184, 192, 0,
    ],
    [
        566, 552, 555, 547, 533, 534, 534, 534, 514, 491, 491, 507, 496, 473, 481, 481, 473, 459, 456, 456, 438, 426,
        405, 418, 418, 409, 390, 370, 370, 376, 376, 349, 344, 344, 339, 323, 307, 307, 312, 299, 285, 281, 281, 281,
        270, 266, 266, 250, 237, 232, 221, 221, 492, 209, 192, 192, 195, 180, 162, 162, 162, 157, 159, 0,
    ],
];

/// Hundredths of a turn that a counter on a field adds while `left` counters are on the track.
fn learned_turns(left: usize, field: u8) -> u32 {
    let row = &TURNS[left.clamp(1, TURNS.len()) - 1];
    u32::from(row[usize::from(field.min(FINISH))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Notation;
    use crate::rules::goose::Ruleset;

    fn team(players: &str) -> Goose {
        Goose::new(&Ruleset::from_catalog("goose-team", &[("players".into(), players.into())]).unwrap())
    }

    fn value(game: &Goose, text: &str, seat: u8) -> i32 {
        let position = game.parse_position(text).unwrap();
        GooseEvaluator::default().evaluate(game, &position, Seat(seat))
    }

    #[test]
    fn two_players_see_the_same_from_both_sides() {
        let game = team("2");
        for text in
            ["p1=0,0,0,0 p2=0,0,0,0", "p1=63,63,1,2 p2=30,20,10,52 turn=p2 dice=2+1", "p1=31,9,8,7 p2=63,62,63,63"]
        {
            assert_eq!(value(&game, text, 0), -value(&game, text, 1), "{text}");
        }
        assert!(value(&game, "p1=0,0,0,0 p2=0,0,0,0", 0) > 0, "the turn is worth something");
        assert!(value(&game, "p1=60,63,63,63 p2=0,0,0,0", 0) > 300);
    }

    #[test]
    fn three_players_share_one_win() {
        let game = team("3");
        let text = "p1=10,0,0,0 p2=40,3,0,0 p3=63,63,60,20 turn=p2";
        let shares = (0..3).map(|seat| 1.0 / (1.0 + libm::exp(-f64::from(value(&game, text, seat)) / 150.0)));
        assert!((shares.sum::<f64>() - 1.0).abs() < 0.02);
        assert!(value(&game, text, 2) > value(&game, text, 1) && value(&game, text, 1) > value(&game, text, 0));
    }

    #[test]
    fn the_terms_add_up_and_waits_cost_turns() {
        let game = team("2");
        let evaluator = GooseEvaluator::default();
        let position = game.parse_position("p1=1,2,3,4 p2=31:2,30,0,0 dice=1").unwrap();
        let sum: i32 = evaluator.explain(&game, &position).iter().map(|(_, value)| value).sum();
        assert_eq!(sum, evaluator.evaluate(&game, &position, Seat::P1));
        let free = game.parse_position("p1=1,2,3,4 p2=31,30,0,0 dice=1").unwrap();
        let turns = |position| evaluator.turns_to_go(&game, position, Seat::P2);
        assert_eq!(turns(&position), turns(&free) + 2.0);
    }
}
