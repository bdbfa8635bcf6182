//! Transcripts of the text protocol.

pub mod client;
mod clocks;
mod options;
mod options_file;
mod playthroughs;
mod positions;
mod robustness;
mod searches;
mod tables;
mod views;
