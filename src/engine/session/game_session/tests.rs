//! Sessions with toy tables.

use std::cell::RefCell;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::GameSession;
use super::tables::TableFolders;
use crate::rules::hunt::Hunt;
use crate::rules::{Game, Notation};
use crate::search::SearchInfo;
use crate::session::options::Options;
use crate::session::registry::default_options;
use crate::session::{Event, GoRequest, Session};
use crate::tablebase::toy::{SolvedGame, ToyTables, small_hunt};
use crate::tablebase::{Metric, TableError, Tables};

type Small = Hunt<u64>;

/// Opens toy tables, whose kind is given by the folder's name.
fn toy_tables(_: &Small, folder: &Path, metric: Metric) -> Result<Option<Arc<dyn Tables<Small>>>, TableError> {
    let toy = |damaged| ToyTables { solved: solved(), most_pieces: 99, damaged };
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match name {
        "ends" if metric == Metric::End => Ok(Some(Arc::new(toy(None)))),
        "whole, damaged ends" if metric == Metric::End => {
            Err(TableError::damaged(&folder.join("x.ends"), "header", "no JSON"))
        }
        _ if metric == Metric::End => Ok(None),
        "whole" | "whole, damaged ends" => Ok(Some(Arc::new(toy(None)))),
        "holes" => Ok(Some(Arc::new(toy(Some(5))))),
        "broken" => Err(TableError::damaged(&folder.join("x.table"), "header", "no JSON")),
        _ => Ok(None),
    }
}

fn solved() -> Arc<SolvedGame<Small>> {
    static SOLVED: OnceLock<Arc<SolvedGame<Small>>> = OnceLock::new();
    Arc::clone(SOLVED.get_or_init(|| {
        let game = small_hunt(&[]);
        Arc::new(SolvedGame::from(&game, &[game.start()]))
    }))
}

fn session() -> GameSession<Small> {
    GameSession {
        table_folders: RefCell::new(TableFolders::new(toy_tables)),
        ..GameSession::new(small_hunt(&[]), None)
    }
}

/// Options with a folder of this name, which exists as long as the guard does.
fn options(name: &str, settings: &[(&str, &str)]) -> (tempfile::TempDir, Options) {
    let guard = tempfile::tempdir().unwrap();
    let folder = guard.path().join(name);
    std::fs::create_dir(&folder).unwrap();
    let mut options = default_options();
    let path = folder.display().to_string();
    let given = [("Hash", "1"), ("TablePath", path.as_str())];
    given.iter().chain(settings).for_each(|(name, value)| options.set(name, Some(value)).unwrap());
    (guard, options)
}

/// The reports of a search in the background.
fn search(session: &mut dyn Session, options: &Options) -> Vec<SearchInfo<String>> {
    let (sender, events) = crossbeam_channel::unbounded();
    let sink = Box::new(move |event| sender.send(event).unwrap());
    session.prepare(&GoRequest::nodes(20_000), options).unwrap().start(sink).join();
    let info = |event| match event {
        Event::Info(info) => Some(info),
        _ => None,
    };
    events.try_iter().filter_map(info).collect()
}

fn remarks(infos: &[SearchInfo<String>]) -> Vec<&str> {
    infos.iter().filter_map(|info| info.remark.as_deref()).collect()
}

#[test]
fn tables_are_asked_by_every_searcher_that_looks_ahead() {
    for (searcher, asks) in [("auto", true), ("alphabeta", true), ("mcts", true), ("random", false), ("greedy", false)]
    {
        let (_guard, options) = options("whole", &[("Searcher", searcher)]);
        let mut session = session();
        let infos = search(&mut session, &options);
        assert_eq!(infos.last().unwrap().tbhits > 0, asks, "{searcher}");
        assert_eq!(remarks(&infos), Vec::<&str>::new());
    }
}

#[test]
fn a_path_without_tables_is_reported_once_and_looked_at_again_in_a_new_game() {
    for (name, words) in [("bare", "holds no tables of small"), ("broken", "x.table, header: no JSON")] {
        let (_guard, options) = options(name, &[]);
        let mut session = session();
        let first = search(&mut session, &options);
        let reported = remarks(&first);
        assert!(matches!(reported[..], [one] if one.contains(words) && one.contains("TablePath")), "{reported:?}");
        assert_eq!(remarks(&search(&mut session, &options)), Vec::<&str>::new());
        session.clear_search();
        assert_eq!(remarks(&search(&mut session, &options)).len(), 1);
    }
}

#[test]
fn a_session_made_ready_leaves_nothing_for_the_search_to_prepare() {
    let (_guard, mut options) = options("broken", &[]);
    options.set("EvalFile", Some("/no/such/file")).unwrap();
    let mut session = session();
    let has_searcher = |session: &GameSession<Small>| session.searcher.lock().unwrap().is_some();
    assert!(!has_searcher(&session) && session.table_folders.get_mut().is_empty());
    session.make_ready(&options);
    assert!(has_searcher(&session) && !session.table_folders.get_mut().is_empty());
    // What there is to say about these settings, the first search still says.
    session.make_ready(&options);
    let first = search(&mut session, &options);
    let said = |one: &str| one.contains("/no/such/file") && one.contains("x.table");
    assert!(matches!(remarks(&first)[..], [one] if said(one)), "{:?}", remarks(&first));
    session.make_ready(&options);
    assert_eq!(remarks(&search(&mut session, &options)), Vec::<&str>::new());
}

#[test]
fn a_path_that_is_no_folder_is_reported() {
    let (_guard, mut options) = options("whole", &[]);
    options.set("TablePath", Some("/no/such/folder")).unwrap();
    let mut session = session();
    let infos = search(&mut session, &options);
    assert!(matches!(remarks(&infos)[..], [one] if one.contains("/no/such/folder: no such folder")), "{infos:?}");
    assert!(session.table_value(&options, Metric::Conversion).is_err());
}

#[test]
fn distances_to_the_end_alone_are_not_enough() {
    let (_guard, options) = options("ends", &[]);
    let infos = search(&mut session(), &options);
    assert!(matches!(remarks(&infos)[..], [one] if one.contains("'reynard table build small'")), "{infos:?}");
}

#[test]
fn damaged_distances_to_the_end_leave_those_to_conversion() {
    let (_guard, options) = options("whole, damaged ends", &[]);
    let mut session = session();
    let infos = search(&mut session, &options);
    assert!(matches!(remarks(&infos)[..], [one] if one.contains("x.ends")), "{infos:?}");
    assert!(infos.last().is_some_and(|info| info.tbhits > 0), "{infos:?}");
    assert!(session.table_value(&options, Metric::Conversion).is_ok_and(|value| value.is_some()));
    assert!(session.table_value(&options, Metric::End).is_err());
}

#[test]
fn a_damaged_table_is_reported_once_in_a_session() {
    let (_guard, options) = options("holes", &[]);
    let mut session = session();
    let first = search(&mut session, &options);
    assert!(matches!(remarks(&first)[..], [one] if one.contains("block 7")), "{:?}", remarks(&first));
    assert_eq!(remarks(&search(&mut session, &options)), Vec::<&str>::new());
}

#[test]
fn the_probe_limit_is_obeyed_and_refused_out_of_range() {
    let (_guard, mut options) = options("whole", &[("TableProbeLimit", "0")]);
    assert_eq!(options.table_probe_limit(), 0);
    for wrong in ["-1", "1000", "many"] {
        assert!(options.set("TableProbeLimit", Some(wrong)).is_err());
    }
    // The move at the root is still perfect.
    let mut session = session();
    let value = session.table_value(&options, Metric::Conversion).unwrap().unwrap();
    let values = session.move_table_values(&options, Metric::Conversion).unwrap();
    let best = search(&mut session, &options).last().unwrap().lines[0].pv[0].clone();
    let (_, after) = values.iter().find(|(text, _)| *text == best).unwrap();
    assert_eq!(after.unwrap().winner, value.winner);
}

#[test]
fn a_probe_tells_the_position_and_every_move() {
    let (_guard, options) = options("whole", &[]);
    let (game, session) = (small_hunt(&[]), session());
    assert_eq!(session.table_value(&options, Metric::Conversion), Ok(Some(solved().verdict(&game, &game.start()))));
    let values = session.move_table_values(&options, Metric::Conversion).unwrap();
    assert_eq!(values.len(), session.legal_moves().len());
    for (text, verdict) in values {
        let mv = game.parse_move(&game.start(), &text).unwrap();
        let after = game.play_unchecked(&game.start(), mv);
        let expected = solved().verdict(&game, &after).before(game.is_irreversible(&game.start(), mv));
        assert_eq!(verdict, Some(expected));
    }
    assert_eq!(session.table_value(&default_options(), Metric::Conversion), Ok(None));
}
