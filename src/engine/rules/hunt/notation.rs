//! Texts of positions and moves, the drawn board, and the changes that moves make on it.

use std::fmt::Write as _;

use serde_json::json;

use super::Hunt;
use super::checks::MOST_PILED;
use super::move_geometry::{may_jump, may_step};
use super::position::{Move, MoveKind, Phase, Position, Side};
use super::ruleset::{DropsRule, FoxZone, Huff, HuffStock, Placing, Stuck};
use crate::geometry::{Point, PointSet, Vector, Word};
use crate::rules::jumps::refuse_too_many;
use crate::rules::notation::{Field, Path, fields, pairs, path_text, read_path, read_pieces, write_pieces};
use crate::rules::{
    BoardView, Capabilities, Change, Game, GameInfo, MoveError, Notation, Piece, PieceKind, PieceType, PositionError,
    Seat, SeatInfo, view,
};

impl<W: Word> Notation for Hunt<W> {
    fn info(&self) -> GameInfo {
        let rules = &self.ruleset.rules;
        let seat = |seat: Seat| {
            let side = self.side(seat);
            let name = if side == Side::Fox { &rules.fox_side } else { &rules.geese_side };
            SeatInfo { name: name.clone(), role: side.role() }
        };
        let piled = if rules.piles.is_empty() { "" } else { ", a number for so many on one point" };
        GameInfo {
            seats: [Seat::P1, Seat::P2].map(seat).into(),
            legend: format!("F for {}, G for {}{piled}", rules.fox_side, rules.geese_side),
            ..GameInfo::new(self, &self.ruleset, self.board_view(), self.capabilities())
        }
    }

    fn parse_position(&self, text: &str) -> Result<Position<W>, PositionError> {
        // Keys and their values are read in any case.
        let lower = text.to_ascii_lowercase();
        let [placement, turn, ..] = fields(text)[..] else {
            return Err(Field::whole(text)
                .end()
                .error("a placement and a turn are expected, as in '3/3/7/G2F2G/GGGGGGG/GGG/GGG g'"));
        };
        let side = match turn.text {
            "f" | "F" => Side::Fox,
            "g" | "G" => Side::Geese,
            other => return Err(turn.error(format!("turn '{other}' is not 'f' (fox side) or 'g' (geese side)"))),
        };
        let mut position = Position::new(PointSet::EMPTY, PointSet::EMPTY, side);
        let letters = [('F', Side::Fox), ('G', Side::Geese)];
        read_pieces(self.board(), placement, &letters, |side, point, count| {
            position.pieces.toggle(side, point);
            let pile = self.geometry.piles.iter().position(|pile| pile == point && side == Side::Geese);
            match pile.and_then(|pile| position.piles.get_mut(pile)) {
                Some(further) if count <= MOST_PILED => *further = count as u8 - 1,
                Some(_) => return Err(format!("at most {MOST_PILED} pieces are allowed on a point")),
                None if count > 1 => return Err(format!("no pile can stand on {}", self.board().name(point))),
                None => {}
            }
            Ok(())
        })?;
        for (key, value) in pairs(&fields(&lower)[2..])? {
            self.read_key(&mut position, key, value)?;
        }
        if position.phase == Phase::Place || self.is_opening(&position) {
            position.first = self.ruleset.rules.first_move_forward;
        }
        self.check_position(&position, placement, turn)?;
        Ok(position)
    }

    fn position_text(&self, position: &Position<W>) -> String {
        let mut text = write_pieces(self.board(), |point| match self.geese_on(position, point) {
            0 | 1 => letter(position, point).map(String::from),
            geese => Some(format!("({})", "G".repeat(geese as usize))),
        });
        text.push_str(if position.turn == Side::Fox { " f" } else { " g" });
        if position.phase == Phase::Place {
            text.push_str(" phase=place");
        } else if self.is_opening(position) {
            text.push_str(" phase=open");
        } else if position.first {
            text.push_str(" first=1");
        }
        if position.hand > 0 {
            let _ = write!(text, " hand={}", position.hand);
        }
        match position.phase {
            Phase::Drop => text.push_str(" owed=drop"),
            Phase::Remove if !self.is_opening(position) => {
                let mut names = self.board().names(position.owed.widen());
                names.sort();
                let _ = write!(text, " owed={}", names.join(","));
            }
            _ => {}
        }
        text
    }

    fn parse_move(&self, position: &Position<W>, text: &str) -> Result<Move<W>, MoveError> {
        let refuse = |message: &str| MoveError::new(text, message);
        let lower = text.to_ascii_lowercase();
        let point = |name: &str| self.board().parse(name).ok_or_else(|| refuse("names no point of the board"));
        let mv = if lower == "pass" {
            Move::pass()
        } else if let Some(name) = lower.strip_prefix('@') {
            Move::put(point(name)?)
        } else if let Some(name) = lower.strip_prefix('~') {
            Move::take_off(point(name)?)
        } else {
            let path = read_path(self.board(), &lower).ok_or_else(|| {
                refuse("cannot be read; expected d4d5 (a step), d4xd6xb6 (jumps), @d4 (put), ~c5 (take off) or pass")
            })?;
            return self.named_move(position, &path).map_err(refuse);
        };
        if self.is_legal(position, mv) { Ok(mv) } else { Err(refuse("is not legal here")) }
    }

    fn move_text(&self, position: &Position<W>, mv: Move<W>) -> String {
        let name = |point: Point| self.board().name(point);
        match mv.kind {
            MoveKind::Step => name(mv.from) + &name(mv.to),
            MoveKind::Put => format!("@{}", name(mv.to)),
            MoveKind::TakeOff => format!("~{}", name(mv.to)),
            MoveKind::Pass => "pass".into(),
            MoveKind::Jump => path_text(self.board(), mv.from, &self.path(position, mv)),
        }
    }

    /// Draws the ranks from the top, with pieces `F` and `G`, empty points `.`, and lines between neighbours.
    fn draw(&self, position: &Position<W>) -> String {
        let mark = |point: Point| match self.geese_on(position, point) {
            0 | 1 => letter(position, point).unwrap_or('.'),
            geese => char::from_digit(geese, 10).unwrap_or('+'),
        };
        view::draw(self.board(), mark)
    }

    fn pieces(&self, position: &Position<W>) -> Vec<Piece> {
        let foxes = position.foxes().iter().map(|point| self.piece(Side::Fox, point));
        let pile = |point| Piece { count: self.geese_on(position, point), ..self.piece(Side::Geese, point) };
        foxes.chain(position.geese().iter().map(pile)).collect()
    }

    fn change(&self, position: &Position<W>, mv: Move<W>) -> Change {
        let side = position.turn;
        let change = match mv.kind {
            MoveKind::Step | MoveKind::Jump => self.travel(position, mv),
            MoveKind::Put => Change { placed: vec![self.piece(side, mv.to)], ..Change::default() },
            MoveKind::TakeOff => Change { captured: vec![self.piece(side.other(), mv.to)], ..Change::default() },
            MoveKind::Pass => Change::default(),
        };
        Change { mover: Some(self.seat(side)), ..change }
    }
}

impl<W: Word> Hunt<W> {
    fn board_view(&self) -> BoardView {
        let board = self.board();
        let rules = &self.ruleset.rules;
        let region = |set: PointSet<W>| board.names(set.widen());
        let regions = json!({
            "fortress": region(self.geometry.fortress),
            "geese_home": region(self.geometry.home),
            "fox_goal": region(self.geometry.fox_goal),
            "pen": region(self.geometry.pen),
            "fox_zone": if let FoxZone::Points(names) = &rules.fox_zone { &names[..] } else { &[] },
            "drop_zone": rules.drop_zone,
            "goose_zone": rules.goose_zone,
        });
        let pieces = json!({"F": rules.fox_side, "G": rules.geese_side});
        BoardView::of(&self.ruleset.heading.name, &rules.board, board, regions, pieces)
    }

    fn capabilities(&self) -> Capabilities {
        let rules = &self.ruleset.rules;
        let has_placement = rules.places_foxes();
        let is_one = !has_placement || (rules.foxes == 1 && self.first_side == Side::Geese);
        let placement_alternates = match rules.placing {
            Placing::Alternate => true,
            Placing::FoxFirst => rules.first_drops == 1 && rules.drops_rule != DropsRule::Refill && is_one,
            Placing::FoxThenGeese | Placing::GeeseThenFox => false,
        };
        Capabilities {
            seats: 2,
            is_rectangular: self.board().is_rectangular(),
            alternates: rules.huff == Huff::None && rules.opening_removals == 0 && placement_alternates,
            most_captures: self.most_jumps() + u32::from(rules.huff == Huff::RemoveFox),
            has_placement,
            has_drops: rules.returns_geese() || rules.drops > 0,
            has_huff: rules.huff != Huff::None,
            has_slides: rules.fox_range != 1,
            has_forced_chains: rules.chain && rules.forced_chain,
            has_stacks: !self.geometry.piles.is_empty(),
            has_passes: [rules.geese_stuck, rules.fox_stuck].contains(&Stuck::Pass),
            pieces: vec![self.fox_kind(), self.goose_kind()],
            ..Capabilities::default()
        }
    }

    /// Reads one key of a position text into the position.
    fn read_key(&self, position: &mut Position<W>, key: Field<'_>, value: Field<'_>) -> Result<(), PositionError> {
        let rules = &self.ruleset.rules;
        let refuse = |message: &str| Err(value.error(message));
        match (key.text, value.text) {
            ("phase", "place") if rules.places_foxes() => position.phase = Phase::Place,
            ("phase", "place") => refuse("the fox side is not placed by choice in this ruleset")?,
            ("phase", "open") if rules.opening_removals > 0 => {
                (position.phase, position.owed) = (Phase::Remove, position.geese());
            }
            ("phase", "open") => refuse("the fox side takes no geese off before the game in this ruleset")?,
            ("phase", other) => refuse(&format!("phase '{other}' is neither 'place' nor 'open'"))?,
            ("first", "0") => position.first = false,
            ("first", "1") if rules.first_move_forward => position.first = true,
            ("first", "1") => refuse("first_move_forward is off in this ruleset")?,
            ("first", other) => refuse(&format!("first '{other}' is not 1"))?,
            ("hand", number) => match number.parse::<u8>().ok().filter(|&hand| hand < 200) {
                Some(hand) if hand == 0 || self.has_hand() => position.hand = hand,
                Some(_) => refuse("no goose ever comes from the hand in this ruleset")?,
                None => refuse(&format!("hand '{number}' is not a number below 200"))?,
            },
            ("owed", "drop") if rules.returns_geese() => position.phase = Phase::Drop,
            ("owed", "drop") => refuse("only huffing with add_goose or add_goose_home owes a drop")?,
            ("owed", _) if rules.huff == Huff::RemoveFox => {
                let refuse = |name| value.error(format!("'{name}' in owed is not a point of the board"));
                let points = value.text.split(',').map(|name| self.board().parse(name).ok_or_else(|| refuse(name)));
                position.owed = points.collect::<Result<_, _>>()?;
                position.phase = Phase::Remove;
            }
            ("owed", _) => refuse("only huffing with remove_fox owes the removal of a piece")?,
            (other, _) => {
                return Err(key.error(format!("unknown key '{other}'; allowed are phase, first, hand and owed")));
            }
        }
        Ok(())
    }

    /// Whether the fox side takes off geese before anything else.
    fn is_opening(&self, position: &Position<W>) -> bool {
        position.phase == Phase::Remove && position.owed == position.geese()
    }

    /// The number of geese on a point.
    fn geese_on(&self, position: &Position<W>, point: Point) -> u32 {
        let piles = self.geometry.piles.iter().zip(position.piles);
        let further = piles.filter(|&(pile, _)| pile == point).map(|(_, further)| u32::from(further)).sum::<u32>();
        u32::from(position.geese().has(point)) + further
    }

    /// Refuses positions that cannot occur in this ruleset; errors point to the word of the placement or of the turn.
    fn check_position(
        &self,
        position: &Position<W>,
        placement: Field<'_>,
        turn: Field<'_>,
    ) -> Result<(), PositionError> {
        let rules = &self.ruleset.rules;
        let foxes = position.foxes().len();
        let placing = position.phase == Phase::Place;
        let opening = self.is_opening(position);
        let no_fox = format!("no piece F of the fox side, but the ruleset has {}", rules.foxes);
        placement.refuse_if(foxes == 0 && !placing && !opening && rules.huff != Huff::RemoveFox, no_fox)?;
        placement.refuse_if(foxes > rules.foxes, format!("{foxes} pieces F, but the ruleset has {}", rules.foxes))?;
        let standing: u32 = position.geese().iter().map(|goose| self.geese_on(position, goose)).sum();
        let geese = standing + u32::from(position.hand);
        let place = if position.hand > 0 { " on the board and in hand" } else { "" };
        let most = self.army - if opening { 0 } else { rules.opening_removals };
        let too_many = format!("{geese} pieces G{place}, but the ruleset has {most}");
        placement.refuse_if(geese > most && rules.huff_stock == HuffStock::Captured, too_many)?;
        let all_stand = format!("phase=place, but {foxes} of {} pieces F already stand", rules.foxes);
        placement.refuse_if(placing && foxes >= rules.foxes, all_stand)?;
        let (phase, owner) = match (position.phase, rules.placing) {
            (Phase::Place, Placing::Alternate) => ("phase=place", position.turn),
            (Phase::Place, Placing::GeeseThenFox) if position.hand > 0 => ("phase=place", Side::Geese),
            (Phase::Place, _) => ("phase=place", Side::Fox),
            _ if opening => ("phase=open", Side::Fox),
            _ => ("owed", Side::Geese),
        };
        let is_other = position.phase != Phase::Normal && position.turn != owner;
        turn.refuse_if(is_other, format!("{phase} needs the turn '{}'", &owner.role()[..1]))?;
        let all_removed = "phase=open, but the fox side has taken off all that it takes before the game";
        placement.refuse_if(opening && self.still_to_remove(position) == 0, all_removed)?;
        let none_owed = !opening && (!position.owed.is_subset(position.foxes()) || position.owed.len() < 2);
        let owes = position.phase == Phase::Remove;
        placement.refuse_if(owes && none_owed, "owed must name two or more points where pieces F stand")?;
        let no_drop = !self.has_goose_to_return(position) || self.landing_zone(position).is_empty();
        let drop = "owed=drop needs a goose in hand and an empty point for it";
        placement.refuse_if(position.phase == Phase::Drop && no_drop, drop)?;
        if position.turn == Side::Fox && position.phase == Phase::Normal && rules.chain {
            let mut chains: Vec<Move<W>> = Vec::new();
            position.foxes().iter().for_each(|fox| self.jumper(position, fox).chains(&mut chains, false));
            refuse_too_many(&chains, placement)?;
        }
        Ok(())
    }

    /// The legal move along a path; a jump may be given by its two ends alone.
    fn named_move(&self, position: &Position<W>, path: &Path) -> Result<Move<W>, &'static str> {
        let moves = self.moves(position);
        match path.points[..] {
            [from, to] if !path.jumps && moves.contains(&Move::step(from, to)) => Ok(Move::step(from, to)),
            _ => self.jumper(position, path.points[0]).named(&path.points, &moves),
        }
    }

    /// The points on which the piece of a move comes down; of several ways the alphabetically smallest.
    fn path(&self, position: &Position<W>, mv: Move<W>) -> Vec<Point> {
        self.jumper(position, mv.from).landings(mv).unwrap_or_else(|| vec![mv.to])
    }

    fn piece(&self, side: Side, point: Point) -> Piece {
        Piece { point: self.board().name(point), owner: Some(self.seat(side)), kind: kind(side), count: 1 }
    }

    /// The change by a step or a chain of jumps, with the pieces that huffing takes off at once.
    fn travel(&self, position: &Position<W>, mv: Move<W>) -> Change {
        let path = self.path(position, mv);
        let jumped = self.geometry.jumps.points_between(mv.from, &path).filter(|&point| mv.captured.has(point));
        let passed = if self.geometry.betweens.is_empty() { PointSet::EMPTY } else { mv.captured };
        let mut captured: Vec<Piece> = jumped.chain(passed).map(|point| self.piece(Side::Geese, point)).collect();
        if position.turn == Side::Fox {
            let moved = position.foxes().without(mv.from).with(mv.to);
            let huffed = moved - self.play_unchecked(position, mv).foxes();
            captured.extend(huffed.iter().map(|fox| self.piece(Side::Fox, fox)));
        }
        let name = |point: Point| self.board().name(point);
        Change { captured, ..Change::travel(name(mv.from), path.into_iter().map(name).collect()) }
    }

    /// The most geese that one move can capture.
    fn most_jumps(&self) -> u32 {
        let rules = &self.ruleset.rules;
        let jumps = self.board().points().iter().flat_map(|&point| self.geometry.jumps.from(point));
        let passed = |pairs: &Vec<PointSet<W>>| pairs.iter().fold(PointSet::EMPTY, |all, &pair| all | pair);
        let rows = jumps.map(|jump| jump.over).chain(self.geometry.betweens.iter().map(passed));
        if rules.chain {
            rows.fold(PointSet::EMPTY, |all, row| all | row).len() + rules.piled()
        } else {
            rows.map(PointSet::len).max().unwrap_or(0)
        }
    }

    /// The vectors, as files and ranks, of the board's lines that `is_meant` accepts.
    fn vectors(&self, is_meant: impl Fn(Vector) -> bool) -> Vec<(i8, i8)> {
        let vectors = self.board().vectors().into_iter().filter(|&vector| is_meant(vector));
        vectors.map(|vector| (vector.files, vector.ranks)).collect()
    }

    fn fox_kind(&self) -> PieceKind {
        let rules = &self.ruleset.rules;
        let jumps = self.vectors(|vector| may_jump(rules, vector));
        PieceKind {
            letter: Some('F'),
            steps: self.vectors(|vector| may_step(rules, vector)),
            has_chains: rules.chain && !jumps.is_empty(),
            jumps,
            ..PieceKind::new(kind(Side::Fox), self.seat(Side::Fox))
        }
    }

    fn goose_kind(&self) -> PieceKind {
        let directions = &self.geometry.goose_directions;
        let steps = self.vectors(|vector| directions.iter().any(|direction| direction.vector == vector));
        PieceKind { letter: Some('G'), steps, ..PieceKind::new(kind(Side::Geese), self.seat(Side::Geese)) }
    }
}

fn kind(side: Side) -> PieceType {
    if side == Side::Fox { PieceType::Fox } else { PieceType::Goose }
}

/// The letter of the piece on a point; `None` for an empty point.
fn letter<W: Word>(position: &Position<W>, point: Point) -> Option<char> {
    if position.foxes().has(point) { Some('F') } else { position.geese().has(point).then_some('G') }
}
