#!/usr/bin/env python3
"""A small engine of somebody else: UGI without a single query, and only the game masters-15 and one that nobody else has.

In masters-15 it plays a capture where it finds one, else the first move of a list that it turns as the game goes on. In
twenty-one the players take 1, 2 or 3 of 21 stones in turn, and who takes the last has won.
"""
import sys

POINTS = {(x, y) for x in range(7) for y in range(7) if 2 <= x <= 4 or 2 <= y <= 4}
EVERY_WAY = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def name(point):
    return "abcdefg"[point[0]] + str(point[1] + 1)


def point(text):
    return "abcdefg".index(text[0]), int(text[1:]) - 1


def ahead(start, way):
    """The next point along a line, or none."""
    end = start[0] + way[0], start[1] + way[1]
    is_diagonal = way[0] != 0 and way[1] != 0
    return None if end not in POINTS or (is_diagonal and sum(start) % 2) else end


class Game:
    def __init__(self):
        self.fox = point("d4")
        self.geese = {p for p in POINTS if p[1] <= 2} | {point("a4"), point("g4")}
        self.geese_move = True

    def play(self, text):
        stops = [point(stop) for stop in text.split("x")] if "x" in text else [point(text[:2]), point(text[2:])]
        if self.geese_move:
            self.geese = self.geese - {stops[0]} | {stops[1]}
        elif "x" in text:
            self.geese -= {((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in zip(stops, stops[1:])}
        if not self.geese_move:
            self.fox = stops[-1]
        self.geese_move = not self.geese_move

    def moves(self):
        taken = self.geese | {self.fox}
        if self.geese_move:
            steps = [(goose, ahead(goose, way)) for goose in sorted(self.geese) for way in EVERY_WAY if way[1] >= 0]
            return [name(start) + name(end) for start, end in steps if end and end not in taken]
        near = [(way, ahead(self.fox, way)) for way in EVERY_WAY]
        jumps = [ahead(over, way) for way, over in near if over in self.geese]
        captures = [f"{name(self.fox)}x{name(end)}" for end in jumps if end and end not in taken]
        return captures + [name(self.fox) + name(end) for _, end in near if end and end not in taken]


class Stones:
    def __init__(self):
        self.left = 21

    def play(self, text):
        self.left -= int(text)

    def moves(self):
        # First those that leave a multiple of four.
        return [str(count) for count in sorted({1, 2, 3}, key=lambda count: (self.left - count) % 4) if count <= self.left]


GAMES = {"masters-15": Game, "twenty-one": Stones}


def main():
    variant, plies = Game, 0
    game = variant()
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["ugi", *_]:
                print("id name Foreigner\nid author the reynard authors")
                print("option name UCI_Variant type combo default masters-15 var masters-15 var twenty-one\nugiok")
            case ["setoption", "name", "UCI_Variant", "value", wanted] if wanted in GAMES:
                variant = GAMES[wanted]
                game, plies = variant(), 0
            case ["isready", *_]:
                print("readyok")
            case ["position", "startpos", *rest]:
                game, plies = variant(), max(0, len(rest) - 1)
                for text in rest[1:]:
                    if text not in game.moves():
                        print(f"info string error position: {text} is no legal move")
                        break
                    game.play(text)
            case ["go", *_]:
                moves = game.moves()
                captures = [move for move in moves if "x" in move]
                turn = 0 if variant is Stones else plies
                best = captures[0] if captures else moves[turn % len(moves)] if moves else "(none)"
                print(f"info depth 1 score cp 1 nodes {max(1, len(moves))} time 0 pv {best}\nbestmove {best}")
            case ["quit", *_]:
                return
        sys.stdout.flush()


main()
