//! `reynard gui`: the board in the browser.

use std::env;
use std::fs;
use std::io::{ErrorKind, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::Context;
use clap::Args;
use tokio::sync::Notify;

use super::exit::{Status, UsageError, complain};
use super::interrupt;
use crate::gui::{self, DEFAULT_PORT, Limits, Program, Settings, Token};

#[derive(Args)]
pub(super) struct GuiArgs {
    /// The port of this machine on which the board is served; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PORT)]
    port: u16,
    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,
    /// Another UGI engine for the board: a program with its arguments, one text that is split as a shell splits it; may
    /// be repeated
    #[arg(long, value_name = "CMD")]
    engine: Vec<String>,
    /// A folder of tables of perfect play, made where there is none [default: the environment variable REYNARD_TABLES, else one of this user's]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Watch the run in this folder, a tournament or a tuning, running or finished; it may begin later, also from the page [default: a folder of this user's for the runs that pages start]
    #[arg(long, value_name = "DIR")]
    watch: Option<PathBuf>,
    /// Most engine processes at the same time
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=1000))]
    max_engines: u16,
    /// Memory that each engine process may take, MiB; kept to on Linux only
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(64..=1 << 20))]
    engine_memory: u64,
}

pub(super) fn run(args: &GuiArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let settings = settings(args)?;
    let listener = listen(args.port)?;
    let port = listener.local_addr()?.port();
    // Kept so that a browser that is known stays known.
    let path = state_folder().context("no place for the token of the board: HOME is not set")?.join("gui-token");
    let token = Token::kept_in(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let end = Arc::new(Notify::new());
    let asked = Arc::clone(&end);
    interrupt::call_at_first(move || asked.notify_one())?;
    let once = Token::random().context("no token for the browser")?;
    let address = |kind: &str, token: &Token| format!("http://127.0.0.1:{port}/?{kind}={}", token.text());
    writeln!(out, "The board is at {}\nCtrl-C ends it.", address("token", &token))?;
    out.flush()?;
    if !args.no_open && has_display() {
        open(address("once", &once));
    }
    gui::serve(listener, [token, once], settings, async move { end.notified().await })
        .context("the server has failed")?;
    Ok(Status::Done)
}

fn settings(args: &GuiArgs) -> anyhow::Result<Settings> {
    let watch = watch(args)?;
    // One that is not there is made.
    let is_something_else = |folder: &&PathBuf| folder.exists() && !folder.is_dir();
    if let Some(folder) = args.tables.iter().chain([&watch]).find(is_something_else) {
        return Err(UsageError(format!("{} is not a folder", folder.display())).into());
    }
    let path = env::current_exe().context("cannot find this program itself")?;
    let ourselves = Program { name: "reynard".to_owned(), path, arguments: Vec::new() };
    let others = args.engine.iter().map(|command| program(command)).collect::<Result<Vec<_>, _>>()?;
    Ok(Settings {
        programs: std::iter::once(ourselves).chain(others).collect(),
        limits: Limits { engines: args.max_engines, memory_mib: args.engine_memory },
        tables: tables(args)?,
        watch,
    })
}

/// The folder of tables, made for builds from the page.
fn tables(args: &GuiArgs) -> anyhow::Result<PathBuf> {
    let variable = || env::var_os("REYNARD_TABLES").filter(|value| !value.is_empty()).map(PathBuf::from);
    let named = args.tables.clone().or_else(variable).or_else(|| Some(state_folder()?.join("tables")));
    let folder = std::path::absolute(named.context("no place for tables: HOME is not set")?)?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    Ok(folder)
}

/// The folder of runs; the first run of a page makes it.
fn watch(args: &GuiArgs) -> anyhow::Result<PathBuf> {
    let named = args.watch.clone().or_else(|| Some(state_folder()?.join("runs")));
    Ok(std::path::absolute(named.context("no place for runs: HOME is not set")?)?)
}

/// A program with its arguments, in the words of a shell; a file whose name has blanks is one without arguments.
fn program(command: &str) -> Result<Program, UsageError> {
    let words = if Path::new(command).is_file() { Some(vec![command.to_owned()]) } else { shlex::split(command) };
    let words = words.ok_or_else(|| UsageError(format!("--engine: a quotation mark in '{command}' is not closed")))?;
    let (path, arguments) = words.split_first().map_or(("", &[][..]), |(path, arguments)| (&**path, arguments));
    let file = Path::new(path);
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = match file.components().count() {
        0 => None,
        1 if !file.is_absolute() => {
            env::split_paths(&folders).map(|folder| folder.join(file)).find(|path| path.is_file())
        }
        _ => std::path::absolute(file).ok().filter(|path| path.is_file()),
    };
    let found =
        found.ok_or_else(|| UsageError(format!("--engine: no program '{path}'; give a file or a name on the path")))?;
    let name = arguments.iter().find(|word| Path::new(word).is_file()).map_or(path, String::as_str);
    let name = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Program { name, path: found, arguments: arguments.to_vec() })
}

/// The number of ports behind a taken one among which a free one is sought.
const PORTS_TRIED: u16 = 100;

fn listen(port: u16) -> anyhow::Result<TcpListener> {
    gui::listen(port).map_err(|error| {
        let mut behind = (1..=PORTS_TRIED).filter_map(|step| port.checked_add(step));
        let is_taken = error.kind() == ErrorKind::AddrInUse;
        let next = is_taken.then(|| behind.find(|&port| gui::listen(port).is_ok())).flatten();
        let advice =
            next.map_or(String::new(), |next| format!("; the next free one is {next}: reynard gui --port {next}"));
        UsageError(format!("port {port}: {error}{advice}")).into()
    })
}

/// The folder for what this program keeps of this user.
fn state_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| folder("LOCALAPPDATA"));
    let state = state.or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("reynard"))
}

fn has_display() -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(target_os = "macos", windows)) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// On a thread of its own: some browsers keep the one who calls them waiting.
fn open(address: String) {
    thread::spawn(move || {
        if let Err(error) = webbrowser::open(&address) {
            complain(&format!("no browser was opened: {error}"));
        }
    });
}
