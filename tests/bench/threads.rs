//! How long alphabeta takes to a depth with two threads, as a share of the time of one: `cargo bench --bench threads`, some four
//! minutes with two idle processors. Two threads never search alike twice: look at the median and the mean.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::search::SearchLimits;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::session::{GoRequest, Searched, Session, search_and_wait};

const GAMES: [&str; 6] = ["bell-13", "masters-15", "murray-13", "two-foxes-24", "siege", "the-game"];
/// The plies before the positions of a game, played by searches of few nodes.
const PLIES: [usize; 4] = [4, 10, 16, 22];
const FEW_NODES: [u64; 4] = [1, 30, 200, 1000];
/// The time in which one thread shows how deep it comes.
const TIME: Duration = Duration::from_millis(2500);
/// Searches with two threads for each position.
const SEARCHES: u32 = 2;

/// One search from an empty table.
fn search(session: &mut dyn Session, request: &GoRequest, threads: &str) -> Searched {
    let mut options = registry::default_options();
    for (name, value) in [("Searcher", "alphabeta"), ("Hash", "64"), ("Threads", threads)] {
        options.set(name, Some(value)).expect("an option of the engine");
    }
    session.clear_search();
    session.make_ready(&options);
    search_and_wait(session, request, &options).expect("every move is allowed")
}

/// Seconds and the depth of the last report.
fn last(searched: Searched) -> (f64, u32) {
    let report = searched.report.expect("a search reports");
    (report.elapsed.as_secs_f64(), report.depth)
}

fn main() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut shares = Vec::new();
    for (game, plies) in GAMES.into_iter().flat_map(|game| PLIES.map(|plies| (game, plies))) {
        let mut session = registry::open(&RulesetChoice::catalog(game)).expect("a game of the catalog");
        for _ in 0..plies {
            let nodes = FEW_NODES[rng.random_range(0..FEW_NODES.len())];
            let answer = search(&mut *session, &GoRequest::nodes(nodes), "1").answer;
            let Some(best) = answer else { break };
            session.play(&best.best).expect("a legal move");
        }
        let (_, depth) = last(search(&mut *session, &GoRequest::move_time(TIME), "1"));
        let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
        let request = GoRequest { limits, ..GoRequest::default() };
        let (one, _) = last(search(&mut *session, &request, "1"));
        let two =
            (0..SEARCHES).map(|_| last(search(&mut *session, &request, "2")).0).sum::<f64>() / f64::from(SEARCHES);
        println!(
            "{game:<14} after {plies:>2} plies, depth {depth:>3}: {one:.2} s, two threads {two:.2} s, {:.2}",
            two / one
        );
        shares.push(two / one);
    }
    shares.sort_by(f64::total_cmp);
    let mean = (shares.iter().map(|share| share.ln()).sum::<f64>() / shares.len() as f64).exp();
    println!("median {:.2}, geometric mean {mean:.2}", shares[shares.len() / 2]);
}
