//! The server of the board in the browser, as a page sees it.

mod board;
mod door;
mod engines;
mod foreign;
mod games;
mod tables;
mod watch;
