//! Points, point sets, board graphs, shapes and symmetries; no game is known here.

mod board;
mod points;
mod shapes;

pub(crate) use board::{Board, MAX_CELLS, parse_place, place_name};
pub use board::{StraightJump, Symmetry, Vector, symmetries};
pub use points::{Point, PointSet, Word};
pub(crate) use points::{bits, singles, subsets};
pub(crate) use shapes::{SHAPE_NAMES, shape};
