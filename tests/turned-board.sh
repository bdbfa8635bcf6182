#!/usr/bin/env bash
# A program that turns the board of fox-and-hounds and writes positions as chess does, as Fairy-Stockfish, plays whole
# games through the proxy engines/turned_board.py, and forfeits all of them without it.
#
#   tests/turned-board.sh PROGRAM
set -euo pipefail
shopt -s inherit_errexit

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

# Plays six games against the program, and prints how many have more than two plies and how many end by a forfeit.
games() {
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
    "$reynard" tournament run "$name.json" --out "$name" --quiet >/dev/null 2>"$name.log"
    "$reynard" tournament report "$name" --format csv >"$name.csv"
    python3 - "$name.csv" <<'PY'
import csv, sys

games = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
assert len(games) == 6, len(games)
print(sum(int(game["plies"]) > 2 for game in games), sum(game["cause"].startswith("forfeit") for game in games))
PY
}

turned='"turned", "--engine", "'$reynard'"'
alone=$(games alone "{\"command\": \"$engines/bad_engine.sh\", \"args\": [$turned]}")
proxy=$(games proxy "{\"command\": \"$engines/turned_board.py\", \"args\": [\"$engines/bad_engine.sh\", $turned]}")
[[ $alone == *" 6" && $proxy == "6 0" ]] || {
    echo "long games and forfeits: $alone alone, $proxy by the proxy; expected 6 forfeits, and 6 0" >&2
    exit 1
}
echo "turned board: fine"
