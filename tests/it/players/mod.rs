//! Players as a tournament uses them: sessions and external programs, good and bad.

#[cfg(unix)]
mod fleet;
#[cfg(target_os = "linux")]
mod leaks;
#[cfg(unix)]
mod options;
mod sessions;
mod stage;
#[cfg(unix)]
mod talk;
