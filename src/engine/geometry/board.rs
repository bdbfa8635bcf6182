//! A board as a graph: points at file and rank coordinates, lines between them; and the ways to turn or mirror it onto
//! itself.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::points::{Point, PointSet, Word};

/// Why a board is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    #[error("'{0}' is not a point name: a file letter a-z and a rank number 1-26, as in 'd4', are expected")]
    Name(String),
    #[error("point '{0}' is listed twice")]
    Twice(String),
    #[error("a line ends on '{0}', which is not a point of the board")]
    UnknownPoint(String),
    #[error("a line joins '{0}' to itself")]
    Loop(String),
    #[error("a path goes from '{0}' over '{1}' straight back")]
    TurnsBack(String, String),
    #[error("straight lines from '{0}' to '{1}' lead over '{2}' and over '{3}', so that a jump could take either")]
    TwoMiddles(String, String, String, String),
    #[error("a board needs at least one point")]
    Empty,
    #[error("files times ranks is {0}; at most 128 are allowed, or about 256 where all points have the colour of one")]
    TooLarge(usize),
}

/// A zero-based file and rank.
pub(crate) type Place = (u8, u8);

/// The most cells that a board may have: places that get an index.
pub(crate) const MAX_CELLS: usize = 128;

/// A displacement in files and ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vector {
    /// Files to the right; negative to the left.
    pub files: i8,
    /// Ranks up; negative down.
    pub ranks: i8,
}

impl Vector {
    /// Whether both file and rank change.
    pub fn is_diagonal(self) -> bool {
        self.files != 0 && self.ranks != 0
    }

    /// Whether both lead the same way, however far.
    fn is_along(self, other: Vector) -> bool {
        let [a, b, c, d] = [self.files, self.ranks, other.files, other.ranks].map(i32::from);
        a * d == b * c && a * c + b * d > 0
    }
}

/// Two lines in a row that go straight on, along which a piece can jump.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StraightJump {
    /// The origin.
    pub from: Point,
    /// The landing point. No two jumps have the same ends.
    pub to: Point,
    /// The point leapt over.
    pub over: Point,
}

/// How places become indices. Where files times ranks is too large and all points have the colour of one, as on a
/// draughtboard, every second place of rows of odd length has an index, so that a step in a direction still changes
/// the index by the same number everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cells {
    /// Places in a row.
    row: usize,
    /// Places for each index: 1 or 2.
    places: usize,
    /// The first place with an index.
    first: usize,
}

impl Cells {
    fn index(self, (file, rank): Place) -> Point {
        Point(((usize::from(rank) * self.row + usize::from(file)) / self.places) as u8)
    }

    fn place(self, point: Point) -> Place {
        let place = point.index() * self.places + self.first;
        ((place % self.row) as u8, (place / self.row) as u8)
    }
}

/// Points and the lines between them. Two lines continue each other when they lead in the same direction or, on a board
/// made of paths, when a path goes from one to the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    width: u8,
    height: u8,
    cells: Cells,
    points: Vec<Point>,
    neighbours: BTreeMap<Point, BTreeMap<Vector, Point>>,
    jumps: BTreeSet<StraightJump>,
    /// The points by number, where the rule sheets number them: number n is entry n - 1.
    numbering: Vec<Point>,
}

impl Board {
    /// Builds a board from zero-based (file, rank) places and lines between them.
    ///
    /// # Errors
    /// A line leaves the points, a point or its coordinates are impossible, or the bounding box is too large.
    pub fn new(places: &[Place], lines: &[(Place, Place)]) -> Result<Board, BoardError> {
        let width = places.iter().map(|place| place.0 + 1).max().ok_or(BoardError::Empty)?;
        let height = places.iter().map(|place| place.1 + 1).max().ok_or(BoardError::Empty)?;
        let all = usize::from(width) * usize::from(height);
        let colour = |&(file, rank): &Place| usize::from((file + rank) % 2);
        let first = places.first().map_or(0, colour);
        let cells = if all > MAX_CELLS && places.iter().all(|place| colour(place) == first) {
            Cells { row: usize::from(width | 1), places: 2, first }
        } else {
            Cells { row: usize::from(width), places: 1, first: 0 }
        };
        if (cells.row * usize::from(height)).div_ceil(cells.places) > MAX_CELLS {
            return Err(BoardError::TooLarge(all));
        }
        let cell = |place: Place| cells.index(place);
        let mut neighbours: BTreeMap<Point, BTreeMap<Vector, Point>> = BTreeMap::new();
        for &place in places {
            if neighbours.insert(cell(place), BTreeMap::new()).is_some() {
                return Err(BoardError::Twice(place_name(place)));
            }
        }
        for &(a, b) in lines {
            if a == b {
                return Err(BoardError::Loop(place_name(a)));
            }
            if let Some(stranger) = [a, b].into_iter().find(|end| !places.contains(end)) {
                return Err(BoardError::UnknownPoint(place_name(stranger)));
            }
            for (from, to) in [(a, b), (b, a)] {
                neighbours.entry(cell(from)).or_default().insert(displacement(from, to), cell(to));
            }
        }
        let points = neighbours.keys().copied().collect();
        let (jumps, numbering) = (BTreeSet::new(), Vec::new());
        let board = Board { width, height, cells, points, neighbours, jumps, numbering };
        let straight = board.straight_jumps();
        board.with_jumps(straight)
    }

    /// Builds a board from point names, pairs of names joined by lines, and paths. A path joins its points in turn and
    /// goes straight on at each of them, also at its first one if it ends there; where there are paths nothing else
    /// goes straight on.
    ///
    /// # Errors
    /// The errors of [`Board::new`], a name cannot be read, or a path turns back.
    pub fn from_names(points: &[String], lines: &[[String; 2]], paths: &[Vec<String>]) -> Result<Board, BoardError> {
        let place = |name: &String| parse_place(name).ok_or_else(|| BoardError::Name(name.clone()));
        let places = |names: &[String]| names.iter().map(place).collect::<Result<Vec<_>, _>>();
        let ends = lines.iter().map(|[a, b]| Ok((place(a)?, place(b)?))).collect::<Result<Vec<_>, BoardError>>()?;
        let paths = paths.iter().map(|path| places(path)).collect::<Result<Vec<_>, _>>()?;
        let joined = paths.iter().flat_map(|path| path.windows(2)).map(|pair| (pair[0], pair[1]));
        let board = Board::new(&places(points)?, &ends.into_iter().chain(joined).collect::<Vec<_>>())?;
        if paths.is_empty() { Ok(board) } else { board.with_jumps_along(&paths) }
    }

    /// The jumps along every two lines of one direction.
    fn straight_jumps(&self) -> BTreeSet<StraightJump> {
        let onward = |from: Point, (vector, over): (Vector, Point)| {
            let lines = self.lines_from(over).filter(move |(next, _)| vector.is_along(*next));
            lines.map(move |(_, to)| StraightJump { from, to, over })
        };
        let from = |&from: &Point| self.lines_from(from).flat_map(move |line| onward(from, line));
        self.points.iter().flat_map(from).collect()
    }

    /// This board with the jumps along the paths, both ways, and no others.
    fn with_jumps_along(self, paths: &[Vec<Place>]) -> Result<Board, BoardError> {
        let mut jumps = BTreeSet::new();
        for path in paths {
            let is_closed = path.len() > 3 && path.first() == path.last();
            let seam = is_closed.then(|| [path[path.len() - 2], path[0], path[1]]);
            let threes = path.windows(3).map(|three| [three[0], three[1], three[2]]);
            for places @ [from, over, to] in threes.chain(seam) {
                if from == to {
                    return Err(BoardError::TurnsBack(place_name(from), place_name(over)));
                }
                let [from, over, to] = places.map(|place| self.cells.index(place));
                jumps.extend([StraightJump { from, to, over }, StraightJump { from: to, to: from, over }]);
            }
        }
        self.with_jumps(jumps)
    }

    /// This board with these jumps.
    ///
    /// # Errors
    /// Two jumps have the same ends.
    fn with_jumps(self, jumps: BTreeSet<StraightJump>) -> Result<Board, BoardError> {
        let mut next = jumps.iter().zip(jumps.iter().skip(1));
        if let Some((one, other)) = next.find(|(one, other)| (one.from, one.to) == (other.from, other.to)) {
            let [from, to, over, second] = [one.from, one.to, one.over, other.over].map(|point| self.name(point));
            return Err(BoardError::TwoMiddles(from, to, over, second));
        }
        Ok(Board { jumps, ..self })
    }

    /// Numbers the points 1, 2, ... in this order; the numbers are read as names too.
    pub(super) fn numbered(mut self, order: Vec<Point>) -> Board {
        self.numbering = order;
        self
    }

    /// This board without the lines for whose vector `keeps` is false; `keeps` must treat opposite vectors alike.
    pub fn with_lines(&self, keeps: impl Fn(Vector) -> bool) -> Board {
        let mut board = self.clone();
        board.neighbours.values_mut().for_each(|lines| lines.retain(|&vector, _| keeps(vector)));
        board.jumps.retain(|&jump| self.legs(jump).into_iter().all(&keeps));
        board
    }

    pub fn width(&self) -> u8 {
        self.width
    }

    pub fn height(&self) -> u8 {
        self.height
    }

    /// One more than the largest possible point index: files times ranks, or about half of it on large boards.
    pub fn cells(&self) -> usize {
        (self.cells.row * usize::from(self.height)).div_ceil(self.cells.places)
    }

    /// Whether every place of the bounding box is a point.
    pub fn is_rectangular(&self) -> bool {
        self.points.len() == usize::from(self.width) * usize::from(self.height)
    }

    /// Every point, from low index to high.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    pub fn all(&self) -> PointSet<u128> {
        self.points.iter().copied().collect()
    }

    pub fn file(&self, point: Point) -> u8 {
        self.cells.place(point).0
    }

    pub fn rank(&self, point: Point) -> u8 {
        self.cells.place(point).1
    }

    /// The point at a zero-based file and rank, if the board has one there.
    pub fn at(&self, file: u8, rank: u8) -> Option<Point> {
        if file >= self.width || rank >= self.height {
            return None;
        }
        let point = self.cells.index((file, rank));
        let is_there = self.cells.place(point) == (file, rank) && self.neighbours.contains_key(&point);
        is_there.then_some(point)
    }

    /// The name of a point: file letter and rank number.
    pub fn name(&self, point: Point) -> String {
        place_name(self.cells.place(point))
    }

    /// Reads a point name in any case, or a number on a numbered board.
    pub fn parse(&self, text: &str) -> Option<Point> {
        if let Some((file, rank)) = parse_place(text) {
            return self.at(file, rank);
        }
        let number: usize = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
        self.numbering.get(number.checked_sub(1)?).copied()
    }

    /// The names of a set of points, in order of their index.
    pub fn names(&self, set: PointSet<u128>) -> Vec<String> {
        set.iter().map(|point| self.name(point)).collect()
    }

    /// The set of points with these names; unknown names are left out.
    pub fn points_named(&self, names: &[String]) -> PointSet<u128> {
        names.iter().filter_map(|name| self.parse(name)).collect()
    }

    /// The set of points with these names, each of which must be on the board and named once.
    ///
    /// # Errors
    /// The message says which name is wrong, and why.
    pub fn read_points(&self, names: &[String]) -> Result<PointSet<u128>, String> {
        let mut set = PointSet::EMPTY;
        for name in names {
            let point = self.parse(name).ok_or_else(|| format!("'{name}' is not a point of the board"))?;
            if set.has(point) {
                return Err(format!("point '{name}' is listed twice"));
            }
            set = set.with(point);
        }
        Ok(set)
    }

    /// The number of a point on a numbered board, from 1.
    pub fn number(&self, point: Point) -> Option<usize> {
        self.numbering.iter().position(|&known| known == point).map(|index| index + 1)
    }

    /// The lines from a point: vector and other end.
    pub fn lines_from(&self, point: Point) -> impl Iterator<Item = (Vector, Point)> + '_ {
        self.neighbours.get(&point).into_iter().flatten().map(|(&vector, &to)| (vector, to))
    }

    /// The other end of the line that leaves `point` by `vector`.
    pub fn step(&self, point: Point, vector: Vector) -> Option<Point> {
        self.neighbours.get(&point)?.get(&vector).copied()
    }

    pub fn neighbours(&self, point: Point) -> PointSet<u128> {
        self.lines_from(point).map(|(_, to)| to).collect()
    }

    /// Every straight jump, by origin and then by landing point.
    pub fn jumps(&self) -> impl Iterator<Item = StraightJump> + '_ {
        self.jumps.iter().copied()
    }

    /// The straight jumps from a point.
    pub fn jumps_from(&self, point: Point) -> impl Iterator<Item = StraightJump> + '_ {
        let least = StraightJump { from: point, to: Point(0), over: Point(0) };
        self.jumps.range(least..).copied().take_while(move |jump| jump.from == point)
    }

    /// The straight jumps from a point over a neighbour: where a line goes on.
    pub fn onward(&self, from: Point, over: Point) -> impl Iterator<Item = StraightJump> + '_ {
        self.jumps_from(from).filter(move |jump| jump.over == over)
    }

    /// The displacements of a jump: from its origin to the point leapt over, and from there to its landing point.
    pub fn legs(&self, jump: StraightJump) -> [Vector; 2] {
        let [from, over, to] = [jump.from, jump.over, jump.to].map(|point| self.cells.place(point));
        [(from, over), (over, to)].map(|(from, to)| displacement(from, to))
    }

    /// Every vector that some line has.
    pub fn vectors(&self) -> Vec<Vector> {
        let all: BTreeSet<Vector> = self.neighbours.values().flat_map(|links| links.keys().copied()).collect();
        all.into_iter().collect()
    }

    /// The index distance between a point and its neighbour along `vector`.
    pub fn shift(&self, vector: Vector) -> i32 {
        (i32::from(vector.ranks) * self.cells.row as i32 + i32::from(vector.files)) / self.cells.places as i32
    }

    /// Every line once, lower index first.
    pub fn lines(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        let from = |&a: &Point| self.lines_from(a).map(move |(_, b)| (a, b)).filter(|(a, b)| a < b);
        self.points.iter().flat_map(from)
    }

    /// The point in the middle of the board, if there is one.
    pub fn centre(&self) -> Option<Point> {
        (self.width % 2 == 1 && self.height % 2 == 1).then(|| self.at(self.width / 2, self.height / 2))?
    }

    /// The points of one rank, counted from 0.
    pub fn rank_points(&self, rank: u8) -> PointSet<u128> {
        self.points.iter().copied().filter(|&point| self.rank(point) == rank).collect()
    }

    /// The fewest geese that can immobilise a lone piece somewhere: the least number, over all points, of neighbours
    /// and landing points of jumps.
    pub fn fewest_to_immobilise(&self) -> u32 {
        let reach =
            |&point: &Point| self.jumps_from(point).fold(self.neighbours(point), |set, jump| set.with(jump.to)).len();
        self.points.iter().map(reach).min().unwrap_or(0)
    }
}

fn displacement(from: Place, to: Place) -> Vector {
    Vector { files: to.0 as i8 - from.0 as i8, ranks: to.1 as i8 - from.1 as i8 }
}

/// The name of a zero-based file and rank: file letter and rank number.
pub(crate) fn place_name((file, rank): Place) -> String {
    format!("{}{}", char::from(b'a' + file), rank + 1)
}

/// Reads a name in any case, such as `d4` or `a10`, as a zero-based file and rank.
pub(crate) fn parse_place(name: &str) -> Option<Place> {
    let file = name.bytes().next()?.to_ascii_lowercase();
    let digits = name.get(1..)?;
    if !file.is_ascii_lowercase() || digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let rank: u8 = digits.parse().ok().filter(|rank| (1..=26).contains(rank))?;
    Some((file - b'a', rank - 1))
}

/// A map of a board's points onto themselves that keeps its lines and where they go straight on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    images: Vec<Point>,
    /// Rows of the linear part: files' = a files + b ranks, ranks' = c files + d ranks.
    matrix: [i8; 4],
}

impl Symmetry {
    /// The image of a point.
    pub fn point(&self, point: Point) -> Point {
        self.images[point.index()]
    }

    /// The images of all points of a set.
    pub fn set<W: Word>(&self, set: PointSet<W>) -> PointSet<W> {
        set.iter().map(|point| self.point(point)).collect()
    }

    /// The image of a displacement.
    pub fn vector(&self, vector: Vector) -> Vector {
        let [a, b, c, d] = self.matrix;
        Vector { files: a * vector.files + b * vector.ranks, ranks: c * vector.files + d * vector.ranks }
    }
}

/// The turns and mirrors of the square, at most eight, that map this board onto itself, the identity first.
///
/// Slanted boards (the hexagon) have more symmetries than are found here.
pub fn symmetries(board: &Board) -> Vec<Symmetry> {
    const MATRICES: [[i8; 4]; 8] = [
        [1, 0, 0, 1],
        [-1, 0, 0, 1],
        [1, 0, 0, -1],
        [-1, 0, 0, -1],
        [0, 1, 1, 0],
        [0, -1, 1, 0],
        [0, 1, -1, 0],
        [0, -1, -1, 0],
    ];
    MATRICES.iter().filter_map(|&matrix| symmetry(board, matrix)).collect()
}

fn symmetry(board: &Board, matrix: [i8; 4]) -> Option<Symmetry> {
    let [a, b, c, d] = matrix.map(i16::from);
    // Twice the coordinates relative to the middle of the box are whole numbers.
    let width = i16::from(board.width()) - 1;
    let height = i16::from(board.height()) - 1;
    let image = |point: Point| {
        let file = 2 * i16::from(board.file(point)) - width;
        let rank = 2 * i16::from(board.rank(point)) - height;
        let place = |turned: i16, size: i16| u8::try_from((turned + size) / 2).ok().filter(|_| turned + size >= 0);
        board.at(place(a * file + b * rank, width)?, place(c * file + d * rank, height)?)
    };
    let mut images: Vec<Point> = (0..board.cells()).map(|cell| Point(cell as u8)).collect();
    for &point in board.points() {
        images[point.index()] = image(point)?;
    }
    let symmetry = Symmetry { images, matrix };
    let keeps = |(from, to): (Point, Point)| board.neighbours(symmetry.point(from)).has(symmetry.point(to));
    let keeps_jump = |jump: &StraightJump| {
        let [from, to, over] = [jump.from, jump.to, jump.over].map(|point| symmetry.point(point));
        board.jumps.contains(&StraightJump { from, to, over })
    };
    (board.lines().all(keeps) && board.jumps.iter().all(keeps_jump)).then_some(symmetry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shape;

    #[test]
    fn a_large_board_of_one_colour_has_an_index_for_every_second_place() {
        let all: Vec<Place> = (0..12).flat_map(|rank| (0..12).map(move |file| (file, rank))).collect();
        for colour in 0..2 {
            let places: Vec<Place> = all.iter().copied().filter(|(file, rank)| (file + rank) % 2 == colour).collect();
            let board = Board::new(&places, &[((4 + colour, 4), (5 + colour, 5))]).expect("a board of 72 points");
            assert_eq!((board.points().len(), board.cells(), board.is_rectangular()), (72, 78, false));
            assert!(places.iter().all(|&(file, rank)| board.parse(&place_name((file, rank))) == board.at(file, rank)));
            assert!(places.iter().all(|&(file, rank)| board.at(file, rank).is_some()) && board.at(1, colour).is_none());
            let (from, to) = board.lines().next().expect("a line");
            assert_eq!(i32::from(to.0) - i32::from(from.0), board.shift(Vector { files: 1, ranks: 1 }));
        }
        assert_eq!(Board::new(&all, &[]), Err(BoardError::TooLarge(144)));
    }

    #[test]
    fn the_cross_has_eight_symmetries_and_the_chequered_board_four() {
        for (name, count) in [("cross33", 8), ("siege67", 2), ("chequered8", 4), ("hex37", 4)] {
            let board = shape(name).expect("a known shape");
            assert_eq!(symmetries(&board).len(), count, "{name}");
        }
    }
}
