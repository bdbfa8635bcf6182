//! The house rules that a program can check: floors, silence of the lower rooms, size, nothing left undone.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of the engine, lowest first: a room imports only from itself and from those before it.
const ENGINE: &[&str] = &[
    "parallel",
    "files",
    "geometry",
    "rules",
    "eval",
    "tablebase",
    "search",
    "learning",
    "solver",
    "chances",
    "session",
    "protocol",
];

/// The rooms of the program in the same order. That the engine imports none of them, the compiler sees to.
const PROGRAM: &[&str] = &["svg", "page", "tournament", "tune", "gui", "cli"];

/// The rooms that neither print nor read files or clocks.
const SILENT: &[&str] = &["parallel", "geometry", "rules", "eval", "search", "solver", "chances"];

/// What only the engine names: games are behind its door for the program.
const BEHIND_THE_DOOR: &[&str] = &[
    "GameSupport",
    "SearchHints",
    "Searcher<",
    "Evaluator<",
    "Record<",
    "Hunt<",
    "Solitaire<",
    "TheGame<",
    "Goose::",
    "AlphaBeta::",
    "Mcts::",
    "HuntTables",
];

const MAX_LINES: usize = 500;
/// The most columns of a line of the page's code.
const MAX_COLUMNS: usize = 140;

/// A source file, without its tests.
struct Source {
    /// Relative to `src`.
    path: PathBuf,
    lines: usize,
    /// Numbered lines of code: no comments, no test modules.
    code: Vec<(usize, String)>,
}

impl Source {
    /// The rooms of its crate.
    fn floors(&self) -> &'static [&'static str] {
        if self.path.starts_with("engine") { ENGINE } else { PROGRAM }
    }

    fn room(&self) -> String {
        let within = self.path.strip_prefix("engine").unwrap_or(&self.path);
        let first = within.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
        first.unwrap_or_default().trim_end_matches(".rs").to_string()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Files and folders that exist for tests only: `#[cfg(test)]` stands before their `mod name;`.
fn test_modules(path: &Path, text: &str) -> Vec<PathBuf> {
    let folder = match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("mod" | "lib" | "main") => path.parent().map(Path::to_path_buf),
        _ => Some(path.with_extension("")),
    };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let names = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]").filter_map(|pair| {
        let name = pair[1].split_once("mod ")?.1;
        name.strip_suffix(';')
    });
    names.flat_map(|name| folder.iter().map(move |folder| folder.join(name))).collect()
}

/// The code lines of a text: whole-line comments and everything from an inline test module on are left out.
fn code_of(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let is_test_module = |index: usize| {
        lines[index].trim() == "#[cfg(test)]" && lines.get(index + 1).is_some_and(|next| next.contains('{'))
    };
    let end = (0..lines.len()).find(|&index| is_test_module(index)).unwrap_or(lines.len());
    let numbered = lines[..end].iter().enumerate().map(|(index, line)| (index + 1, line.trim().to_string()));
    numbered.filter(|(_, line)| !line.starts_with("//")).collect()
}

fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    rust_files(&root(), &mut files);
    let texts: Vec<(PathBuf, String)> =
        files.into_iter().map(|path| (path.clone(), fs::read_to_string(&path).expect("a readable file"))).collect();
    let tests: Vec<PathBuf> = texts.iter().flat_map(|(path, text)| test_modules(path, text)).collect();
    let is_test = |path: &Path| tests.iter().any(|test| path.starts_with(test) || path.with_extension("") == *test);
    let source = |(path, text): (PathBuf, String)| Source {
        code: if is_test(&path) { Vec::new() } else { code_of(&text) },
        lines: text.lines().count(),
        path: path.strip_prefix(root()).unwrap_or(&path).to_path_buf(),
    };
    let sources: Vec<Source> = texts.into_iter().map(source).collect();
    assert!(sources.len() > 30, "only {} files found", sources.len());
    sources
}

/// The rooms named after `crate::` in a line, groups such as `crate::{eval::Evaluator, rules}` included.
fn imported_rooms(line: &str) -> Vec<&str> {
    let word = |text: &'_ str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let mut rooms = Vec::new();
    for (at, found) in line.match_indices("crate::") {
        let rest = &line[at + found.len()..];
        match rest.strip_prefix('{') {
            None => rooms.push(&rest[..word(rest)]),
            Some(group) => rooms.extend(top_level(group).into_iter().map(|item| &item[..word(item)])),
        }
    }
    rooms
}

/// The items of a braced group, those of inner groups left out.
fn top_level(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(group[start..at].trim());
                return items;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(group[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(group[start..].trim());
    items
}

/// Whether an import of `to` from `from` goes up.
fn climbs(floors: &[&str], from: &str, to: &str) -> bool {
    let floor = |room: &str| floors.iter().position(|&name| name == room);
    match (floor(from), floor(to)) {
        (Some(from), Some(to)) => to > from,
        // Macros and other names at the crate's root belong to no floor.
        _ => false,
    }
}

fn complaints(check: impl Fn(&Source, &str) -> Option<String>) -> Vec<String> {
    let sources = sources();
    let of_source = |source: &Source| {
        let complaint = |(number, line): &(usize, String)| {
            check(source, line).map(|what| format!("src/{}:{number}: {what}: {line}", source.path.display()))
        };
        source.code.iter().filter_map(complaint).collect::<Vec<_>>()
    };
    sources.iter().flat_map(of_source).collect()
}

fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn imports_never_point_up() {
    assert_none(&complaints(|source, line| {
        let room = source.room();
        let up = imported_rooms(line).into_iter().find(|to| climbs(source.floors(), &room, to))?;
        Some(format!("{room} stands below {up}"))
    }));
}

#[test]
fn every_room_has_a_floor() {
    for source in sources() {
        let room = source.room();
        assert!(
            source.floors().contains(&room.as_str()) || ["lib", "main", "testing"].contains(&room.as_str()),
            "no floor for {room}"
        );
    }
}

#[test]
fn the_maps_in_the_crate_docs_list_the_rooms_in_floor_order() {
    for (file, floors) in [("engine/lib.rs", ENGINE), ("lib.rs", PROGRAM)] {
        let text = fs::read_to_string(root().join(file)).expect("a crate's root");
        let name =
            |line: &str| line.strip_prefix("//! - [`").and_then(|rest| rest.split('`').next()).map(str::to_owned);
        let listed: Vec<String> = text.lines().filter_map(name).collect();
        assert_eq!(listed, floors, "{file}");
        assert!(floors.iter().all(|room| text.contains(&format!("mod {room};"))), "{file}");
    }
}

#[test]
fn the_program_sees_games_through_the_door_alone() {
    assert_none(&complaints(|source, line| {
        let name = BEHIND_THE_DOOR.iter().find(|&&name| line.contains(name))?;
        (!source.path.starts_with("engine")).then(|| format!("{name} is the engine's"))
    }));
}

#[test]
fn an_import_that_climbs_is_noticed() {
    assert_eq!(imported_rooms("use crate::search::SearchLimits;"), ["search"]);
    assert_eq!(imported_rooms("use crate::{eval::{a, b}, rules, search::X};"), ["eval", "rules", "search"]);
    assert_eq!(imported_rooms("let x = crate::eval::f(crate::rules::g());"), ["eval", "rules"]);
    assert!(
        ["rules", "geometry", "search"]
            .into_iter()
            .zip(["search", "rules", "session"])
            .all(|(from, to)| climbs(ENGINE, from, to))
    );
    assert!(!["rules", "search", "Score"].into_iter().any(|to| climbs(ENGINE, "search", to)));
}

#[test]
fn the_lower_rooms_are_silent_and_timeless() {
    const FORBIDDEN: &[&str] = &[
        "std::fs",
        "std::io",
        "std::process",
        "std::env",
        "std::net",
        "println!",
        "print!(",
        "dbg!",
        "Instant::now",
        "SystemTime",
        "static mut",
    ];
    assert_none(&complaints(|source, line| {
        let word = FORBIDDEN.iter().find(|&&word| line.contains(word))?;
        SILENT.contains(&source.room().as_str()).then(|| format!("{word} in {}", source.room()))
    }));
}

#[test]
fn nothing_is_left_undone_and_nothing_unwraps() {
    const FORBIDDEN: &[&str] = &["todo!", "unimplemented!", "#[ignore", ".unwrap()", "dbg!("];
    assert_none(&complaints(|_, line| {
        FORBIDDEN.iter().find(|&&word| line.contains(word)).map(|word| word.to_string())
    }));
}

#[test]
fn no_test_is_ignored() {
    let mut files = Vec::new();
    rust_files(&root(), &mut files);
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), &mut files);
    let is_ignored = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a readable file");
        text.lines().any(|line| line.trim().starts_with("#[ignore"))
    };
    let ignored: Vec<PathBuf> = files.into_iter().filter(is_ignored).collect();
    assert!(ignored.is_empty(), "{ignored:?}");
}

#[test]
fn no_file_is_too_long() {
    for source in sources() {
        assert!(source.lines <= MAX_LINES, "src/{} has {} lines", source.path.display(), source.lines);
    }
}

/// The page's lines are counted, so they are not joined; what is inlined for a browser stands in one.
#[test]
fn no_line_of_the_page_is_too_long() {
    let folders = ["gui/assets", "svg"].map(|folder| fs::read_dir(root().join(folder)).expect("a folder"));
    let files = folders.into_iter().flatten().map(|entry| entry.expect("a file").path());
    let is_code = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "css" || kind == "js");
    for path in files.filter(is_code) {
        let text = fs::read_to_string(&path).expect("text");
        let mut long = text.lines().filter(|line| line.chars().count() > MAX_COLUMNS && !line.contains("url("));
        assert_eq!(long.next(), None, "{}", path.display());
    }
}

#[test]
fn only_the_registry_knows_rulesets_by_name() {
    let names: Vec<String> = reynard_engine::rules::catalog::names().map(|name| format!("\"{name}\"")).collect();
    assert_none(&complaints(|source, line| {
        let allowed = source.path.starts_with("engine/rules/catalog") || source.path.ends_with("registry.rs");
        let name = names.iter().find(|name| !allowed && line.contains(name.as_str()))?;
        // The default ruleset of a command line is data too.
        (!line.contains("default_value")).then(|| format!("names {name}"))
    }));
}

#[test]
fn the_modules_of_the_page_import_in_no_circle() {
    let folder = root().join("gui/assets");
    let entries = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let imports = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a module");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let found = text.split("\"./").skip(1).filter_map(|rest| rest.split_once('"'));
        (name, found.map(|(import, _)| import.to_owned()).collect::<Vec<_>>())
    };
    let mut modules: Vec<(String, Vec<String>)> =
        entries.filter(|path| path.extension().is_some_and(|kind| kind == "js")).map(imports).collect();
    assert!(modules.iter().map(|(_, imports)| imports.len()).sum::<usize>() > 100, "the imports are found");
    // A module goes when all that it imports has gone; those of a circle, and those above it, stay.
    loop {
        let names: Vec<String> = modules.iter().map(|(name, _)| name.clone()).collect();
        modules.retain(|(_, imports)| imports.iter().any(|import| names.contains(import)));
        if modules.len() == names.len() {
            break;
        }
    }
    assert!(modules.is_empty(), "{modules:?}");
}
