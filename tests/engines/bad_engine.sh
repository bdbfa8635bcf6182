#!/bin/sh
# An engine that misbehaves on request: bad_engine.sh MODE [--moves M,M,...] [--after N] [--delay S] [--engine PATH]
#
# It speaks UGI and UCI and knows no game. Its answers are the MOVES in turn (a4a5 if left out), beginning again in every
# game; with --engine they are those of the program at PATH, so that whole games can be played. Its options are Hash
# (spin, 1 to 64), Seed, Style (combo, Solid or Risky), Path (string), Ponder and Clear Hash.
#
# It misbehaves from the first `go` on that comes after N answers (--after, 0 if left out), or where the mode says so:
#
#   good               not at all
#   no-handshake       reads, but never says ugiok or uciok
#   dies-at-start      exits with status 4 before the handshake
#   slow-handshake     waits S seconds before ugiok or uciok
#   endless-options    announces options without end
#   no-ping            never says readyok
#   stops-reading      reads no more after the handshake
#   refuses-options    complains about every setoption
#   refuses-position   complains about every position
#   refuses-go         complains instead of an answer
#   dies-on-go         exits with status 3 instead of an answer
#   killed-on-go       kills itself with SIGSEGV
#   dies-with-child    leaves a child that holds its pipes, then exits with status 3
#   closes-output      closes its output on go, but lives
#   closes-input       closes its input after the handshake, but lives
#   hangs              does nothing any more, with children that hold its pipes
#   ignores-stop       never answers go, but answers isready
#   waits-for-stop     answers go only after stop
#   late               answers S seconds late
#   deaf-in-search     answers isready only when it does not search
#   stops-badly        answers a search that was stopped with a move that no game has
#   illegal-move       answers with a move that no game has at its start
#   unparsable-move    answers with a text that is no move
#   empty-bestmove     `bestmove` without a move
#   no-move            `bestmove (none)`
#   null-move          `bestmove 0000`
#   resigns            `bestmove resign`
#   garbage            lines that are no text or have colours or NUL, before every answer (which is allowed)
#   garbage-move       `bestmove` with bytes that are no text
#   garbage-info       the same in an info line, before a proper answer (which is allowed)
#   huge-line          a line without end
#   flood              info lines without end
#   flood-on-ready     info lines without end instead of readyok
#   answers-twice      two different answers to one go
#   answers-early      answers already when it hears position, then not on go
#   upper-case         BESTMOVE in capitals
#   upper-case-move    the move in capitals
#   ignores-quit       plays well, but ignores quit, the end of its input and SIGTERM
#   noisy-stderr       megabytes on its error output, before a proper answer
#   child-at-start     plays well, with a child that never ends
#
# With --engine there are good, late, dies-on-go and one more:
#
#   turned             plays well on eight by eight squares turned by 180 degrees; its positions are those of
#                      Fairy-Stockfish's fox-and-hounds

mode=$1 moves=a4a5 after=0 delay=0.3 engine=
shift
while [ $# -gt 1 ]; do
    case $1 in
    --moves) moves=$2 ;;
    --after) after=$2 ;;
    --delay) delay=$2 ;;
    --engine) engine=$2 ;;
    *) echo "no such option: $1" >&2; exit 64 ;;
    esac
    shift 2
done
grep -q "^#   $mode  " "$0" || { echo "no such mode: $mode" >&2; exit 64; }
case $mode in
good | late | dies-on-go) ;;
turned) [ -n "$engine" ] || { echo "$mode needs --engine" >&2; exit 64; } ;;
*) [ -z "$engine" ] || { echo "no such mode with --engine: $mode" >&2; exit 64; } ;;
esac

options='id name bad engine
id author nobody
option name Hash type spin default 16 min 1 max 64
option name Seed type spin default 0 min 0 max 999
option name Style type combo default Solid var Solid var Risky
option name Path type string default <empty>
option name Ponder type check default true
option name Clear Hash type button'
report='info depth 1 score cp 7 nodes 10 pv x'

say() { printf '%s\n' "$1"; }

forever() { while :; do sleep 3600; done; }

# Two to the power of $2 lines.
many() {
    block=$1 doubled=0
    while [ $doubled -lt "$2" ]; do
        block="$block
$block"
        doubled=$((doubled + 1))
    done
}

flood() {
    many "$1" 9
    while say "$block"; do :; done
}

# Lines that mean nothing.
stray() { printf '\200\377\376\000\001\n\033[31mr\344tsel\033[0m\n\000bestmove\n'; }

# The move in turn.
next_move() {
    [ -n "$rest" ] || rest=$moves,
    move=${rest%%,*} rest=${rest#*,}
}

answer() {
    answers=$((answers + 1))
    next_move
    say "$report"
    say "bestmove $move"
}

misbehave() {
    case $mode in
    refuses-go) say "info string error I do not like $1" ;;
    dies-on-go) exit 3 ;;
    killed-on-go) kill -SEGV $$ ;;
    dies-with-child) sleep 3600 & exit 3 ;;
    closes-output) exec >&-; forever ;;
    hangs) sleep 3600 & forever ;;
    ignores-stop | answers-early) ;;
    waits-for-stop) waiting=yes ;;
    late) sleep "$delay"; answer ;;
    illegal-move) say "bestmove a1a9" ;;
    unparsable-move) say "bestmove Zwirn!?" ;;
    empty-bestmove) say bestmove ;;
    no-move) say "bestmove (none)" ;;
    null-move) say "bestmove 0000" ;;
    resigns) say "bestmove resign" ;;
    garbage) stray; answer ;;
    garbage-move) printf 'bestmove a3\377\376\n' ;;
    garbage-info) printf 'info string \377\376\000\n'; answer ;;
    huge-line)
        many xxxxxxxxxxxxxxxx 9
        block=$(printf %s "$block" | tr '\n' x)
        while printf %s "$block"; do :; done
        ;;
    flood) flood "$report" ;;
    answers-twice) answer; say "bestmove z9z9" ;;
    upper-case) next_move; say "BESTMOVE $move" ;;
    upper-case-move) next_move; say "bestmove $move" | tr a-z A-Z | sed s/BESTMOVE/bestmove/ ;;
    noisy-stderr)
        many noise 12
        for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do say "$block$block$block$block" >&2; done
        answer
        ;;
    *) answer ;;
    esac
}

greet() {
    case $mode in
    no-handshake) return ;;
    slow-handshake) sleep "$delay" ;;
    garbage) stray ;;
    child-at-start) sleep 3600 & ;;
    endless-options) flood "option name Again type string default xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" ;;
    esac
    say "$options"
    say "$1ok"
    case $mode in
    closes-input) exec <&-; forever ;;
    stops-reading) forever ;;
    esac
}

ready() {
    case $mode in
    no-ping) ;;
    deaf-in-search) [ -n "$waiting" ] || say readyok ;;
    flood-on-ready) flood "info string busy" ;;
    garbage) stray; say readyok ;;
    *) say readyok ;;
    esac
}

hear() {
    case $1 in
    ugi | uci) greet "$1" ;;
    isready) ready ;;
    *newgame) rest= ;;
    setoption*) [ "$mode" != refuses-options ] || say "info string error I do not like $1" ;;
    position*)
        [ "$mode" != refuses-position ] || say "info string error I do not like $1"
        [ "$mode" != answers-early ] || answer
        ;;
    go\ infinite) waiting=yes ;;
    go | go\ *) if [ $answers -lt "$after" ]; then answer; else misbehave "$1"; fi ;;
    stop)
        [ -n "$waiting" ] || return
        waiting=
        if [ "$mode" = stops-badly ]; then say "bestmove a1a9"; else answer; fi
        ;;
    quit) [ "$mode" = ignores-quit ] || exit 0 ;;
    esac
}

# The same squares seen from the other side.
turn() { printf '%s\n' "$1" | sed 'y/abcdefgh12345678/hgfedcba87654321/'; }

# The position of a FEN of all 64 squares as the program here writes it, seen from the other side.
turn_fen() {
    printf '%s\n' "$1" | awk '{
        for (i = 1; i <= length($1); i++) {
            c = substr($1, i, 1)
            if (c ~ /[1-8]/) while (c-- > 0) squares = "." squares
            else if (c != "/") squares = (c == "h" ? "G" : c) squares
        }
        for (row = 0; row < 8; row++) {
            board = board (row ? "/" : ""); empty = 0
            # Every other square of a rank is a point.
            for (i = 2 - row % 2; i <= 8; i += 2) {
                c = substr(squares, 8 * row + i, 1)
                if (c == ".") empty++
                else { board = board (empty ? empty : "") c; empty = 0 }
            }
            board = board (empty ? empty : "")
        }
        print board, ($2 == "w" ? "f" : "g")
    }'
}

# What the other program is told.
pass_on() {
    searches=0
    while read -r line; do
        case $mode/$line in
        turned/position\ startpos\ moves\ *) say "position startpos moves $(turn "${line#*moves }")" ;;
        turned/position\ fen\ *\ moves\ *)
            fen=${line#position fen }
            say "position fen $(turn_fen "${fen%% moves*}") moves $(turn "${line#*moves }")"
            ;;
        turned/position\ fen\ *) say "position fen $(turn_fen "${line#position fen }")" ;;
        dies-on-go/go*)
            [ $searches -lt "$after" ] || return 3
            searches=$((searches + 1))
            say "$line"
            ;;
        */quit) say quit; return 0 ;;
        *) say "$line" ;;
        esac
    done
}

# What is heard of it.
say_again() {
    while read -r line; do
        case $mode/$line in
        */info*) ;;
        */bestmove\ *)
            move=${line#bestmove }
            move=${move%% *}
            case $mode/$move in turned/[a-h][1-8]*) move=$(turn "$move") ;; esac
            [ "$mode" != late ] || sleep "$delay"
            say "$report"
            say "bestmove $move"
            ;;
        *) say "$line" ;;
        esac
    done
}

if [ -n "$engine" ]; then
    { pass_on || kill $$; } | "$engine" | say_again
    exit
fi
[ "$mode" != dies-at-start ] || exit 4
[ "$mode" != ignores-quit ] || trap '' TERM
answers=0 rest= waiting=
while read -r line; do hear "$line"; done
[ "$mode" != ignores-quit ] || forever
