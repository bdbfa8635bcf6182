// How long an engine thinks about a move, weakest first. Levels that are measured will stand here.
export const LIMITS = ["nodes 1", "nodes 20", "nodes 200", "nodes 2000", "nodes 20000", "nodes 200000", "movetime 1000", "movetime 3000", "movetime 10000"];
