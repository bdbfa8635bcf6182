#!/usr/bin/env python3
"""The README's picture of the terminal, drawn by the program itself into tests/pictures; that of the page comes from tests/gui.

    tests/pictures.py PROGRAM [--check]

With --check nothing is written; the exit code is 1 when a picture is not what the program draws today.
"""
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "pictures"
PROMPT = re.compile(r"\n\w+> $")


def terminal_game(program, arguments, lines):
    """What a person sees who types these lines, each after a prompt."""
    child, terminal = pty.fork()
    if child == 0:
        # Text alone: pictures show no colours, and no board that is drawn in the place of another.
        os.execve(program, [program, *arguments], {**os.environ, "TERM": "dumb"})
    seen, waiting = "", list(lines)
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the program has ended
            break
        if not data:
            break
        seen += data.decode().replace("\r", "")
        if waiting and PROMPT.search(seen):
            os.write(terminal, (waiting.pop(0) + "\n").encode())
    if os.waitpid(child, 0)[1] != 0 or waiting:
        sys.exit(f"the game did not go as planned:\n{seen}")
    return seen


def pictures(program):
    draw = [program, "rules", "draw"]
    game = terminal_game(program, ["play", "bell-13", "--option", "Searcher=greedy"], ["@d4", "quit"])
    drawn = subprocess.run([*draw, "--transcript", "-", "--svg", "-"], input=game.encode(), capture_output=True, check=True)
    yield "play.svg", drawn.stdout


def main():
    program, check = str(Path(sys.argv[1]).resolve()), sys.argv[2:] == ["--check"]
    stale = []
    for name, drawn in pictures(program):
        path = FOLDER / name
        if not check:
            FOLDER.mkdir(exist_ok=True)
            path.write_bytes(drawn)
        elif not path.exists() or path.read_bytes() != drawn:
            stale.append(name)
    if stale:
        sys.exit(f"not current: {', '.join(stale)}; run tests/pictures.py PROGRAM")


main()
