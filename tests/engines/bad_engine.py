#!/usr/bin/env -S python3 -IS
"""An engine that misbehaves on request: bad_engine.py MODE [--moves M,M,...] [--after N] [--delay S] [--engine PATH]

It speaks UGI and UCI and knows no game. Its answers are the MOVES in turn, beginning again in every game; with --engine
they are those of the program at PATH, to which everything is passed on, so that whole games can be played. Its options
are Hash (spin, 1 to 64), Seed, Style (combo, Solid or Risky), Path (string), Ponder and Clear Hash.

It misbehaves from the first `go` on that comes after N answers (--after, 0 if left out), or where the mode says so:

  good               not at all
  no-handshake       reads, but never says ugiok or uciok
  dies-at-start      exits with status 4 before the handshake
  slow-handshake     waits S seconds before ugiok or uciok
  endless-options    announces options without end
  no-ping            never says readyok
  stops-reading      says readyok once, then reads no more
  refuses-options    complains about every setoption
  refuses-position   complains about every position
  dies-on-go         exits with status 3 instead of an answer
  killed-on-go       kills itself with SIGSEGV
  dies-with-child    leaves a child that holds its pipes, then exits with status 3
  closes-output      closes its output on go, but lives
  closes-input       closes its input after the handshake, but lives
  hangs              does nothing any more
  hangs-with-child   the same, after starting children that hold its pipes
  ignores-stop       never answers go, but answers isready
  waits-for-stop     answers go only after stop
  late               answers S seconds late
  illegal-move       answers with a move that no game has at its start
  unparsable-move    answers with a text that is no move
  empty-bestmove     `bestmove` without a move
  no-move            `bestmove (none)`
  null-move          `bestmove 0000`
  resigns            `bestmove resign`
  garbage            bytes that are no text, before an answer
  garbage-move       `bestmove` with bytes that are no text
  garbage-info       the same in an info line, before a proper answer (which is allowed)
  huge-line          a line without end
  flood              info lines without end
  flood-on-ready     info lines without end instead of readyok
  answers-twice      two different answers to one go
  answers-early      answers already when it hears position, then not on go
  upper-case         BESTMOVE in capitals
  upper-case-move    the move in capitals
  ignores-quit       plays well, but ignores quit, the end of its input and SIGTERM
  noisy-stderr       megabytes on its error output, before a proper answer
  lies               plays well, but leaves the first move out when asked for the legal moves
  turned             plays well on eight by eight squares turned by 180 degrees (with --engine); its positions are those
                     of Fairy-Stockfish's fox-and-hounds
  child-at-start     plays well, with a child that never ends
"""
import os
import signal
import sys
import time

OPTIONS = """\
id name bad engine
id author nobody
option name Hash type spin default 16 min 1 max 64
option name Seed type spin default 0 min 0 max 999
option name Style type combo default Solid var Solid var Risky
option name Path type string default <empty>
option name Ponder type check default true
option name Clear Hash type button"""


def say(text):
    write((text + "\n").encode())


def write(data):
    while data:
        data = data[os.write(1, data):]


def forever():
    while True:
        time.sleep(3600)


def start_child():
    import subprocess
    subprocess.Popen(["sleep", "3600"])


def flood(line):
    block = (line + "\n").encode() * 1000
    while True:
        write(block)


def turn(line):
    import re
    fen = re.fullmatch("position fen ([^ ]+) ([wb]) - - 0 1(.*)", line)
    if fen:
        squares = re.sub("[1-8]", lambda empty: "." * int(empty[0]), fen[1].replace("/", ""))[::-1].replace("h", "G")
        # Every other square of a rank is a point.
        ranks = [squares[8 * row:8 * row + 8][1 - row % 2::2] for row in range(8)]
        board = "/".join(re.sub("[.]+", lambda empty: str(len(empty[0])), rank) for rank in ranks)
        return "position fen " + board + (" f" if fen[2] == "w" else " g") + turn(fen[3])
    return re.sub("[a-h][1-8]", lambda at: "hgfedcba"["abcdefgh".index(at[0][0])] + str(9 - int(at[0][1])), line)


class Moves:
    """Answers from a list."""

    def __init__(self, moves):
        self.moves, self.next = moves, 0

    def tell(self, line):
        if line.endswith("newgame"):
            self.next = 0

    def answer(self, _go):
        self.next += 1
        return self.moves[(self.next - 1) % len(self.moves)]

    def response(self, _query):
        return None


class Engine:
    """Answers of another program."""

    def __init__(self, path):
        import subprocess
        pipe = subprocess.PIPE
        self.program = subprocess.Popen([path], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.ask("ugi", "ugiok")
        self.options = self.heard

    def tell(self, line):
        self.program.stdin.write(line + "\n")

    def ask(self, line, reply):
        self.tell(line)
        self.heard = []
        for answer in self.program.stdout:
            if answer.split()[:1] == [reply]:
                return answer.strip()
            self.heard.append(answer.strip())
        sys.exit(5)

    def answer(self, go):
        return self.ask(go, "bestmove").split()[1]

    def response(self, query):
        return self.ask(query, "response")


class Bad:
    def __init__(self, arguments):
        self.mode, self.after, self.delay = arguments.mode, arguments.after, arguments.delay
        self.source = Engine(arguments.engine) if arguments.engine else Moves(arguments.moves.split(","))
        self.answers = 0
        self.waiting = None

    def hear(self, line):
        command = line.split()[0]
        if command in ("ugi", "uci"):
            self.greet(command)
        elif command == "isready":
            self.ready()
        elif command == "go":
            self.go(line)
        elif command == "stop":
            self.stop()
        elif command == "query":
            response = self.source.response(line)
            if response is not None:
                say(self.shorten(response) if self.mode == "lies" and "legalmoves" in line else response)
        elif command == "quit" and self.mode != "ignores-quit":
            sys.exit(0)
        elif command != "quit":
            self.obey(command, line)

    def greet(self, command):
        if self.mode == "no-handshake":
            return
        if self.mode == "slow-handshake":
            time.sleep(self.delay)
        if self.mode == "child-at-start":
            start_child()
        if self.mode == "endless-options":
            flood("option name Again type string default " + 100 * "x")
        say("\n".join(self.source.options) if isinstance(self.source, Engine) else OPTIONS)
        say(command + "ok")
        if self.mode == "closes-input":
            os.close(0)
            forever()

    def ready(self):
        if self.mode == "flood-on-ready":
            flood("info string busy")
        if self.mode != "no-ping":
            say("readyok")
        if self.mode == "stops-reading":
            forever()

    def obey(self, command, line):
        if command == "setoption" and self.mode == "refuses-options":
            return say("info string error I do not like " + line)
        if command == "position" and self.mode == "refuses-position":
            return say("info string error I do not like " + line)
        self.source.tell(turn(line) if self.mode == "turned" else line)
        if command == "position" and self.mode == "answers-early":
            say("bestmove " + self.source.answer("go nodes 1"))

    def go(self, line):
        misbehave = getattr(self, self.mode.replace("-", "_"), None)
        if misbehave is None or self.answers < self.after:
            self.answer(line)
        else:
            misbehave(line)

    def answer(self, go, word="bestmove", change=str):
        self.answers += 1
        say("info depth 1 score cp 7 nodes 10 pv x")
        say(word + " " + change(self.source.answer(go)))

    def stop(self):
        if self.waiting:
            go, self.waiting = self.waiting, None
            self.answer(go)

    def shorten(self, response):
        return " ".join(response.split()[:1] + response.split()[2:])

    def dies_on_go(self, _go):
        os._exit(3)

    def killed_on_go(self, _go):
        os.kill(os.getpid(), signal.SIGSEGV)

    def dies_with_child(self, _go):
        start_child()
        os._exit(3)

    def closes_output(self, _go):
        os.close(1)
        forever()

    def hangs(self, _go):
        forever()

    def hangs_with_child(self, _go):
        start_child()
        start_child()
        forever()

    def ignores_stop(self, _go):
        pass

    def waits_for_stop(self, go):
        self.waiting = go

    def late(self, go):
        time.sleep(self.delay)
        self.answer(go)

    def illegal_move(self, _go):
        say("bestmove a1a9")

    def unparsable_move(self, _go):
        say("bestmove Zwirn!?")

    def empty_bestmove(self, _go):
        say("bestmove")

    def no_move(self, _go):
        say("bestmove (none)")

    def null_move(self, _go):
        say("bestmove 0000")

    def resigns(self, _go):
        say("bestmove resign")

    def garbage(self, go):
        write(bytes(range(128, 256)) + b"\x00\x01\n")
        self.answer(go)

    def garbage_move(self, _go):
        write(b"bestmove a3\xff\xfe\n")

    def garbage_info(self, go):
        write(b"info string \xff\xfe\x00\n")
        self.answer(go)

    def huge_line(self, _go):
        while True:
            write(b"x" * 65536)

    def flood(self, _go):
        flood("info depth 1 score cp 1 nodes 1 pv x")

    def answers_twice(self, go):
        self.answer(go)
        say("bestmove z9z9")

    def answers_early(self, _go):
        pass

    def upper_case(self, go):
        self.answer(go, word="BESTMOVE")

    def upper_case_move(self, go):
        self.answer(go, change=str.upper)

    def turned(self, go):
        self.answer(go, change=turn)

    def noisy_stderr(self, go):
        for _ in range(50):
            os.write(2, b"noise\n" * 20000)
        self.answer(go)


class Arguments:
    """Few imports: the tests start this program hundreds of times."""

    def __init__(self, words):
        self.mode, self.moves, self.after, self.delay, self.engine = words[0], "a4a5", 0, 0.3, None
        for name, value in zip(words[1::2], words[2::2]):
            name = name.removeprefix("--")
            kind = {"after": int, "delay": float}.get(name, str)
            setattr(self, name, kind(value))


def main():
    arguments = Arguments(sys.argv[1:])
    if not any(line.startswith("  " + arguments.mode + " ") for line in __doc__.splitlines()):
        sys.exit("no such mode: " + arguments.mode)
    if arguments.mode == "dies-at-start":
        sys.exit(4)
    if arguments.mode == "ignores-quit":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    bad = Bad(arguments)
    for line in sys.stdin:
        if line.strip():
            bad.hear(line.strip())
    if arguments.mode == "ignores-quit":
        forever()


main()
