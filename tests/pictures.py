#!/usr/bin/env python3
"""The README's picture of the terminal, a game that the program plays, in tests/pictures; that of the page comes from tests/gui.

    tests/pictures.py PROGRAM [--check]

With --check nothing is written; the exit code is 1 when the picture is not what the program shows today.
"""
import os
import pty
import re
import sys
from math import ceil
from pathlib import Path
from xml.sax.saxutils import escape

PICTURE = Path(__file__).parent / "pictures" / "play.svg"
PROMPT = re.compile(r"\n\w+> $")
LETTER_WIDTH, LINE_HEIGHT, MARGIN = 8.43, 18, 16
FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


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


def picture(text):
    """The lines of a text in letters of one width, as SVG."""
    lines = ["".join(letter for letter in line if letter.isprintable()) for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    width = ceil(2 * MARGIN + LETTER_WIDTH * max(map(len, lines)))
    height = 2 * MARGIN + LINE_HEIGHT * len(lines)
    rows = [
        f'<text xml:space="preserve" fill="#e6e1d8" x="{MARGIN}" y="{MARGIN + LINE_HEIGHT * (number + 0.8):g}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="{FONT}" font-size="14"><rect width="100%" height="100%" rx="8" fill="#1d1f21"></rect>'
        + "".join(rows)
        + "</svg>\n"
    )


def main():
    program, check = str(Path(sys.argv[1]).resolve()), sys.argv[2:] == ["--check"]
    drawn = picture(terminal_game(program, ["play", "bell-13", "--option", "Searcher=greedy"], ["@d4", "quit"]))
    if not check:
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_text(drawn, encoding="utf-8")
    elif not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != drawn:
        sys.exit(f"{PICTURE.name} is not current; run tests/pictures.py PROGRAM")


main()
