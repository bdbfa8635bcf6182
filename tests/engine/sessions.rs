//! Searches through a session, without a protocol.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::session::{Event, GoRequest, Options, Session, TimeControl};

fn session() -> Box<dyn Session> {
    registry::open(&RulesetChoice::catalog("masters-15")).unwrap()
}

fn options(settings: &[(&str, &str)]) -> Options {
    let mut options = registry::default_options();
    [("Hash", "4")].iter().chain(settings).for_each(|(name, value)| options.set(name, Some(value)).unwrap());
    options
}

fn untimed(event: Event) -> Event {
    match event {
        Event::Info(mut info) => {
            info.elapsed = Duration::ZERO;
            Event::Info(info)
        }
        other => other,
    }
}

/// The events of a search on the calling thread.
fn here(session: &mut dyn Session, request: &GoRequest, options: &Options) -> Vec<Event> {
    let mut events = Vec::new();
    session.prepare(request, options).unwrap().run(&Arc::default(), &mut |event| events.push(untimed(event)));
    events
}

/// The events of a search in the background.
fn apart(session: &mut dyn Session, request: &GoRequest, options: &Options) -> Vec<Event> {
    let (sender, events) = crossbeam_channel::unbounded();
    let sink = Box::new(move |event| sender.send(untimed(event)).unwrap());
    session.prepare(request, options).unwrap().start(sink).join();
    events.try_iter().collect()
}

#[test]
fn a_search_says_the_same_on_the_calling_thread_and_on_its_own() {
    for searcher in ["alphabeta", "mcts", "random"] {
        let options = options(&[("Searcher", searcher)]);
        let (mut one, mut other) = (session(), session());
        for moves in [&[][..], &["c3c4"], &["c3c4", "d4d5", "b3b4"]] {
            one.set_position(None, moves).unwrap();
            other.set_position(None, moves).unwrap();
            let request = GoRequest::nodes(2_000);
            assert_eq!(here(&mut *one, &request, &options), apart(&mut *other, &request, &options), "{searcher}");
        }
        // One session can do both, and remembers.
        let request = GoRequest::nodes(500);
        assert_eq!(apart(&mut *one, &request, &options), here(&mut *other, &request, &options), "{searcher}");
    }
}

#[test]
fn after_a_clear_every_search_is_like_the_first() {
    for searcher in ["alphabeta", "mcts"] {
        let options = options(&[("Searcher", searcher), ("Seed", "3")]);
        let game = |session: &mut dyn Session| {
            let mut events = Vec::new();
            let mut moves: Vec<String> = Vec::new();
            for _ in 0..8 {
                let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
                session.set_position(None, &texts).unwrap();
                events.extend(here(session, &GoRequest::nodes(5_000), &options));
                let Some(Event::Done(Some(answer))) = events.last() else { panic!("no answer") };
                moves.push(answer.best.clone());
            }
            events
        };
        let mut used = session();
        let first = game(&mut *used);
        here(&mut *used, &GoRequest::nodes(100_000), &options);
        used.clear_search();
        assert_eq!(game(&mut *used), first, "{searcher}");
        assert_eq!(game(&mut *session()), first, "{searcher}");
    }
}

#[test]
fn a_search_on_the_calling_thread_ends_at_the_flag_and_at_the_clock() {
    for searcher in ["alphabeta", "mcts"] {
        let options = options(&[("Searcher", searcher)]);
        let stop = Arc::new(AtomicBool::new(true));
        let mut events = Vec::new();
        let work = session().prepare(&GoRequest::default(), &options).unwrap();
        work.run(&stop, &mut |event| events.push(event));
        assert!(matches!(events.last(), Some(Event::Done(Some(_)))));
        let time = TimeControl { move_time: Some(Duration::from_millis(30)), ..TimeControl::default() };
        let events = here(&mut *session(), &GoRequest { time, ..GoRequest::default() }, &options);
        assert!(events.len() >= 2);
    }
}

#[test]
fn a_finished_game_is_answered_without_a_move() {
    let mut session = session();
    session.set_position(None, &["a1a1"]).unwrap_err();
    let (request, options) = (GoRequest::nodes(10), options(&[]));
    let events = here(&mut *session, &request, &options);
    assert_eq!(events, apart(&mut *session, &request, &options));
    assert!(matches!(&events[..], [Event::Info(_), Event::Done(None)]));
}

#[test]
fn steps_that_can_be_taken_back_are_no_progress() {
    let to_and_fro = ["c3c4", "d4d5", "c4c3", "d5d4"];
    let onward = ["c3c4", "d4d5", "b3b4", "d5d4"];
    for (name, moves, reason) in [
        ("refskak", to_and_fro, Some("no progress")),
        ("refskak", onward, Some("no progress")),
        ("masters-13", onward, None),
    ] {
        let mut choice = RulesetChoice::catalog(name);
        choice.switches = [("no_progress", "4"), ("repetition", "none")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .to_vec();
        let mut session = registry::open(&choice).unwrap();
        moves.iter().for_each(|text| session.play(text).unwrap());
        assert_eq!(session.reason().as_deref(), reason, "{name} {moves:?}");
    }
}

/// Searches that see each parameter: the ruleset, a position or its start, settings, and the limit in nodes.
const SEARCHES: [(&str, Option<&str>, &str, u64); 7] = [
    ("masters-15", None, "Searcher=alphabeta", 20_000),
    ("bagha-chal", None, "Searcher=alphabeta AspirationWindow=5", 20_000),
    ("murray-13", Some(NEARLY_MATE), "Searcher=alphabeta", 20_000),
    ("murray-13", Some(NEARLY_MATE), "Searcher=mcts", 5_000),
    ("masters-15", None, "Searcher=mcts", 5_000),
    ("masters-15", None, "Searcher=mcts MctsRolloutPlies=20", 1_000),
    ("bell-13", Some(MATE_IN_TWO), "Searcher=mcts", 3),
];
/// The fox is caught in ten plies or so.
const NEARLY_MATE: &str = "3/2F/2GGG2/1GGGGG1/4G2/G1G/3 g";
const MATE_IN_TWO: &str = "GGF/GG1/GG1GGG1/1G2GG1/3G3/3/3 g";
/// What needs a clock, tables, or choices among dice to have an effect.
const UNSEEN: [&str; 4] = ["Time", "MctsTime", "TableDepth", "ChancePruning"];

#[test]
fn each_parameter_of_a_searcher_changes_a_search() {
    let said = |changed: &[(&str, &str)], index: usize| {
        let (ruleset, position, settings, nodes) = SEARCHES[index];
        let mut session = registry::open(&RulesetChoice::catalog(ruleset)).unwrap();
        session.set_position(position, &[]).unwrap();
        let settings = registry::parse_switches(settings).unwrap();
        let settings = settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings: Vec<_> = settings.chain(changed.iter().copied()).chain([("EvalFile", "linear")]).collect();
        here(&mut *session, &GoRequest::nodes(nodes), &options(&settings))
    };
    let usual: Vec<_> = (0..SEARCHES.len()).map(|index| said(&[], index)).collect();
    let searchers = registry::PARAMETERS.iter().filter(|group| ["alphabeta", "mcts", "proof"].contains(&group.name));
    let parameters = searchers.flat_map(|group| group.parameters);
    let idle =
        parameters.map(|parameter| (parameter.name, [parameter.min, parameter.max].map(|edge| edge.to_string())));
    let idle: Vec<_> = idle
        .filter(|(name, _)| !UNSEEN.iter().any(|unseen| name.starts_with(unseen)))
        .filter(|(name, edges)| {
            let same = |edge: &String| (0..SEARCHES.len()).all(|index| said(&[(name, edge)], index) == usual[index]);
            edges.iter().all(same)
        })
        .map(|(name, _)| name)
        .collect();
    assert!(idle.is_empty(), "{idle:?} change nothing");
}

#[test]
fn a_draw_has_its_score_for_the_side_that_the_engine_plays() {
    let switches = vec![("no_progress".to_owned(), "1".to_owned())];
    let mut session = registry::open(&RulesetChoice { switches, ..RulesetChoice::catalog("murray-13") }).unwrap();
    // The next step draws the game: that of the geese after the fox has been placed, or their own.
    for moves in [&[][..], &["@d4"]] {
        session.set_position(None, moves).unwrap();
        let asked = options(&[("Searcher", "alphabeta"), ("DrawScore", "30")]);
        let events = here(&mut *session, &GoRequest::nodes(2_000), &asked);
        let mut scores = events.iter().filter_map(|event| match event {
            Event::Info(info) => info.lines.first().map(|line| line.score.0),
            _ => None,
        });
        assert_eq!(scores.next_back(), Some(30), "{moves:?}");
    }
}
