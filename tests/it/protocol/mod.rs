//! Transcripts of the text protocol.

mod client;
mod clocks;
mod options;
mod positions;
mod process;
mod robustness;
mod searches;
