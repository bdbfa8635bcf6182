#!/bin/sh
# Other people's programs, unmodified, drive the engine.
#
#   tests/clients.sh FOLDER [ENGINE] [CLIENT ...]     default: target/release/reynard, every client below
#
# FOLDER holds a checkout of each client under its name:
#   variantfishtest     github.com/ianfab/variantfishtest (needs python3)
#   fastchess           github.com/Disservin/fastchess (needs make and a C++ compiler)
#   weather-factory     github.com/jnlt3/weather-factory (needs python3)
#
# Exit code 0 when every client went through without an error, else 1.
set -u

[ $# -ge 1 ] || { echo "clients: expected FOLDER [ENGINE] [CLIENT ...]" >&2; exit 1; }
folder=$(realpath "$1") && engine=$(realpath "${2:-target/release/reynard}") || exit 1
clients='variantfishtest fastchess weather-factory'
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
    cp -r "$folder/fastchess" "$room/fastchess" && make -C "$room/fastchess" >"$room/said" 2>&1 || fail 'fastchess: no build'
    timeout 60 "$room/fastchess/fastchess" --compliance "$engine" >"$room/said" 2>&1 || fail 'fastchess: a step failed'
    grep -q 'Engine passed all compliance checks' "$room/said" || fail 'fastchess: not all steps'
    echo "fastchess: $(grep -c Passed "$room/said") steps of --compliance"
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
    even = match.run(["option.EvalFoxReach=9"], ["option.EvalFoxReach=1"])
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

[ -x "$engine" ] || fail "no engine at $engine"
for client in $clients; do
    [ -d "$folder/$client" ] || fail "no checkout of $client in $folder"
    "$(echo "$client" | tr - _)"
done
