//! The evaluator of a session, with the learned weights that the options name.

use std::path::Path;

use super::GameSession;
use crate::eval::WeightsError;
use crate::session::options::{Options, WeightsSource};
use crate::session::registry;
use crate::session::strength::level;
use crate::session::support::GameSupport;

impl<G: GameSupport> GameSession<G> {
    /// What the options say is learned. A level of play goes without: its rating was measured so.
    ///
    /// # Errors
    /// The file of the option `EvalFile` is none for this game.
    pub(super) fn learned(&self, options: &Options) -> Result<Option<G::Learned>, String> {
        match options.weights_source() {
            _ if level::<G>(options).is_some() => Ok(None),
            WeightsSource::Program => Ok(self.shipped(options)),
            WeightsSource::Nothing => Ok(None),
            WeightsSource::File(path) => {
                let bytes = registry::read_weights(Path::new(path)).map_err(|error| error.to_string())?;
                self.game.read_learned(&bytes).map(Some).map_err(|error| format!("{path}: {error}{}", games_of(&error)))
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

/// The games of the catalog that weights for other rules are for.
fn games_of(error: &WeightsError) -> String {
    let WeightsError::OtherRules { found, .. } = error else { return String::new() };
    let names = registry::names_by_tables();
    names.get(&format!("{found:016x}")).map_or(String::new(), |names| format!("; it serves {}", names.join(", ")))
}
