#!/usr/bin/env bash
# Builds and verifies tables of perfect play with up to six geese (of the last two by samples), damages a file.
# Usage: tests/tables.sh target/release/reynard
set -euo pipefail

reynard=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "tables: $*" >&2
    exit 1
}

# Wins of the geese with the geese to move, one number for each layer.
geese_wins() {
    "$reynard" table stats "$1" --json --dir "$2" |
        grep -o '"turn":"g","fox_wins":[0-9]*,"draws":[0-9]*,"geese_win":[0-9]*' | sed 's/.*://' | tr '\n' ' '
}

whole="$folder/whole"
for ruleset in masters-15 bell-13 murray-13; do
    "$reynard" table build "$ruleset" --geese 6 --dir "$whole"
    # The counts below are those of whole layers.
    "$reynard" table verify "$ruleset" --geese 4 --dir "$whole"
    for geese in 5 6; do
        "$reynard" table verify "$ruleset" --geese "$geese" --sample 500000 --dir "$whole"
    done
    "$reynard" table build "$ruleset" --geese 6 --metric end --dir "$whole"
    "$reynard" table verify "$ruleset" --metric end --sample 300000 --dir "$whole"
done
"$reynard" table build two-foxes-24 --geese 4 --dir "$whole"
"$reynard" table verify two-foxes-24 --sample 300000 --dir "$whole"
"$reynard" table build two-foxes-24 --set huff=remove_fox --geese 4 --dir "$whole"
"$reynard" table verify two-foxes-24 --set huff=remove_fox --sample 300000 --dir "$whole"
"$reynard" table build siege --set fox_wins_below=1 --geese 3 --dir "$whole"
"$reynard" table verify siege --set fox_wins_below=1 --sample 300000 --dir "$whole"
[ "$(geese_wins masters-15 "$whole")" = "0 25 846 12835 " ] || fail "masters-15 counts $(geese_wins masters-15 "$whole")"
[ "$(geese_wins bell-13 "$whole")" = "21 729 10888 " ] || fail "bell-13 counts $(geese_wins bell-13 "$whole")"
[ "$(geese_wins murray-13 "$whole")" = "36 1160 19256 " ] || fail "murray-13 counts $(geese_wins murray-13 "$whole")"
"$reynard" table list --dir "$whole"

# A reader that knows the published format alone finds the same values.
python3 -m venv "$folder/python" && "$folder/python/bin/pip" install --quiet zstandard==0.25.0
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(dirname "$0") "$folder/python/bin/python" - "$reynard" "$whole" <<'PYTHON' || fail "the reader in Python disagrees"
import glob, json, random, re, subprocess, sys
from read_table import PLACES, WIDTHS, Table

def text(points, turn):
    ranks = []
    for rank in range(len(WIDTHS)):
        letters = "".join(points.get(place, ".") for place in PLACES if place[1] == rank)
        ranks.insert(0, re.sub(r"\.+", lambda gap: str(len(gap[0])), letters))
    return "/".join(ranks) + " " + turn

random.seed(1)
asked = 0
for path in sorted(glob.glob(sys.argv[2] + "/*.table") + glob.glob(sys.argv[2] + "/*.ends")):
    table = Table(path)
    plies = "plies_to_end" if path.endswith(".ends") else "plies"
    most_foxes, geese, won = table.header["rules"]["foxes"], table.header["geese"], {"f": "fox", "g": "geese"}
    switches = [word for key in ("huff", "fox_wins_below") for word in ("--set", f"{key}={table.header['rules'][key]}")]
    told = [(win["position"], won[win["winner"]], win["plies"]) for win in table.header["summary"]["longest"]]
    for turn in "gf" * 8:
        foxes = random.randint(1, 2) if table.header["layout"] == "huffs" else most_foxes
        places = random.sample(PLACES, foxes + geese)
        position = text(dict.fromkeys(places[:foxes], "F") | dict.fromkeys(places[foxes:], "G"), turn)
        probe = [sys.argv[1], "table", "probe", table.header["ruleset"], position, "--json", "--dir", sys.argv[2], *switches]
        answer = json.loads(subprocess.run(probe, capture_output=True, check=True).stdout)
        if "over" not in answer:
            told.append((position, answer["winner"] or "draw", answer.get(plies) or 0))
    for position, winner, distance in told:
        assert table.value(position) == (winner, distance), (path, position, winner, distance, table.value(position))
    asked += len(told)
assert asked > 300, asked
print(f"the reader in Python agrees on {asked} positions")
PYTHON

# Distances to the end: the hounds mate in 44 plies, which the engine says.
for metric in conversion end; do
    "$reynard" table build fox-and-hounds --metric $metric --dir "$whole"
done
"$reynard" table verify fox-and-hounds --metric end --dir "$whole"
"$reynard" table probe fox-and-hounds start --json --dir "$whole" | grep -q '"plies":2,"plies_to_end":44' ||
    fail "the hounds mate in another number of plies than 44"
answer=$(printf 'setoption name RuleSet value fox-and-hounds\nsetoption name TablePath value %s\nposition startpos\ngo nodes 1000\n' "$whole" |
    "$reynard" | grep "^info depth" | tail -n 1)
grep -q "score mate -22 " <<<"$answer" || fail "the engine does not say the true mate: $answer"

# Damages a byte in the middle of a file: checking names file and block, probing does not answer from it.
damaged="$folder/damaged"
"$reynard" table build bell-13 --geese 6 --dir "$damaged"
file=$(ls "$damaged"/*-06.table)
printf '\377\000\377\000' | dd of="$file" bs=1 seek=$(($(stat -c %s "$file") / 2)) conv=notrunc status=none
if message=$("$reynard" table verify bell-13 --geese 6 --dir "$damaged" 2>&1); then
    fail "a damaged file was accepted"
fi
grep -q -- "-06.table, frame [0-9]* of block [0-9]*: " <<<"$message" || fail "the damage is not named: $message"
# With the whole first half destroyed, probing a position from there names the place and gives no answer.
dd if=/dev/zero of="$file" bs=16 seek=1 count=$(($(stat -c %s "$file") / 32)) conv=notrunc status=none
if message=$("$reynard" table probe bell-13 "GF1/G1G/1GGG3/7/7/3/3 g" --dir "$damaged" 2>&1); then
    fail "a damaged file was probed: $message"
fi
grep -q -- "-06.table, frame [0-9]* of block [0-9]*: " <<<"$message" || fail "the damage is not named: $message"
echo "tables: built, verified and damaged as expected"
