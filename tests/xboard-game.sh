#!/bin/sh
# XBoard 4.9 under Xvfb plays a whole game of masters-15 between two reynard processes.
#
#   tests/xboard-game.sh [ENGINE] [VARIANT]     default: target/release/reynard masters-15
#
# Exit code 0 when the saved game is complete and ended by the rules of the game, else 1. Takes less than a minute.
set -u

engine=$(realpath "${1:-target/release/reynard}") || exit 1
variant=${2:-masters-15}
seconds=50
room=$(mktemp -d) || exit 1
game=$room/game.pgn
export HOME="$room"
PATH=$PATH:/usr/games

fail() {
    echo "xboard-game: $1" >&2
    tail -n 20 "$room/debug" "$game" >&2 2>/dev/null
    exit 1
}

server='' board=''
clean_up() {
    # The board first: it ends its engines.
    for process in $board $server; do
        kill "$process" 2>/dev/null && wait "$process" 2>/dev/null
    done
    rm -rf "$room"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

for program in xboard Xvfb timeout; do
    command -v $program >/dev/null || fail "$program is missing (apt-get install xboard xvfb)"
done
[ -x "$engine" ] || fail "no engine at $engine"

# The server picks a free display and writes its number.
Xvfb -displayfd 3 -screen 0 800x700x24 -nolisten tcp 3>"$room/display" >/dev/null 2>&1 &
server=$!
waited=0
until [ -s "$room/display" ]; do
    [ $waited -lt 100 ] || fail 'Xvfb does not start'
    waited=$((waited + 1))
    sleep 0.1
done
DISPLAY=:$(cat "$room/display")
export DISPLAY

# The 50-move rule belongs to chess; everything else stands as XBoard has it, tests of legality and of claims included.
timeout -k 2 $seconds xboard -fcp "$engine" -scp "$engine" -fd "$room" -sd "$room" -variant "$variant" \
    -xanimate -matchGames 1 -saveGameFile "$game" -tc 0:02 -inc 0.05 -ruleMoves 0 -popupExitMessage false \
    -debug -nameOfDebugFile "$room/debug" >"$room/output" 2>&1 &
board=$!

# XBoard saves the game when it is over.
waited=0
until grep -Eq '^.*\} (1-0|0-1|1/2-1/2)$' "$game" 2>/dev/null; do
    [ $waited -lt $seconds ] || fail "no finished game after $seconds seconds"
    kill -0 $board 2>/dev/null || [ -s "$game" ] || fail 'XBoard ended without a game'
    waited=$((waited + 1))
    sleep 1
done

ending=$(tail -n 3 "$game" | tr '\n' ' ')
if grep -Eqi 'False|Forfeit|adjudication|illegal|on time|exit|resign' "$game"; then
    fail "the game did not end by its own rules: $ending"
fi
if grep -Eq '(first|second): (Illegal move|Error)' "$room/debug"; then
    fail 'an engine refused what XBoard sent'
fi
grep -q "Variant \"$variant\"" "$game" || fail "not a game of $variant"
moves=$(grep -o '[0-9]*\. ' "$game" | tail -n 1)
echo "xboard-game: $variant, ${moves%. } moves, ended by:" $ending
