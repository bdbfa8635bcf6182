//! Whatever XBoard sends, the engine lives and answers.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{START, moves, told};
use crate::protocol::client::Client;

/// What XBoard may well say.
const LINES: &[&str] = &[
    "xboard",
    "protover 2",
    "accepted usermove",
    "new",
    "variant masters-15",
    "variant two-foxes-24",
    "variant fox-and-hounds",
    "variant catch-the-hare",
    "variant siege",
    "variant bagha-chal",
    "force",
    "go",
    "playother",
    "usermove a4a5",
    "usermove g4g5",
    "usermove d4d5",
    "usermove d4d5,d5d6",
    "usermove d4xd6xb6",
    "usermove @@@@",
    "setboard **3**/**3**/7/G2f2G/GGGGGGG/**GGG**/**GGG** w - - 0 1",
    "setboard **3**/**3**/3GG2/3f3/GG3GG/**3**/**3** b - - 0 1",
    "undo",
    "remove",
    "analyze",
    ".",
    "exit",
    "hint",
    "bk",
    "?",
    "post",
    "nopost",
    "computer",
    "level 40 0:30 0",
    "st 0.01",
    "sd 3",
    "time 100",
    "otim 100",
    "memory 2",
    "cores 1",
    "option Searcher=mcts",
    "option Searcher=alphabeta",
    "option MultiPV=3",
    "option Clear Hash",
    "option Ponder=1",
    "option RuleSwitches=chain=false",
    "option RuleSwitches=fox_start=choose",
    "option RuleSwitches=",
    "option RulesFile=nowhere",
    "option RulesFile=",
    "option Ruleset=renard-1668",
    "result 1-0 {geese win}",
    "ping",
    "ping 3",
    "name Somebody",
    "99999999999999999999",
    "\u{fffd}",
    "\t",
];

/// A line as it should be, changed in a few bytes, made of the words of others, or of any bytes.
fn random_line(rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut line = match rng.random_range(0..6) {
        0 => (0..rng.random_range(0..60)).map(|_| rng.next_u32() as u8).collect(),
        1 => (0..rng.random_range(1..5)).map(|_| word(rng)).collect::<Vec<_>>().join(" ").into_bytes(),
        2 | 3 => mutated(pick(LINES, rng).as_bytes().to_vec(), rng),
        _ => pick(LINES, rng).as_bytes().to_vec(),
    };
    line.retain(|&byte| byte != b'\n');
    let is_quit = String::from_utf8_lossy(&line).trim_start().starts_with("quit");
    if is_quit { Vec::new() } else { line }
}

fn pick<'a>(texts: &[&'a str], rng: &mut ChaCha8Rng) -> &'a str {
    texts[rng.random_range(0..texts.len())]
}

fn word(rng: &mut ChaCha8Rng) -> &'static str {
    let words: Vec<&str> = pick(LINES, rng).split([' ', '=']).collect();
    pick(&words, rng)
}

fn mutated(mut line: Vec<u8>, rng: &mut ChaCha8Rng) -> Vec<u8> {
    for _ in 0..rng.random_range(1..4) {
        let place = rng.random_range(0..=line.len());
        match rng.random_range(0..4) {
            0 => line.insert(place, rng.next_u32() as u8),
            1 => line.truncate(place),
            2 => line.extend_from_within(place..),
            _ if place < line.len() => line[place] = rng.random_range(b' '..=b'~'),
            _ => {}
        }
    }
    line
}

#[test]
fn five_thousand_random_lines_leave_the_session_answering() {
    let mut client = Client::new();
    client.send("xboard\nprotover 2\nmemory 1");
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for batch in 1000..1100 {
        for _ in 0..50 {
            client.send_bytes(&random_line(&mut rng));
            client.send_bytes(b"\n");
        }
        // A move under way comes before the pong, at once or never.
        client.send(if batch % 2 == 0 { "?" } else { "force" });
        client.send(&format!("ping {batch}"));
        client.until(&format!("pong {batch}"));
    }
    told(&mut client, "exit\nvariant masters-15\noption RuleSwitches=\nnew\nvariant masters-15\nforce");
    assert!(told(&mut client, &format!("setboard {START}\nusermove a4a5")).is_empty());
    assert_eq!(moves(&told(&mut client, "level 40 5 0\nst 0.05\ngo")).len(), 1);
}
