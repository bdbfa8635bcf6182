#!/bin/sh
# Other people's programs, unmodified, drive the engine.
#
#   tests/clients.sh FOLDER [ENGINE] [CLIENT ...]     default: target/release/reynard, every client below
#
# FOLDER holds a checkout of each client under its name:
#   variantfishtest     github.com/ianfab/variantfishtest (needs python3)
#   fastchess           github.com/Disservin/fastchess (needs make and a C++ compiler)
#   weather-factory     github.com/jnlt3/weather-factory (needs python3)
#   cutegames           github.com/kz04px/cutegames (needs cmake, a C++20 compiler and the headers of Boost)
#   Fairy-Stockfish     github.com/fairy-stockfish/Fairy-Stockfish (needs make, a C++ compiler and python3)
#   OpenBench           github.com/AndyGrant/OpenBench (needs python3)
# CMake fetches the libraries of cutegames, but takes those that FOLDER/cutegames-libraries holds: json, doctest, cli11,
# termcolor, libataxx, libchess. What make has built in a checkout is not built again.
#
# Exit code 0 when every client went through without an error, else 1.
set -u

[ $# -ge 1 ] || { echo "clients: expected FOLDER [ENGINE] [CLIENT ...]" >&2; exit 1; }
folder=$(realpath "$1") && engine=$(realpath "${2:-target/release/reynard}") || exit 1
clients='variantfishtest fastchess weather-factory cutegames Fairy-Stockfish OpenBench'
[ $# -le 2 ] || { shift 2 && clients=$*; }
here=$(dirname "$(realpath "$0")")
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM HUP

# fail MESSAGE: with the end of what the client has said.
fail() {
    echo "clients: $1" >&2
    tail -n 20 "$room/said" >&2 2>/dev/null
    exit 1
}

# 100 games each. Where one side places several pieces running (siege) the script takes the wrong player for the mover,
# so that its score means nothing there; the games have to end all the same.
variantfishtest() {
    for variant in masters-15 bell-13 two-foxes-24 siege; do
        timeout 600 python3 "$folder/variantfishtest/variantfishtest.py" "$engine" "$engine" \
            --variant $variant --max_games 100 --time 40 --inc 2 --threads 2 >"$room/said" 2>&1 ||
            fail "variantfishtest $variant: exit code $?"
        # Its reader of standard error may find the file closed when a process has ended, whichever engine that was.
        ! grep -E 'Error in match instance|Exception in thread' "$room/said" | grep -v '(_stderr_thread_target)' ||
            fail "variantfishtest $variant: an exception"
        total=$(tail -n 1 "$room/said")
        case $total in
        'Total: 100 W: '*) echo "variantfishtest $variant: $total" ;;
        *) fail "variantfishtest $variant: not 100 games" ;;
        esac
    done
}

# Its own test of the protocol. It sets up positions of chess, which the engine refuses, and wants answers all the same.
fastchess() {
    cp -a "$folder/fastchess" "$room/fastchess" && make -C "$room/fastchess" >"$room/said" 2>&1 || fail 'fastchess: no build'
    timeout 60 "$room/fastchess/fastchess" --compliance "$engine" >"$room/said" 2>&1 || fail 'fastchess: a step failed'
    grep -q 'Engine passed all compliance checks' "$room/said" || fail 'fastchess: not all steps'
    echo "fastchess: $(grep -c Passed "$room/said") steps of --compliance"
    fastchess_match
}

# As a match client it judges every move by the rules of chess, so that no game of ours comes to its own end. What is
# left: two processes through handshake, options, new games, searches and replies, and games that end by that judgement
# alone.
fastchess_match() {
    for variant in masters-15 bell-13 catch-the-hare; do
        rm -f "$room/games.pgn"
        # It leaves a config.json where it is started.
        (cd "$room" && timeout 600 fastchess/fastchess -engine cmd="$engine" name=alphabeta option.Searcher=alphabeta \
            -engine cmd="$engine" name=mcts option.Searcher=mcts -each option.UCI_Variant=$variant tc=10+0.1 nodes=1000 \
            -rounds 10 -games 2 -repeat -recover -concurrency 2 -pgnout file=games.pgn) >"$room/said" 2>&1 ||
            fail "fastchess $variant: exit code $?"
        [ "$(grep -c '^Finished game' "$room/said")" = 20 ] || fail "fastchess $variant: not 20 games"
        [ "$(grep -c '^\[Termination "illegal move"\]' "$room/games.pgn")" = 20 ] ||
            fail "fastchess $variant: a game ended by anything but the judgement of a move"
        echo "fastchess $variant: 20 games, all ended by its rules of chess, none by time, a stall or a lost connection"
    done
}

# Its own class starts fastchess or cutechess-cli, which are our matches, and reads what they print.
weather_factory() {
    mkdir -p "$room/tuner" && cp "$engine" "$room/tuner/reynard" && cp "$here/cutechess-cli" "$room/tuner/fastchess" &&
        cp "$here/cutechess-cli" "$room/tuner/cutechess-cli" || fail "weather-factory: no room"
    printf 'moves %s\n' a4a5 g4g5 >"$room/tuner/book.epd"
    cat >"$room/weather.py" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
from cutechess import CutechessMan

for fast in (True, False):
    match = CutechessMan(engine="reynard", book="book.epd", games=6, tc=0.5, hash=1, threads=2, use_fastchess=fast)
    even = match.run(["option.EvalFile=linear", "option.EvalFoxReach=9"], ["option.EvalFile=linear", "option.EvalFoxReach=1"])
    # One side wins all games, mostly: what has no finite Elo must be a number to it.
    uneven = match.run(["option.Searcher=alphabeta"], ["option.Searcher=random"])
    for result in (even, uneven):
        assert result.w + result.l + result.d == 6, result
        assert result.w != 6 or result.elo_diff == float("inf"), result
        print("weather-factory:", result)
PYTHON
    (cd "$room" && REYNARD=$engine timeout 600 python3 weather.py "$folder/weather-factory") >"$room/said" 2>&1 ||
        fail "weather-factory: exit code $?"
    grep '^weather-factory' "$room/said"
}

# Both engines are asked for the turn, the end and the result of every game; a difference would be an adjudication.
cutegames() {
    set --
    for library in json doctest cli11 termcolor libataxx libchess; do
        source=$folder/cutegames-libraries/$library
        [ ! -d "$source" ] || set -- "$@" "-DFETCHCONTENT_SOURCE_DIR_$(echo $library | tr a-z A-Z)=$source"
    done
    cmake -S "$folder/cutegames" -B "$room/cutegames" -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@" >"$room/said" 2>&1 &&
        cmake --build "$room/cutegames" --target cutegames --parallel 2 >"$room/said" 2>&1 || fail 'cutegames: no build'
    echo startpos >"$room/openings.txt"
    for variant in masters-15 bell-13 two-foxes-24 murray-13 renard-1840 siege; do
        cat >"$room/settings.json" <<JSON
{
  "games": 20, "game": "generic", "concurrency": 2, "ratinginterval": 20, "tournament": "roundrobin",
  "protocol": {"askturn": true, "gameover": "both"}, "openings": {"path": "$room/openings.txt", "repeat": true},
  "adjudication": {"timeoutbuffer": 1000, "maxfullmoves": 2000}, "timecontrol": {"type": "nodes", "nodes": 300},
  "options": {"UCI_Variant": "$variant"}, "pgn": {"enabled": true, "path": "$room/$variant.pgn"},
  "engines": [
    {"name": "alphabeta", "path": "$engine", "options": {"Searcher": "alphabeta"}},
    {"name": "mcts", "path": "$engine", "options": {"Searcher": "mcts"}}
  ]
}
JSON
        timeout 900 "$room/cutegames/cutegames" --settings "$room/settings.json" >"$room/said" 2>&1 ||
            fail "cutegames $variant: exit code $?"
        [ "$(grep -Ec '^\[Result "(1-0|0-1|1/2-1/2)"\]' "$room/$variant.pgn")" = 20 ] ||
            fail "cutegames $variant: not 20 results"
        ! grep Adjudicated "$room/$variant.pgn" >"$room/said" || fail "cutegames $variant: a game without an end of its own"
        longest=$(sed -n 's/^\[PlyCount "\(.*\)"\]/\1/p' "$room/$variant.pgn" | sort -n | tail -n 1)
        echo "cutegames $variant: 20 games to their own ends, both engines agree; the longest has $longest plies"
    done
}

# It turns the board of fox-and-hounds by 180 degrees and writes positions as chess does: an opponent through a proxy.
Fairy_Stockfish() {
    cp -a "$folder/Fairy-Stockfish" "$room/fairy" &&
        make -C "$room/fairy/src" -j2 build ARCH=x86-64-modern largeboards=no nnue=no >"$room/said" 2>&1 ||
        fail 'Fairy-Stockfish: no build'
    printf '%s\n' startpos '1F2/4/4/4/4/4/4/GGGG f' '4/4/2F1/4/4/2G1/1G2/G2G g moves e3d4' >"$room/hounds.txt"
    cat >"$room/fairy.json" <<JSON
{
  "rulesets": ["fox-and-hounds"], "format": "match", "pairs": 6, "limits": {"nodes": 2000},
  "openings": {"kind": "file", "path": "$room/hounds.txt"},
  "engines": [
    {"name": "reynard", "program": {"command": "$engine"}},
    {"name": "Fairy-Stockfish", "program": {
      "command": "$here/engines/turned_board.py", "args": ["$room/fairy/src/stockfish"], "protocol": "uci"
    }}
  ]
}
JSON
    timeout 900 "$engine" tournament run "$room/fairy.json" --out "$room/fairy-games" >"$room/said" 2>&1 ||
        fail "Fairy-Stockfish: exit code $?"
    [ "$(grep -c '^\[Termination "normal"\]' "$room/fairy-games/games.pgn")" = 12 ] ||
        fail 'Fairy-Stockfish: not 12 games to their ends'
    echo "Fairy-Stockfish: 12 games of fox-and-hounds to their ends: $(grep '^Score of' "$room/said")"
}

# The functions of its client read the bench and have openings drawn, and a match plays these with the arguments that it
# gives fastchess.
OpenBench() {
    mkdir "$room/bench" && cp "$engine" "$room/bench/engine"
    cat >"$room/bench/client.py" <<'PYTHON'
import importlib.util, sys, types
if importlib.util.find_spec("requests") is None:
    sys.modules["requests"] = types.ModuleType("requests")  # it is for the server alone
import bench, genfens

speed, nodes = bench.run_benchmark("engine", 2, 1)
assert speed > 1000 and bench.run_benchmark("engine", 1, 1, nodes)[1] == nodes
with open("openings.epd", "w") as output:
    genfens.create_genfens_opening_book({
        "N": 4, "threads": 2, "seeds": [5, 6], "book": "None", "extra": "plies 6", "engine": "engine", "output": output})
print("Bench:", nodes)
PYTHON
    (cd "$room/bench" && PYTHONPATH="$folder/OpenBench/Client" timeout 300 python3 client.py) >"$room/said" 2>&1 ||
        fail "OpenBench: exit code $?"
    bench=$(tail -n 1 "$room/said")
    [ "$bench" = "$("$engine" bench | grep '^Bench: ')" ] || fail "OpenBench: another bench"
    (cd "$room/bench" && timeout 300 ./engine match -engine cmd=./engine name=a -engine cmd=./engine name=b -each nodes=50 \
        -repeat -recover -variant standard -testEnv -games 2 -rounds 8 -srand 1 \
        -openings file=openings.epd format=epd order=sequential start=9) >"$room/said" 2>&1 ||
        fail "OpenBench: exit code $?"
    [ "$(grep -c '^Finished game' "$room/said")" = 16 ] || fail 'OpenBench: not 16 games'
    echo "OpenBench: reads $bench, and 8 openings that a match plays"
}

[ -x "$engine" ] || fail "no engine at $engine"
for client in $clients; do
    [ -d "$folder/$client" ] || fail "no checkout of $client in $folder"
    "$(echo "$client" | tr - _)"
done
