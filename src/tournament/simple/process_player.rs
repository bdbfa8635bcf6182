//! A player in a process of its own, spoken to in UGI.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};

use super::player::{Allowance, Player, PlayerError};
use super::session_player::sets_seed;
use super::spec::Contestant;
use crate::engine::registry::{RulesetChoice, RulesetSource};

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(30);
/// Lines that may wait to be read; a process that writes more is made to wait itself.
const WAITING_LINES: usize = 4096;
/// How long a process may take to end by itself once it was told to.
const FAREWELL: Duration = Duration::from_millis(500);

/// A child process; dropping it ends it, by force where it must.
pub struct ProcessPlayer {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    has_own_seed: bool,
}

impl ProcessPlayer {
    /// Starts the program, greets it, and sets ruleset and options.
    ///
    /// # Errors
    /// The program does not start, does not speak UGI, or refuses an option.
    pub fn start(program: &Path, ruleset: &RulesetChoice, contestant: &Contestant) -> Result<Self, PlayerError> {
        let mut player = Self::spawn(program)?;
        player.has_own_seed = sets_seed(contestant);
        player.say("ugi")?;
        player.expect("ugiok", HANDSHAKE)?;
        for (name, value) in rules_options(ruleset).iter().chain(&contestant.options) {
            player.say(&format!("setoption name {name} value {value}"))?;
        }
        player.settle()?;
        Ok(player)
    }

    fn spawn(program: &Path) -> Result<Self, PlayerError> {
        let failed = |error: std::io::Error| PlayerError::Start(format!("{}: {error}", program.display()));
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(PlayerError::Gone);
        };
        let (sender, lines) = bounded(WAITING_LINES);
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(ProcessPlayer { child, input, lines, has_own_seed: false })
    }

    fn say(&mut self, line: &str) -> Result<(), PlayerError> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| PlayerError::Gone)
    }

    /// Waits until all that was said is done; complaints are errors.
    fn settle(&mut self) -> Result<(), PlayerError> {
        self.say("isready")?;
        self.expect("readyok", HANDSHAKE).map(|_| ())
    }

    /// The first line that begins with `word`.
    fn expect(&mut self, word: &str, patience: Duration) -> Result<String, PlayerError> {
        let deadline = Instant::now() + patience;
        let mut complaint = None;
        loop {
            let line = self.lines.recv_deadline(deadline).map_err(|error| match error {
                RecvTimeoutError::Timeout => PlayerError::Silent,
                RecvTimeoutError::Disconnected => PlayerError::Gone,
            })?;
            if line.split_whitespace().next() == Some(word) {
                return complaint.map_or(Ok(line), |message| Err(PlayerError::Refused(message)));
            }
            if let Some(message) = line.strip_prefix("info string error ") {
                complaint.get_or_insert(message.to_owned());
            }
        }
    }
}

fn rules_options(ruleset: &RulesetChoice) -> Vec<(String, String)> {
    let source = match &ruleset.source {
        RulesetSource::Catalog(name) => ("UCI_Variant".to_owned(), name.clone()),
        RulesetSource::File(path) => ("RulesFile".to_owned(), path.display().to_string()),
    };
    // Switches are separated by blanks, and no value needs one inside.
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    let switches: Vec<String> =
        ruleset.switches.iter().map(|(key, value)| format!("{key}={}", packed(value))).collect();
    let mut options = vec![source];
    if !switches.is_empty() {
        options.push(("RuleSwitches".to_owned(), switches.join(" ")));
    }
    options
}

impl Player for ProcessPlayer {
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        if !self.has_own_seed {
            self.say(&format!("setoption name Seed value {seed}"))?;
        }
        self.say("uginewgame")?;
        self.settle()
    }

    fn choose(&mut self, moves: &[String], allowance: &Allowance) -> Result<String, PlayerError> {
        let history = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.say(&format!("position startpos{history}"))?;
        self.say(&allowance.command())?;
        let answer = self.expect("bestmove", allowance.patience())?;
        match answer.split_whitespace().nth(1) {
            Some("(none)") | None => Err(PlayerError::NoMove),
            Some(text) => Ok(text.to_owned()),
        }
    }
}

impl Drop for ProcessPlayer {
    fn drop(&mut self) {
        // It may be gone already: then there is nothing to end.
        let _ = self.say("quit");
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
