//! The narrow facade: what integration tests and benches may name. Nothing else of the crate is public, so the compiler
//! finds code that the program does not use.

// The modules repeat rooms that document themselves.
#![allow(missing_docs)]

pub mod chances {
    pub use crate::chances::{
        Chain, Chances, ChancesMethod, MOST_STATES, SimulationLimits, SolvedChain, TooLarge, simulate, solve,
    };
}
pub mod engine {
    pub use crate::engine::options_file::OptionsFile;
    pub use crate::engine::{
        Clock, Engine, Event, GameSupport, GoRequest, Options, SearchSession, Session, TimeControl,
    };
    pub mod registry {
        pub use crate::engine::registry::{
            GameVisitor, RulesetChoice, RulesetSource, default_options, open, parse_switches, ruleset_names, visit,
        };
    }
}
pub mod eval {
    pub use crate::eval::{Evaluator, GooseEvaluator, HuntEvaluator};
}
pub mod geometry {
    pub use crate::geometry::{Point, PointSet, Symmetry, Vector, Word, symmetries};
}
pub mod protocol {
    pub use crate::protocol::{MAX_LINE_BYTES, serve};
    pub mod ugi {
        pub mod query {
            pub use crate::protocol::ugi::query::answer;
        }
    }
}
pub mod rules {
    pub use crate::rules::{
        Capabilities, Change, DiceGame, Game, MAX_SEATS, Notation, Outcome, Piece, PieceKind, PieceType, Reason,
        Record, Repetition, SearchHints, Seat, Taken, Turn, perft, random_playout,
    };
    pub mod catalog {
        pub use crate::rules::catalog::{Language, RuleText, names, rule_text, rule_text_in, text, text_of_keys};
    }
    pub mod goose {
        pub use crate::rules::goose::{
            FINISH, FieldKind, Goose, Happening, INN, Move, PRISON, Position, Roll, Ruleset, WELL, Wait,
        };
    }
    pub mod hunt {
        pub use crate::rules::hunt::{Huff, Hunt, Position, RepetitionKey, Ruleset, Side};
    }
    pub mod ruleset {
        pub use crate::rules::ruleset::{Family, Place, RulesetError, family};
    }
    pub mod solitaire {
        pub use crate::rules::solitaire::{Position, Ruleset, Solitaire};
    }
    pub mod thegame {
        pub use crate::rules::thegame::{Position, Ruleset, Squares, TheGame, Wide};
    }
}
pub mod search {
    pub use crate::search::alphabeta::AlphaBeta;
    pub use crate::search::mcts::Mcts;
    pub use crate::search::{
        BestMove, Control, CurrentMove, PvLine, SearchConfig, SearchInfo, SearchLimits, SearchTask, Searcher, WdlModel,
    };
}
pub mod solver {
    pub use crate::solver::{Puzzle, WorkLimits};
}
pub mod tablebase {
    pub use crate::tablebase::{
        HuntTableBuilder, HuntTables, Identity, LayerCost, LayerSolver, LayerSummary, Metric, NewLayer, Store,
        TableBuilder, TableEntry, TableError, TableValue, Tables, inventory, table_files,
    };
    pub mod build {
        pub use crate::tablebase::build::{BuildPlan, BuildRequest, LayerLimit, Resources, build};
    }
    pub mod format {
        pub use crate::tablebase::format::{EncodedBlock, EntryAddress, LayerFile, LayerWriter, TableHeader};
    }
    pub mod verify {
        pub use crate::tablebase::verify::{Findings, VerifyRequest, verify};
    }
}
pub mod tournament {
    pub use crate::tournament::conversion::{Conversion, ConversionCount};
    pub use crate::tournament::director::TournamentDirector;
    pub use crate::tournament::fixture::Next;
    pub use crate::tournament::header::JournalHeader;
    pub use crate::tournament::mistakes::{Assessment, Assessor, JudgedPlay, MistakeCount};
    pub use crate::tournament::openings::OpeningBook;
    pub use crate::tournament::record::{
        Cause, Ending, EngineScore, FinishedGame, Forfeit, Opening, Opinion, PlayedMove,
    };
    pub use crate::tournament::resolved::{Conversations, EngineConfig, PlayableRuleset, ResolvedSpec};
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
            AbandonFlag, ChosenMove, Failure, GameSetup, MoveHistory, MoveRequest, Player, open,
        };
    }
    pub mod runner {
        pub use crate::tournament::runner::{Director, RunEnd, run};
    }
    pub mod spec {
        pub use crate::tournament::spec::{
            AdjudicationSpec, Format, Limits, LoadedSpec, OnForfeit, ProgramSpec, ProtocolName, Referee, SpecError,
            SprtModel, Supervision, load,
        };
    }
    pub mod stats {
        pub use crate::tournament::stats::{
            Cell, Estimate, Pentanomial, Sample, SprtBounds, Trinomial, bayesian_llr, bradley_terry, classic_llr,
            estimate, llr, wilson,
        };
    }
}
pub mod tune {
    pub use crate::tune::spec::LabelSource;
    pub use crate::tune::texel::{LabelledSample, Problem, labels};
    pub use crate::tune::{ResolvedTuneSpec, TuneSpec};
}
