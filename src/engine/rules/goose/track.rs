//! The track of 63 fields: the kind of each, and where a counter comes to rest.

use super::ruleset::BackGoose;

/// The field where counters begin; any number of counters may stand on it.
pub(crate) const START: u8 = 0;
/// The last field, where counters are to arrive.
pub const FINISH: u8 = 63;
pub(crate) const BRIDGE: u8 = 6;
/// The field of the inn, where a counter misses turns.
pub const INN: u8 = 19;
/// The field of the well, which holds a counter for two turns or until it is relieved.
pub const WELL: u8 = 31;
pub(crate) const MAZE: u8 = 42;
/// The field of the prison, which holds a counter for some turns or until it is relieved.
pub const PRISON: u8 = 52;
pub(crate) const DEATH: u8 = 58;
/// The fields from which a counter moves on by the same sum.
pub(crate) const GEESE: [u8; 13] = [5, 9, 14, 18, 23, 27, 32, 36, 41, 45, 50, 54, 59];
/// The fields to which the bridge, the maze and a 9 on the first throw lead.
pub(super) const BEYOND_BRIDGE: u8 = 12;
pub(super) const OUT_OF_MAZE: u8 = 30;
pub(super) const NINE_AS_6_3: u8 = 26;
pub(super) const NINE_AS_5_4: u8 = 53;

/// The largest sum of a roll.
pub(super) const MAX_SUM: usize = 12;

/// The kind of a field on the track.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// Field 0, where every counter begins.
    Start,
    /// A field without a goose or a hazard.
    Plain,
    /// Moves the counter on by the same number of steps.
    Goose,
    /// Costs 1 and leads on to field 12.
    Bridge,
    /// Costs some turns and, by the usual rules, 1.
    Inn,
    /// Holds the counter for two turns or until it is relieved and, by the usual rules, costs 1.
    Well,
    /// Costs 1 and leads back to field 30.
    Maze,
    /// Holds the counter for some turns or until it is relieved.
    Prison,
    /// Sends the counter back to field 0.
    Death,
    /// Field 63, where counters are to arrive.
    Finish,
}

impl FieldKind {
    /// The kind of a field, 0 to 63.
    pub fn of(field: u8) -> FieldKind {
        match field {
            START => FieldKind::Start,
            BRIDGE => FieldKind::Bridge,
            INN => FieldKind::Inn,
            WELL => FieldKind::Well,
            MAZE => FieldKind::Maze,
            PRISON => FieldKind::Prison,
            DEATH => FieldKind::Death,
            FINISH => FieldKind::Finish,
            _ if GEESE.contains(&field) => FieldKind::Goose,
            _ => FieldKind::Plain,
        }
    }

    /// The kind as one word in lower case.
    pub fn name(self) -> &'static str {
        match self {
            FieldKind::Start => "start",
            FieldKind::Plain => "plain",
            FieldKind::Goose => "goose_field",
            FieldKind::Bridge => "bridge",
            FieldKind::Inn => "inn",
            FieldKind::Well => "well",
            FieldKind::Maze => "maze",
            FieldKind::Prison => "prison",
            FieldKind::Death => "death",
            FieldKind::Finish => "finish",
        }
    }
}

/// Where a counter comes to rest and what that costs, other counters left aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Landing {
    /// The field where the counter finally stands.
    pub field: u8,
    /// The price of a hazard on the way that leads on to another field, 0 for none.
    pub price: u8,
    /// The field that decided the landing: the hazard, or `field` where there was none.
    pub touched: u8,
}

impl Landing {
    /// The landing of a counter that comes to rest on a field, after the field's hazard has acted.
    pub(super) fn on(touched: u8) -> Landing {
        let (field, price) = match touched {
            BRIDGE => (BEYOND_BRIDGE, 1),
            MAZE => (OUT_OF_MAZE, 1),
            DEATH => (START, 0),
            _ => (touched, 0),
        };
        Landing { field, price, touched }
    }
}

/// Every landing by field and number of steps.
#[derive(Clone, Debug)]
pub(super) struct Landings([[Landing; MAX_SUM + 1]; FINISH as usize + 1]);

impl Landings {
    /// Works out all landings; `harmless` is a field whose hazard is switched off.
    pub(super) fn new(back_goose: BackGoose, harmless: Option<u8>) -> Landings {
        let mut table = [[Landing::default(); MAX_SUM + 1]; FINISH as usize + 1];
        for (from, row) in table.iter_mut().enumerate() {
            for (steps, landing) in row.iter_mut().enumerate().skip(1) {
                let touched = resting_field(from as u8, steps as u8, back_goose, |_| ());
                *landing = if harmless == Some(touched) {
                    Landing { field: touched, price: 0, touched }
                } else {
                    Landing::on(touched)
                };
            }
        }
        Landings(table)
    }

    #[inline]
    pub(super) fn get(&self, from: u8, steps: u8) -> Landing {
        self.0[usize::from(from)][usize::from(steps)]
    }
}

/// The field where a counter comes to rest before any hazard acts: forwards, back by the steps beyond the last field,
/// and on from every goose in the same direction. Every goose on the way is passed to `pass`.
pub(super) fn resting_field(from: u8, steps: u8, back_goose: BackGoose, mut pass: impl FnMut(u8)) -> u8 {
    let mut field = from + steps;
    while field < FINISH && FieldKind::of(field) == FieldKind::Goose {
        pass(field);
        field += steps;
    }
    if field <= FINISH {
        return field;
    }
    let surplus = field - FINISH;
    let again = if back_goose == BackGoose::Sum { steps } else { surplus };
    field = FINISH - surplus;
    while FieldKind::of(field) == FieldKind::Goose {
        pass(field);
        field = field.saturating_sub(again);
    }
    field
}
