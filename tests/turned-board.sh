#!/usr/bin/env bash
# A program that turns the board of fox-and-hounds and writes positions as chess does, as Fairy-Stockfish, plays whole
# games through the proxy engines/turned_board.py, and forfeits all of them without it.
#
#   tests/turned-board.sh PROGRAM
set -euo pipefail

reynard=$(realpath "${1:?usage: turned-board.sh PROGRAM}")
engines=$(dirname "$(realpath "$0")")/engines
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$scratch"

cat >book.txt <<'BOOK'
moves d8c7
1F2/4/4/4/4/4/4/GGGG f
4/4/2F1/4/4/2G1/1G2/G2G g moves e3d4
BOOK

# Plays six games against the program, and counts those that end by a forfeit.
forfeits() {
    local name=$1 program=$2
    cat >"$name.json" <<SPEC
{
  "rulesets": ["fox-and-hounds"],
  "engines": [
    {"name": "here", "options": {"Searcher": "random", "Hash": 1}, "limits": {"nodes": 1}},
    {"name": "turned", "limits": {"nodes": 1}, "program": $program}
  ],
  "format": "match",
  "games": 6,
  "max_plies": 60,
  "openings": {"kind": "file", "path": "book.txt"}
}
SPEC
    "$reynard" tournament run "$name.json" --out "$name" --quiet >/dev/null 2>&1
    "$reynard" tournament report "$name" --format csv >"$name.csv"
    test "$(wc -l <"$name.csv")" = 7
    grep -c forfeit "$name.csv" || true
}

turned='"turned", "--engine", "'$reynard'"'
alone=$(forfeits alone "{\"command\": \"$engines/bad_engine.sh\", \"args\": [$turned]}")
proxy=$(forfeits proxy "{\"command\": \"$engines/turned_board.py\", \"args\": [\"$engines/bad_engine.sh\", $turned]}")
[ "$alone $proxy" = "6 0" ] || { echo "$alone of 6 games forfeited alone, $proxy by the proxy; expected 6 and 0" >&2; exit 1; }
echo "turned board: fine"
