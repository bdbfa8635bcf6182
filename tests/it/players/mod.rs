//! Players as a tournament uses them: sessions and external programs, good and bad.

#[cfg(unix)]
mod fleet;
#[cfg(unix)]
mod options;
mod sessions;
mod stage;
#[cfg(unix)]
mod talk;
