//! Soaks: many games, restarts and visits in a row, after which nothing is left of them; and long searches of puzzles.
//!
//! `cargo test` leaves them out. `cargo test --test soak` runs them in a small size of a minute or less; the variable
//! `SOAK` is a factor of their size, so that `SOAK=100 cargo test --release --test soak` plays and restarts a hundred
//! times as often.

#[cfg(all(target_os = "linux", feature = "gui"))]
#[path = "../it/gui/board.rs"]
#[allow(dead_code, reason = "what only the integration tests use")]
mod board;
#[cfg(target_os = "linux")]
#[path = "../it/runs/list.rs"]
mod list;
#[cfg(target_os = "linux")]
mod players;
mod solitaire;
#[cfg(target_os = "linux")]
#[path = "../it/players/stage.rs"]
#[allow(dead_code, reason = "what only the integration tests use")]
mod stage;
#[cfg(all(target_os = "linux", feature = "gui"))]
mod visits;

/// So often as at the small size.
#[cfg(target_os = "linux")]
fn times(count: usize) -> usize {
    let factor = std::env::var("SOAK").map_or(1, |text| text.parse().expect("SOAK is a whole number"));
    count * factor
}
