#!/bin/sh
# XBoard 4.9 under Xvfb plays whole games between two reynard processes, one that begins with a drop and a siege among
# them, shows a message and no game for a variant that is not offered, and captures by mouse.
#
#   tests/xboard-game.sh [ENGINE]     default: target/release/reynard
#
# Exit code 0 when the saved games are complete and ended by the rules of the game, else 1. Takes about a minute.
set -u

engine=$(realpath "${1:-target/release/reynard}") || exit 1
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

for program in xboard Xvfb xdotool timeout; do
    command -v $program >/dev/null || fail "$program is missing (apt-get install xboard xvfb xdotool)"
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

# Starts XBoard with these arguments and waits at most so many seconds until a file has a line like this.
board() {
    timeout -k 2 $seconds xboard -fcp "$engine" -fd "$room" -sd "$room" -xanimate -popupExitMessage false \
        -saveGameFile "$game" -debug -nameOfDebugFile "$room/debug" "$@" >"$room/output" 2>&1 &
    board=$!
}
await() {
    waited=0
    until grep -Eq "$1" "$2" 2>/dev/null; do
        [ $waited -lt $((10 * $3)) ] || fail "no '$1' after $3 seconds"
        kill -0 $board 2>/dev/null || [ -s "$game" ] || fail 'XBoard ended too early'
        waited=$((waited + 1))
        sleep 0.1
    done
}
close() {
    kill $board 2>/dev/null
    wait $board 2>/dev/null
    rm -f "$game" "$room/debug" "$room/output"
    board=''
}

play() {
    # The 50-move rule belongs to chess; everything else stands as XBoard has it, tests of legality and of claims included.
    board -scp "$engine" -variant "$1" -matchGames 1 -tc 0:02 -inc 0.05 -ruleMoves 0
    # XBoard saves the game when it is over.
    await '^.*\} (1-0|0-1|1/2-1/2)$' "$game" $seconds
    ending=$(tail -n 3 "$game" | tr '\n' ' ')
    if grep -Eqi 'False|Forfeit|adjudication|illegal|on time|exit|resign' "$game"; then
        fail "the game did not end by its own rules: $ending"
    fi
    if grep -Eq '(first|second): (Illegal move|Error)' "$room/debug"; then
        fail 'an engine refused what XBoard sent'
    fi
    grep -q "Variant \"$1\"" "$game" || fail "not a game of $1"
    moves=$(grep -o '[0-9]*\. ' "$game" | tail -n 1)
    echo "xboard-game: $1, ${moves%. } moves, ended by:" $ending
    close
}

refuse() {
    board -scp "$engine" -variant "$1" -matchGames 1
    await "Variant $1 not supported" "$room/output" 20
    sleep 2
    if grep -Eq ': (variant|go|move)' "$room/debug" || [ -s "$game" ]; then
        fail "another game was begun instead of $1"
    fi
    echo "xboard-game: $1 is refused with a message"
    close
}

# Squares are 57 pixels wide at this size; the board stands at the left and at the bottom of its window.
click() {
    file=$(($(printf %d "'$1") - 97))
    xdotool mousemove $((31 + 57 * file)) $((HEIGHT - 30 - 57 * (${1#?} - 1)))
    for event in mousedown mouseup; do
        sleep 0.2
        xdotool $event 1
    done
    sleep 0.3
}
capture() {
    board -variant masters-15 -mode EditGame -boardSize 49
    await 'pong 1' "$room/debug" 20
    sleep 1
    eval "$(xdotool getwindowgeometry --shell "$(xdotool search --name '^xboard: ' 2>/dev/null | tail -n 1)")"
    for square in e3 e4 d4 e4 f4; do click $square; done
    await ': d4e4,e4f4$' "$room/debug" 10
    sleep 0.5
    grep -q 'Illegal move' "$room/debug" && fail 'the capture was refused'
    echo 'xboard-game: d4e4,e4f4 captured by mouse'
    close
}

play masters-15
play bell-13
play siege-no-huff
# The fox is hemmed in: a stalemate, and so a draw, to who knows chess only.
play fox-and-hounds
refuse halatafl
refuse nonsense
capture
