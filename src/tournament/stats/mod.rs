//! Match statistics: pure arithmetic on counts.
