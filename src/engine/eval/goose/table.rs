//! Turns to go, learned for every field.
//!
//! The game of a player who has the table to himself can be solved: value iteration over the 196,839 ways in which four
//! counters can stand gives the expected turns of best play, 22.7 from the start. The entries are the sum over the
//! counters that comes nearest to those values (weighted least squares over the positions that play meets and those
//! one turn away), one row for each number of counters still on the track. Playing by the table takes 23.2
//! turns, playing by the distance alone 27.7. A prisoner is thought to be relieved after eight turns on average.
//! `cargo bench --bench goose_table` solves and fits again.

use crate::rules::goose::FINISH;

/// Turns that a well which holds until somebody comes is thought to cost.
pub(super) const UNTIL_RELIEVED: f64 = 8.0;

/// Hundredths of a turn by counters left and field. Fields on which no counter stays have the entry of the next one.
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

/// Hundredths of a turn that a counter adds which stands on a field, while so many are left on the track.
pub(super) fn turns(left: usize, field: u8) -> u32 {
    let row = &TURNS[left.clamp(1, TURNS.len()) - 1];
    u32::from(row[usize::from(field.min(FINISH))])
}
