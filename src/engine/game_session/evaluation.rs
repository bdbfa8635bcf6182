//! The evaluator of a session, with the learned weights that the options name.

use std::path::Path;

use super::GameSession;
use crate::engine::options::{EVAL_LINEAR, Options};
use crate::engine::registry;
use crate::engine::strength::level;
use crate::engine::support::GameSupport;

impl<G: GameSupport> GameSession<G> {
    /// What the options say is learned. A level of play goes without: its rating was measured so.
    ///
    /// # Errors
    /// The file of the option `EvalFile` is none for this game.
    pub(super) fn learned(&self, options: &Options) -> Result<Option<G::Learned>, String> {
        match options.eval_file() {
            _ if level::<G>(options).is_some() => Ok(None),
            "" => Ok(self.shipped(options)),
            EVAL_LINEAR => Ok(None),
            path => {
                let bytes = registry::read_weights(Path::new(path)).map_err(|error| error.to_string())?;
                self.game.read_learned(&bytes).map(Some).map_err(|error| format!("{path}: {error}"))
            }
        }
    }

    fn shipped(&self, options: &Options) -> Option<G::Learned> {
        self.game.shipped(options.searcher().backup())
    }

    /// The evaluator that the options ask for; where their file will not do, that of the program, and a remark.
    pub(super) fn evaluator(&self, options: &Options) -> (G::Evaluator, Option<String>) {
        let (learned, remark) = match self.learned(options) {
            Ok(learned) => (learned, None),
            Err(message) => {
                (self.shipped(options), Some(format!("EvalFile: {message}; the program evaluates without it")))
            }
        };
        (G::evaluator(options.parameters(), learned), remark)
    }
}
