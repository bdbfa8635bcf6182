//! Points, point sets, board graphs, shapes and symmetries; no game is known here.

mod board;
mod point;
mod point_set;
mod shapes;
mod symmetry;

pub(crate) use board::{Board, MAX_CELLS, parse_place, place_name};
pub use point::{Point, Vector};
pub use point_set::{PointSet, Word};
pub(crate) use point_set::{bits, singles};
pub(crate) use shapes::{SHAPE_NAMES, shape};
pub use symmetry::{Symmetry, symmetries};
