#!/usr/bin/env python3
"""Learns the weights of the catalog's hunts one after another, and ships those that pass.

    tournaments/laboratory/learn_catalog.py DIR [NAME ...] [--effort 1] [--jobs 2] [--reynard target/release/reynard]

Run it in the top folder of the repository. Each game has a directory of its own below DIR; what is there is not done
again, so that the script can be stopped and called anew at any time. A game whose tables reach to its start is judged by
the openings that it converts (`reynard tune learn` plays them). Any other plays matches with each searcher, at few nodes
and at ten times as many: weights serve a searcher that wins both, by more than chance together. What is accepted is
copied to src/engine/eval/hunt/weights and entered in weights.rs; a new build plays by it. DIR/catalog.tsv has a line for
every game.
"""

import argparse
import json
import re
import shutil
import subprocess
from pathlib import Path

SOURCE = Path("src/engine/eval/hunt/weights.rs")
SHIPPED = Path("src/engine/eval/hunt/weights")
# The fewer nodes of each searcher.
NODES = {"alphabeta": 2000, "mcts": 200}
GAMES = 60


def words(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def hunts(reynard):
    """The names of the catalog's hunts."""
    listed = re.findall(r"^([a-z0-9][a-z0-9-]*)  ", words(reynard, "rules", "list", "--all"), re.MULTILINE)
    return [name for name in listed if "goose_moves" in words(reynard, "rules", "show", name)]


def learn(args, name, folder):
    """Runs `tune learn` to its end; returns what result.json says, or None where nothing can be learned."""
    result = folder / "result.json"
    if not result.exists():
        command = [args.reynard, "tune", "learn", name, "--out", folder, "--resume", "--quiet"]
        command += ["--effort", str(args.effort), "--concurrency", str(args.jobs)]
        if subprocess.run(command).returncode:
            return None
        shutil.rmtree(folder / "tables", ignore_errors=True)
        for samples in folder.glob("*.samples"):
            samples.unlink()
    return json.loads(result.read_text())


def match(args, name, folder, searcher, nodes):
    """The score of learned weights against the present ones, and its error; kept in a file."""
    kept = folder / f"match-{searcher}-{nodes}.json"
    if not kept.exists():
        sides = [f"Searcher={searcher},EvalFile={folder / 'learned.weights'}", f"Searcher={searcher}"]
        command = [args.reynard, "match", "--ruleset", name, "--games", str(GAMES), "--nodes", str(nodes)]
        command += ["--openings-plies", "6", "--concurrency", str(args.jobs), "--json", "--a", sides[0], "--b", sides[1]]
        kept.write_text(words(*command))
    estimate = json.loads(kept.read_text())["engines"][0]["overall"]["results"]["estimate"]
    return estimate["score"], estimate["stderr"] or 0.0


def serves(args, name, folder, result):
    """The searchers that are better with the learned weights, and why."""
    conversions = result.get("conversions")
    if conversions:
        better = [s for s, won in conversions.items() if won["learned"] >= won["present"]]
        of = {s: won["both"] + won["learned"] + won["present"] + won["neither"] for s, won in conversions.items()}
        told = [
            f"{s} {won['both'] + won['learned']} of {of[s]}, before {won['both'] + won['present']}"
            for s, won in conversions.items()
        ]
        return better if result["verdict"] == "gain" else [], "; ".join(told)
    better, told = [], []
    for searcher, nodes in NODES.items():
        scores = [match(args, name, folder, searcher, nodes * times) for times in (1, 10)]
        told += [f"{searcher} {' and '.join(f'{100 * score:.1f} %' for score, _ in scores)}"]
        gain = sum(score - 0.5 for score, _ in scores)
        error = sum(stderr**2 for _, stderr in scores) ** 0.5
        if min(score for score, _ in scores) >= 0.5 and gain > 1.645 * error:
            better.append(searcher)
    return better, "; ".join(told)


def ship(name, folder, better):
    """Copies weights and enters them in the table of those that are shipped."""
    shutil.copy(folder / "learned.weights", SHIPPED / f"{name}.weights")
    kinds = {2: "EVERY", 1: "MEAN" if "mcts" in better else "&[Backup::Minimax]"}[len(better)]
    text = SOURCE.read_text()
    entries = dict(re.findall(r'    shipped!\("weights/([^"]+)[.]weights", (.*)\),\n', text))
    more_geese = entries[name].split(", ")[-1] if name in entries else "&[]"
    entries[name] = f"{kinds}, {more_geese}"
    lines = "".join(f'    shipped!("weights/{game}.weights", {rest}),\n' for game, rest in sorted(entries.items()))
    begin, end = text.index('    shipped!("weights/'), text.index("];\n\nimpl Shipped")
    SOURCE.write_text(text[:begin] + lines + text[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--effort", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reynard", default="target/release/reynard")
    args = parser.parse_args()
    args.dir.mkdir(parents=True, exist_ok=True)
    report = args.dir / "catalog.tsv"
    done = {line.split("\t")[0] for line in report.read_text().splitlines()} if report.exists() else set()
    for name in args.names or hunts(args.reynard):
        if name in done:
            continue
        folder = args.dir / name
        result = learn(args, name, folder)
        better, told = serves(args, name, folder, result) if result else ([], "nothing learned")
        if better:
            ship(name, folder, better)
        size = (folder / "learned.weights").stat().st_size if result else 0
        line = f"{name}\t{'+'.join(better) or 'not kept'}\t{size}\t{told}"
        print(line, flush=True)
        with report.open("a") as file:
            file.write(line + "\n")


if __name__ == "__main__":
    main()
