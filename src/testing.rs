//! What the integration tests and benches of the program may name. Nothing else here is public, so the compiler finds
//! code that the program does not use.

// The modules repeat rooms that document themselves.
#![allow(missing_docs)]

pub mod tournament {
    pub use crate::tournament::director::{Progress, TournamentDirector};
    pub use crate::tournament::header::JournalHeader;
    pub use crate::tournament::mistakes::{
        Assessment, Assessor, Conversion, ConversionCount, JudgedPlay, MistakeCount,
    };
    pub use crate::tournament::openings::OpeningBook;
    pub use crate::tournament::plan::{Conversations, EngineConfig, Plan, Sinks};
    pub use crate::tournament::record::{
        Cause, Ending, EngineScore, FinishedGame, Forfeit, Opening, Opinion, PlayedMove, Variation,
    };
    pub use crate::tournament::ruleset::Ruleset;
    pub use crate::tournament::schedule::Schedule;
    pub use crate::tournament::{Fixture, GameRecord, TournamentSpec};
    pub mod journal {
        pub use crate::tournament::journal::{Archive, Journal};
        pub mod line {
            pub use crate::tournament::journal::line::seal;
        }
    }
    pub mod player {
        pub use crate::tournament::player::{
            AbandonFlag, ChosenMove, Failure, GameSetup, MoveHistory, MoveRequest, OpenError, Player, open,
        };
    }
    pub mod runner {
        pub use crate::tournament::runner::{Director, RunEnd, Stop, run};
    }
    pub mod spec {
        pub use crate::tournament::spec::{
            AdjudicationSpec, Change, Format, Limits, LoadedSpec, OnForfeit, ProgramSpec, ProtocolName, SpecError,
            SprtModel, Supervision, load,
        };
    }
    pub mod stats {
        pub use crate::tournament::stats::{
            Cell, Estimate, Pentanomial, Sample, SprtBounds, Trinomial, bayesian_llr, bradley_terry, estimate, llr,
            wilson,
        };
    }
}
pub mod tune {
    pub use crate::tune::{ResolvedTuneSpec, TuneSpec};
}
