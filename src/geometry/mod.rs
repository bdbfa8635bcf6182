//! Points, point sets, board graphs, shapes and symmetries; no game is known here.

mod board;
mod point_set;
mod shapes;
mod symmetry;

pub use board::{Board, BoardError, MAX_CELLS, Place, Point, Vector};
pub use point_set::{PointSet, Word};
pub use shapes::{SHAPE_NAMES, shape};
pub use symmetry::{Symmetry, symmetries};
