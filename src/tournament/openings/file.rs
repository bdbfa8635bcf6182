//! Openings from a file, one a line, or the games of a PGN file.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use rand::seq::SliceRandom;
use reynard_engine::files;
use reynard_engine::rules::random::stream;
use reynard_engine::session::Session;

use super::{BookError, BookRequest, Packed};
use crate::tournament::pgn;
use crate::tournament::record::Opening;
use crate::tournament::ruleset::Ruleset;
use crate::tournament::spec::{FileFormat, FileOrder, OpeningFile};

/// A million openings of eight plies.
const MAX_BYTES: u64 = 64 << 20;
/// From which the shuffled order is drawn; below are the streams of games and random openings.
const ORDER_STREAM: u64 = u64::MAX;

/// The lines of a file; after the last one it begins again with the first.
pub struct FileBook {
    /// By ruleset, in the order of play, with canonical texts.
    openings: Vec<Vec<Packed>>,
    checksum: u32,
}

/// An opening as it is written.
struct BookLine<'a> {
    /// From 1.
    line: usize,
    start: Option<String>,
    moves: Vec<&'a str>,
}

impl FileBook {
    /// Reads a file and plays every line through in every ruleset.
    ///
    /// # Errors
    /// The file is unreadable or holds no opening, or a line is none.
    pub(super) fn read(file: &OpeningFile, request: &BookRequest<'_>, rulesets: &[Ruleset]) -> Result<Self, BookError> {
        let path = request.folder.join(&file.path);
        let name = path.display().to_string();
        let refuse = |message: String| BookError::File { file: name.clone(), message };
        let text = pgn::text(files::read_bytes(&path, MAX_BYTES).map_err(|error| refuse(error.reason()))?);
        let mut lines = match file.format.unwrap_or_else(|| format_of(&path, &text)) {
            FileFormat::Pgn => games(&text).map_err(|error| BookError::Line {
                file: name.clone(),
                line: error.line,
                message: error.to_string(),
            })?,
            FileFormat::Lines => lines(&text),
        };
        if lines.is_empty() {
            return Err(refuse("holds no opening; expected one a line: a position, or moves M M ..., or both".into()));
        }
        let plies = file.plies.map_or(usize::MAX, |plies| plies as usize);
        lines.iter_mut().for_each(|line| line.moves.truncate(plies));
        let first = file.start.map_or(0, |start| start as usize - 1) % lines.len();
        let pairs_each = file.games.map_or(1, |games| games as usize / 2);
        let mut by_ruleset = Vec::new();
        for (index, ruleset) in rulesets.iter().enumerate() {
            let report = |line: usize| {
                (request.report)((index * lines.len() + line) as u64, (rulesets.len() * lines.len()) as u64)
            };
            let mut openings = played(&name, &lines, ruleset, &report)?;
            if file.order == FileOrder::Random {
                openings.shuffle(&mut stream(request.seed, ORDER_STREAM));
            }
            openings.rotate_left(first);
            let repeated = openings.into_iter().flat_map(|opening| std::iter::repeat_n(opening, pairs_each));
            by_ruleset.push(repeated.collect());
        }
        Ok(FileBook { checksum: checksum(&by_ruleset), openings: by_ruleset })
    }

    /// Openings before the first one comes again.
    pub(crate) fn len(&self) -> u64 {
        self.openings.first().map_or(0, Vec::len) as u64
    }

    /// Of all that can be played, order included.
    pub(crate) fn checksum(&self) -> u32 {
        self.checksum
    }

    pub(super) fn opening(&self, ruleset: usize, number: u64) -> Opening {
        let Some(openings) = self.openings.get(ruleset) else { return Opening::default() };
        let index = number.checked_rem(openings.len() as u64).unwrap_or(0);
        openings.get(index as usize).map(Packed::unpack).unwrap_or_default()
    }

    pub(super) fn distinct(&self, ruleset: usize, numbers: Range<u64>) -> u64 {
        let openings = self.openings.get(ruleset).map_or(&[][..], Vec::as_slice);
        let count = numbers.end.saturating_sub(numbers.start).min(openings.len() as u64) as usize;
        let first = numbers.start.checked_rem(openings.len() as u64).unwrap_or(0) as usize;
        let different: HashSet<&Packed> = openings.iter().cycle().skip(first).take(count).collect();
        different.len() as u64
    }
}

fn checksum(openings: &[Vec<Packed>]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for opening in openings.iter().flatten() {
        hasher.update(opening.start.as_deref().unwrap_or("").as_bytes());
        hasher.update(b"\t");
        hasher.update(opening.moves.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize()
}

/// PGN by its name, or by what it begins with: a tag, or the number of a move.
fn format_of(path: &Path, text: &str) -> FileFormat {
    let is_named = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with([';', '%'])).unwrap_or("");
    let first = first.trim_start();
    let is_numbered = first.trim_start_matches(|sign: char| sign.is_ascii_digit()).starts_with('.');
    if is_named || is_numbered || first.starts_with('[') { FileFormat::Pgn } else { FileFormat::Lines }
}

/// The games of a PGN text.
fn games(text: &str) -> Result<Vec<BookLine<'_>>, pgn::PgnError> {
    let games = pgn::games(text)?.into_iter();
    Ok(games.map(|game| BookLine { line: game.line, start: start(game.tag("FEN")), moves: game.moves }).collect())
}

/// Every line that is neither blank nor a comment.
fn lines(text: &str) -> Vec<BookLine<'_>> {
    let contents = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    let lines = contents.enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(index, text)| book_line(index + 1, text)).collect()
}

fn book_line(line: usize, text: &str) -> BookLine<'_> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let end = words.iter().position(|&word| word == "moves");
    let start = &words[..end.unwrap_or(words.len())];
    // Chess programs write fields behind the side to move that these games do not have: `- - 0 1`, `- - hmvc 0;`.
    let start = start.split(|&word| word == "-").next().unwrap_or_default();
    let moves = end.map_or(&[][..], |end| &words[end + 1..]);
    BookLine { line, start: self::start(Some(&start.join(" "))), moves: moves.to_vec() }
}

/// The position text, where it is not that of the usual start.
fn start(text: Option<&str>) -> Option<String> {
    text.filter(|text| !["", "startpos"].contains(text)).map(str::to_owned)
}

/// Every line in canonical texts, played through.
fn played(
    file: &str,
    lines: &[BookLine<'_>],
    ruleset: &Ruleset,
    report: &dyn Fn(usize),
) -> Result<Vec<Packed>, BookError> {
    let mut session = ruleset.session()?;
    let mut openings = Vec::with_capacity(lines.len());
    for (index, line) in lines.iter().enumerate() {
        report(index);
        let opening = check(&mut *session, line).map_err(|message| BookError::Line {
            file: file.to_owned(),
            line: line.line,
            message: format!("{message} (ruleset {})", ruleset.label),
        })?;
        openings.push(opening);
    }
    Ok(openings)
}

/// The opening in canonical texts.
fn check(session: &mut dyn Session, line: &BookLine<'_>) -> Result<Packed, String> {
    session.set_position(line.start.as_deref(), &[]).map_err(|error| error.to_string())?;
    let start = line.start.as_ref().map(|_| session.start_text());
    for text in &line.moves {
        session.play(text).map_err(|error| error.to_string())?;
    }
    match session.reason() {
        Some(reason) => Err(format!("the game is over after it: {reason}")),
        None => Ok(Packed::new(start.as_deref(), &session.moves())),
    }
}

#[cfg(test)]
mod tests {
    use reynard_engine::session::registry::{self, RulesetChoice};

    use super::*;

    fn read(text: &str, order: FileOrder, rulesets: &[&str]) -> Result<FileBook, BookError> {
        read_file(text.as_bytes(), OpeningFile { order, plies: Some(3), ..file("book") }, rulesets)
    }

    fn file(name: &str) -> OpeningFile {
        let order = FileOrder::Sequential;
        OpeningFile { path: name.into(), format: None, order, start: None, plies: None, games: None }
    }

    fn read_file(bytes: &[u8], file: OpeningFile, rulesets: &[&str]) -> Result<FileBook, BookError> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(&file.path), bytes).expect("a file");
        let ruleset = |name: &&str| Ruleset::new(RulesetChoice::catalog(name)).expect("a ruleset");
        let rulesets: Vec<Ruleset> = rulesets.iter().map(ruleset).collect();
        FileBook::read(&file, &BookRequest { folder: folder.path(), ..BookRequest::plain(1) }, &rulesets)
    }

    /// The moves of all openings, each as one text.
    fn moves(book: &FileBook) -> Vec<String> {
        (0..book.len()).map(|number| book.opening(0, number).moves.join(" ")).collect()
    }

    const START: &str = "3/3/7/G2F2G/GGGGGGG/GGG/GGG g";

    #[test]
    fn lines_are_positions_moves_or_both() {
        let text = format!("# a comment\n\n{START} # the start\r\nmoves a4-a5 d4d5\n{START} moves a4a5\nstartpos\n");
        let book = read(&text, FileOrder::Sequential, &["masters-15"]).expect("good lines");
        let opening = |number| book.opening(0, number);
        assert_eq!(book.len(), 4);
        assert_eq!((opening(0).start.as_deref(), opening(0).moves.len()), (Some(START), 0));
        assert_eq!((opening(1).start, opening(1).moves), (None, vec!["a4a5".to_owned(), "d4d5".to_owned()]));
        assert_eq!((opening(2).start.as_deref(), opening(2).moves), (Some(START), vec!["a4a5".to_owned()]));
        assert_eq!(opening(3), Opening::default());
        assert_eq!(opening(4), opening(0));
        assert_eq!((book.distinct(0, 0..100), book.distinct(0, 2..5)), (4, 3));
        let twice = read("moves a4a5\nmoves a4-a5\n", FileOrder::Sequential, &["masters-15"]).expect("good lines");
        assert_eq!((twice.len(), twice.distinct(0, 0..100)), (2, 1));
    }

    #[test]
    fn fields_that_only_chess_has_are_passed_over() {
        let text = format!("{START} - - 0 1\n{START} - - hmvc 0; fmvn 1;\n{START} - - 0 1 moves a4a5\n{START}\n");
        let book = read(&text, FileOrder::Sequential, &["masters-15"]).expect("good lines");
        assert!((0..4).all(|number| book.opening(0, number).start.as_deref() == Some(START)));
        assert_eq!(moves(&book), ["", "", "a4a5", ""]);
    }

    #[test]
    fn games_of_a_pgn_file_are_cut_and_repeated() {
        let text = format!("[Event \"x\"]\n\n1. a4a5 d4d5 2. a5zz *\n\n[FEN \"{START}\"]\n\n1. a4a5 {{why}} 1-0\n");
        let book = |start, plies| {
            let (start, plies, games) = (Some(start), Some(plies), Some(4));
            read_file(text.as_bytes(), OpeningFile { start, plies, games, ..file("book") }, &["masters-15"])
        };
        let two_plies = book(1, 2).expect("the wrong move is cut off");
        let starts: Vec<_> = (0..5).map(|number| two_plies.opening(0, number).start.is_some()).collect();
        assert_eq!(starts, [false, false, true, true, false]);
        assert_eq!(two_plies.opening(0, 1).moves, ["a4a5", "d4d5"]);
        let distinct = |numbers| two_plies.distinct(0, numbers);
        assert_eq!([distinct(0..2), distinct(1..3), distinct(3..5), distinct(0..9)], [1, 2, 2, 2]);
        let order = |start| moves(&book(start, 2).expect("a second one"));
        assert_eq!(order(2), ["a4a5", "a4a5", "a4a5 d4d5", "a4a5 d4d5"]);
        // Beyond the end it counts on from the first.
        assert_eq!((order(3), order(4), order(1_000_000)), (order(1), order(2), order(2)));
        assert!(matches!(book(1, 3), Err(BookError::Line { line: 3, message, .. }) if message.contains("a5zz")));
    }

    #[test]
    fn a_pgn_file_is_known_by_its_name_its_begin_or_the_key() {
        let moves = |text: &[u8], name, format| {
            let book = read_file(text, OpeningFile { format, ..file(name) }, &["masters-15"]);
            book.map(|book| moves(&book)).map_err(|error| error.to_string())
        };
        let pgn = Some(FileFormat::Pgn);
        let found = Ok(vec!["a4a5 d4d5".to_owned(), "g4g5".to_owned()]);
        for (text, name, format) in [
            (&b"a4a5 d4d5 * g4g5"[..], "a.PGN", None),
            (b"a4a5 d4d5 * g4g5", "book", pgn),
            (b"; old\r%x\r\r1. a4a5 d4d5 *\r1. g4g5 *", "book", None),
            (b"[White \"Andr\xe9\"]\n1 a4a5 1 ... d4d5*\n[White \"x\"]\ng4g5$1", "book", None),
        ] {
            assert_eq!(moves(text, name, format), found, "{name} {}", String::from_utf8_lossy(text));
        }
        assert_eq!(moves(b"moves a4a5 d4d5\rmoves g4g5\r", "a.pgn", Some(FileFormat::Lines)), found);
        let open = moves(b"[White \"x\"]\n\n1. a4a5 {\n\n[White \"y\"]\n\n1. g4g5 {}", "book", None);
        assert!(open.is_err_and(|message| {
            message.ends_with("book:3: the comment '{' that begins here is not closed before the next game or comment")
        }));
    }

    #[test]
    fn lines_are_counted_while_they_are_checked() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("book"), "moves a4a5\nmoves g4g5\n").expect("a file");
        let rulesets = ["masters-15", "masters-15"].map(|name| Ruleset::new(RulesetChoice::catalog(name)));
        let rulesets: Vec<Ruleset> = rulesets.into_iter().map(|ruleset| ruleset.expect("a ruleset")).collect();
        let reports = std::cell::RefCell::new(Vec::new());
        let report = |ready, wanted| reports.borrow_mut().push((ready, wanted));
        let request = BookRequest { folder: folder.path(), report: &report, ..BookRequest::plain(1) };
        FileBook::read(&file("book"), &request, &rulesets).expect("good lines");
        assert_eq!(*reports.borrow(), [(0, 4), (1, 4), (2, 4), (3, 4)]);
    }

    #[test]
    fn a_wrong_line_is_named_with_its_ruleset() {
        for (text, line, word) in [
            ("moves a4a5\nmoves a4a6\n", 2, "a4a6"),
            ("\n3/3/7 g\n", 2, "position"),
            // The fox is shut in.
            ("# x\n# y\nFGG/GGG/G1GGG2/7/7/3/3 f\n", 3, "over"),
        ] {
            match read(text, FileOrder::Sequential, &["masters-15"]) {
                Err(BookError::Line { line: found, message, .. }) => {
                    assert_eq!(found, line, "{text:?}: {message}");
                    assert!(message.contains(word) && message.contains("masters-15"), "{message}");
                }
                other => panic!("{text:?}: {:?}", other.map(|book| book.len())),
            }
        }
        let other_game = read("moves a4a5\n", FileOrder::Sequential, &["masters-15", "fox-and-hounds"]);
        assert!(
            matches!(other_game, Err(BookError::Line { line: 1, message, .. }) if message.contains("fox-and-hounds"))
        );
        assert!(matches!(read("# nothing\n", FileOrder::Sequential, &["masters-15"]), Err(BookError::File { .. })));
    }

    #[test]
    fn a_shuffled_file_has_all_lines_once_and_the_same_order_again() {
        let session = registry::open(&RulesetChoice::catalog("masters-15")).expect("a ruleset");
        let text: String = session.legal_moves().iter().map(|mv| format!("moves {mv}\n")).collect();
        let order = |order| {
            let book = read(&text, order, &["masters-15"]).expect("good lines");
            let first: Vec<Opening> = (0..book.len()).map(|number| book.opening(0, number)).collect();
            (first, book.checksum())
        };
        let (sequential, shuffled) = (order(FileOrder::Sequential), order(FileOrder::Random));
        assert_ne!(sequential, shuffled);
        assert_eq!(shuffled, order(FileOrder::Random));
        assert!(sequential.0.iter().all(|opening| shuffled.0.contains(opening)));
    }
}
