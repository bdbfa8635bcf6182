#!/usr/bin/env python3
"""Counts the drawn games that an engine with tables wins, and the lost ones that it saves, against weak players.

    tournaments/laboratory/swindle.py DIR [--reynard target/release/reynard] [--opponent target/release/reynard] ...

The weak players have no tables: skill level 12, and mcts at 400 iterations. A game starts with 12 geese or 9 and goes
on with 16 random plies; what the tables call drawn, or won by one side, is an opening. DIR keeps openings and games, so
that a second program (another --reynard, another --name) meets the same; stopped, it goes on when called again. It needs tables of up to 12 geese:

    reynard table build bell-13 --geese 12 --dir tables; reynard table build masters-15 --geese 12 --dir tables
"""

import argparse
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

WEAK = {"level-12": ["option.Skill Level=12", "nodes=4000"], "mcts-400": ["option.Searcher=mcts", "nodes=400"]}
# The value of the openings, the geese at the start, and the sides with tables whose games count.
BOOKS = {"draw": (12, ["fox", "geese"]), "geese": (12, ["fox"]), "fox": (9, ["geese"])}
SQUARES = "a3 b3 c3 d3 e3 f3 g3 c2 d2 e2 c1 d1 e1".split()


def book_of(args, game, value):
    """The file of openings with this value."""
    path = args.dir / f"{game}-{value}.txt"
    if not path.exists():
        start = ",".join(SQUARES[: BOOKS[value][0]])
        command = [args.reynard, "tournament", "openings", game, "--set", f"geese={start}", "--plies", "16", "--quiet"]
        command += ["--count", str(args.positions), "--balance", "by=table", f"value={value}", "--tables", args.tables]
        path.write_text(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return path


def play(args, game, book, weak):
    """Plays from the openings of a file; returns the wins, draws and losses of the side with tables, by its role."""
    out = args.dir / f"{args.name}-{book.stem}-{weak}"
    if not out.exists():
        part = out.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        perfect = [f"cmd={args.reynard}", f"nodes={args.nodes}", f"option.TablePath={args.tables}"]
        command = [args.reynard, "match", "--ruleset", game, "--games", str(2 * args.positions), "--max-plies", "200"]
        command += ["--openings", f"path={book}", "--out", part, "--json", "--engine", "name=perfect", *perfect]
        command += ["--concurrency", str(args.concurrency)]
        command += ["--engine", "name=weak", f"cmd={args.opponent}", *WEAK[weak]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        part.rename(out)
    counts = {side: Counter() for side in ("fox", "geese")}
    for tags in (out / "games.pgn").read_text().split("[Event ")[1:]:
        tag = dict(re.findall(r'^\[(\w+) "(.*)"\]$', tags, re.MULTILINE))
        won = {"1-0": tag["White"], "0-1": tag["Black"]}.get(tag["Result"], "nobody")
        side = "fox" if tag["Fox"] == "perfect" else "geese"
        counts[side][{"perfect": "won", "weak": "lost", "nobody": "drawn"}[won]] += 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path)
    parser.add_argument("--reynard", default="target/release/reynard", help="the program that plays with tables")
    parser.add_argument("--opponent", default="target/release/reynard", help="the program that plays weakly")
    parser.add_argument("--name", default="run", help="what the games are filed under")
    parser.add_argument("--tables", default="tables")
    parser.add_argument("--games", default="bell-13,masters-15")
    parser.add_argument("--values", default=",".join(BOOKS), help="draw, or the side that has won")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=4000, help="nodes a move of the side with tables")
    parser.add_argument("--concurrency", type=int, default=1, help="games at the same time")
    args = parser.parse_args()
    args.dir.mkdir(parents=True, exist_ok=True)
    for game in args.games.split(","):
        for value in args.values.split(","):
            book = book_of(args, game, value)
            for weak in WEAK:
                counts = play(args, game, book, weak)
                for side in BOOKS[value][1]:
                    state = "drawn" if value == "draw" else "lost"
                    told = ", ".join(f"{counts[side][result]} {result}" for result in ("won", "drawn", "lost"))
                    print(f"{game}, {state}, {side} against {weak}: {told}", flush=True)


if __name__ == "__main__":
    main()
