#!/usr/bin/env python3
"""Lets a program that turns the board of fox-and-hounds, as Fairy-Stockfish does, play with one that does not.

    turned_board.py PROGRAM [ARGUMENT ...]

A proxy for PROGRAM: squares are turned by 180 degrees in both directions, and positions are written as chess writes them,
with h for a hound, and with w for the fox and b for the hounds on the move.
"""
import os
import re
import subprocess
import sys
import threading
from itertools import groupby

TURN = str.maketrans("abcdefgh12345678", "hgfedcba87654321")
LETTERS = {"G": "h"}
SIDES = {"f": "w", "g": "b"}


def expand(rank):
    """The points of a rank, None where there is no piece."""
    return [piece for sign in rank for piece in ([None] * int(sign) if sign.isdigit() else [LETTERS.get(sign, sign)])]


def fen(board, side):
    squares = []
    for row, rank in enumerate(board.split("/")):
        # Every other square of a rank is a point.
        cells = [None] * 8
        cells[1 - row % 2 :: 2] = expand(rank)
        squares += cells
    squares.reverse()
    ranks = [squares[start : start + 8] for start in range(0, 64, 8)]
    runs = [[(piece, len(list(run))) for piece, run in groupby(rank)] for rank in ranks]
    text = "/".join("".join(str(count) if piece is None else piece * count for piece, count in rank) for rank in runs)
    return f"{text} {SIDES[side]} - - 0 1"


def theirs(line):
    """A command in the words of the program."""
    if not line.startswith("position "):
        return line
    start, _, moves = line.partition(" moves ")
    if start.startswith("position fen "):
        start = f"position fen {fen(*start.split()[2:])}"
    return f"{start} moves {moves.translate(TURN)}" if moves else start


def ours(line):
    """An answer of the program in our words."""
    words = line.split()
    is_move = len(words) > 1 and words[0] == "bestmove" and re.fullmatch("([a-h][1-8])+", words[1])
    return f"bestmove {words[1].translate(TURN)}" if is_move else line


def main():
    program = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def answers():
        for line in program.stdout:
            print(ours(line.rstrip("\n")), flush=True)
        # The program has ended, and so does the proxy, whatever it waits for.
        os._exit(program.wait())

    reader = threading.Thread(target=answers)
    reader.start()
    for line in sys.stdin:
        try:
            print(theirs(line.rstrip("\n")), file=program.stdin, flush=True)
        except (TypeError, KeyError):
            print(f"info string error {line.strip()}: expected a placement and a turn", flush=True)
    program.stdin.close()
    reader.join()


main()
