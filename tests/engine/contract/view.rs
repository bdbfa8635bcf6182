//! A client that knows no rules follows every game by its typed answers alone.

use std::collections::{BTreeMap, HashSet};

use reynard_engine::rules::{Capabilities, Change, GameInfo, Notation, Piece, PieceKind, PieceType, Seat, Turn};

/// A single piece.
type Single = (Option<Seat>, PieceType);

/// The pieces on each point, bottom to top where the game has stacks, else sorted.
type Board = BTreeMap<String, Vec<Single>>;

pub struct Client {
    capabilities: Capabilities,
    points: HashSet<String>,
}

impl Client {
    pub fn new(game: &impl Notation) -> Client {
        let GameInfo { capabilities, board, .. } = game.info();
        let names: HashSet<String> = board.points.into_iter().map(|point| point.name).collect();
        assert_eq!(capabilities.seats, game.seats());
        assert_eq!(capabilities.is_rectangular, board.width * board.height == names.len());
        Client { capabilities, points: names }
    }

    /// What every legal move changes is what the next position shows.
    pub fn follow<G: Notation>(&self, game: &G, position: &G::Position, moves: &[G::Move], context: &str) {
        let before = self.board(&game.pieces(position), context);
        for &mv in moves {
            let context = format!("{context}: {}", game.move_text(position, mv));
            let change = game.change(position, mv);
            let next = game.play_unchecked(position, mv);
            self.is_sound(&change, &context);
            assert_eq!(
                self.after(before.clone(), &change, &context),
                self.board(&game.pieces(&next), &context),
                "{context}: {change:?}"
            );
            self.keeps_its_word(game, position, &next, &change, &context);
        }
    }

    fn is_sound(&self, change: &Change, context: &str) {
        assert_eq!(change.from.is_some(), change.to.is_some(), "{context}");
        assert_eq!(change.path.last(), change.to.as_ref(), "{context}");
        let points = change.path.iter().chain(&change.from);
        for point in points.chain(change.captured.iter().chain(&change.placed).map(|piece| &piece.point)) {
            assert!(self.points.contains(point), "{context}: {point}");
        }
    }

    fn keeps_its_word<G: Notation>(
        &self,
        game: &G,
        before: &G::Position,
        after: &G::Position,
        change: &Change,
        context: &str,
    ) {
        let can = &self.capabilities;
        let captured: u32 = change.captured.iter().map(|piece| piece.count).sum();
        assert!(captured <= can.most_captures, "{context}: {captured} captured");
        assert!(
            can.pieces.iter().all(|kind| !kind.has_chains || can.most_captures > 1),
            "{context}: chains of nothing"
        );
        assert!(can.has_dice || game.turn(before) != Turn::Chance, "{context}: dice");
        let is_arrival = !change.placed.is_empty() && change.captured.is_empty();
        assert!(can.has_placement || can.has_drops || !is_arrival, "{context}: a piece comes");
        let does_nothing = Change { mover: None, ..change.clone() } == Change::default();
        assert!(can.has_passes || can.has_dice || !does_nothing, "{context}: a pass");
        if can.alternates {
            let seats = [before, after].map(|position| game.side_to_move(position));
            assert_eq!(seats[0].map(Seat::other), seats[1], "{context}: the same side again");
        }
    }

    fn board(&self, pieces: &[Piece], context: &str) -> Board {
        let mut board = Board::new();
        for piece in pieces {
            assert!(self.points.contains(&piece.point) && piece.count > 0, "{context}: {piece:?}");
            let is_announced = |kind: &PieceKind| (Some(kind.owner), kind.kind) == (piece.owner, piece.kind);
            assert!(self.capabilities.pieces.iter().any(is_announced), "{context}: {piece:?}");
            self.put(&mut board, piece);
        }
        board
    }

    /// Plays a change without any idea of the rules.
    fn after(&self, mut board: Board, change: &Change, context: &str) -> Board {
        if let (Some(from), Some(to)) = (&change.from, &change.to) {
            let mover = self.take(&mut board, from, |piece| piece.0 == change.mover, context);
            self.put(&mut board, &Piece { point: to.clone(), owner: mover.0, kind: mover.1, count: 1 });
        }
        for gone in &change.captured {
            for _ in 0..gone.count {
                self.take(&mut board, &gone.point, |piece| piece == (gone.owner, gone.kind), context);
            }
        }
        change.placed.iter().for_each(|placed| self.put(&mut board, placed));
        board
    }

    fn put(&self, board: &mut Board, piece: &Piece) {
        let stack = board.entry(piece.point.clone()).or_default();
        stack.extend(std::iter::repeat_n((piece.owner, piece.kind), piece.count as usize));
        if !self.capabilities.has_stacks {
            stack.sort();
        }
    }

    /// Takes the uppermost such piece off a point.
    fn take(&self, board: &mut Board, point: &str, is_meant: impl Fn(Single) -> bool, context: &str) -> Single {
        let stack = board.get_mut(point).unwrap_or_else(|| panic!("{context}: nothing stands on {point}"));
        let at = stack.iter().rposition(|&piece| is_meant(piece));
        let taken = stack.remove(at.unwrap_or_else(|| panic!("{context}: no such piece on {point}")));
        if stack.is_empty() {
            board.remove(point);
        }
        taken
    }
}
