//! What the moves of a position tell about it in a round.

use crate::rules::hunt::Side;
use crate::tablebase::TableEntry;

/// What is known of the position after a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Who wins, as far as known; in a lower layer `None` is a draw.
    pub winner: Option<Side>,
    /// Plies from before the move.
    pub plies: u32,
    /// It belongs to a lower layer or is over.
    pub is_below: bool,
}

/// What all moves tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Decided(TableEntry),
    /// Nothing yet. Moves to lower layers may decide it in round `due` without a change in this layer.
    Open {
        due: Option<u32>,
    },
}

impl Verdict {
    pub(super) const OPEN: Verdict = Verdict::Open { due: None };
}

/// The moves looked at so far in a round; what takes more plies than the round has does not count yet.
pub(super) struct MoveTally {
    mover: Side,
    round: u32,
    /// The longest of the losses, while there is nothing else.
    lost_in: Option<u32>,
    /// The first round in which a win below counts, and the one in which the last loss below does.
    win_due: Option<u32>,
    loss_due: Option<u32>,
    /// No move leads to a draw below.
    can_lose: bool,
}

impl MoveTally {
    pub(super) fn new(mover: Side, round: u32) -> Self {
        MoveTally { mover, round, lost_in: Some(0), win_due: None, loss_due: None, can_lose: true }
    }

    /// The entry if this move wins at once.
    pub(super) fn note(&mut self, outlook: Outlook) -> Option<TableEntry> {
        let Outlook { winner, plies, is_below } = outlook;
        let (is_win, counts) = (winner == Some(self.mover), plies <= self.round);
        match winner {
            Some(winner) if is_win && counts => return Some(TableEntry::won(winner, plies)),
            Some(_) if counts => self.lost_in = self.lost_in.map(|most| most.max(plies)),
            _ => self.lost_in = None,
        }
        match winner {
            _ if !is_below => {}
            None => self.can_lose = false,
            Some(_) if counts => {}
            Some(_) if is_win => self.win_due = Some(self.win_due.map_or(plies, |first| first.min(plies))),
            Some(_) => self.loss_due = self.loss_due.max(Some(plies)),
        }
        None
    }

    /// Whether some move keeps the mover from a loss in this round.
    pub(super) fn is_no_loss(&self) -> bool {
        self.lost_in.is_none()
    }

    /// What all moves tell, none of which wins at once.
    pub(super) fn verdict(self) -> Verdict {
        match self.lost_in {
            Some(plies) => Verdict::Decided(TableEntry::won(self.mover.other(), plies)),
            // Who can win below never loses.
            None => Verdict::Open { due: self.win_due.or(self.loss_due.filter(|_| self.can_lose)) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(round: u32, outlooks: &[(Option<Side>, u32, bool)]) -> Verdict {
        let mut tally = MoveTally::new(Side::Fox, round);
        for &(winner, plies, is_below) in outlooks {
            if let Some(entry) = tally.note(Outlook { winner, plies, is_below }) {
                return Verdict::Decided(entry);
            }
        }
        tally.verdict()
    }

    #[test]
    fn a_position_is_due_when_a_lower_layer_can_decide_it() {
        let (fox, geese) = (Some(Side::Fox), Some(Side::Geese));
        let open = |due| Verdict::Open { due };
        assert_eq!(verdict(1, &[(geese, 9, true), (fox, 7, true), (fox, 5, true)]), open(Some(5)));
        assert_eq!(verdict(1, &[(geese, 9, true), (geese, 4, true), (None, 1, false)]), open(Some(9)));
        assert_eq!(verdict(1, &[(geese, 9, true), (None, 1, true)]), open(None), "a draw keeps from a loss");
        assert_eq!(verdict(1, &[(fox, 9, true), (None, 1, true)]), open(Some(9)), "but not from a win");
        assert_eq!(verdict(4, &[(geese, 4, true), (fox, 9, false)]), open(None), "this layer tells when it changes");
        assert_eq!(
            verdict(9, &[(geese, 9, true), (geese, 4, false)]),
            Verdict::Decided(TableEntry::won(Side::Geese, 9))
        );
        assert_eq!(verdict(9, &[(geese, 4, false), (fox, 9, true)]), Verdict::Decided(TableEntry::won(Side::Fox, 9)));
    }
}
