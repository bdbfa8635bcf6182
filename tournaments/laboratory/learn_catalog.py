#!/usr/bin/env python3
"""Learns the weights of the catalog's hunts one after another, and ships those that pass.

    tournaments/laboratory/learn_catalog.py DIR [NAME ...] [--effort 1] [--jobs 2] [--reynard target/release/reynard]

Run it in the top folder of the repository. Each game has a directory of its own below DIR; what is there is not done
again, so that the script can be stopped and called anew at any time. Weights that are a gain for a searcher, by the verdict
of `reynard tune learn`, are copied to src/engine/eval/hunt/weights and entered in weights.rs; a new build plays by them.
DIR/catalog.tsv has a line for every game.
"""

import argparse
import json
import re
import shutil
import subprocess
from pathlib import Path

SOURCE = Path("src/engine/eval/hunt/weights.rs")
SHIPPED = Path("src/engine/eval/hunt/weights")


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


def ship(name, folder):
    """Copies weights, which know the searchers that they serve, and enters them in the table of those that are shipped."""
    shutil.copy(folder / "learned.weights", SHIPPED / f"{name}.weights")
    text = SOURCE.read_text()
    entries = dict(re.findall(r'    shipped!\("weights/([^"]+)[.]weights", (.*)\),\n', text))
    entries.setdefault(name, "&[]")
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
        better, told = (result.get("serves", []), result["about"]) if result else ([], "nothing learned")
        # Weights for one searcher would take those of the program from the other.
        if len(better) == 2 or (better and not (SHIPPED / f"{name}.weights").exists()):
            ship(name, folder)
        size = (folder / "learned.weights").stat().st_size if result else 0
        line = f"{name}\t{'+'.join(better) or 'not kept'}\t{size}\t{told}"
        print(line, flush=True)
        with report.open("a") as file:
            file.write(line + "\n")


if __name__ == "__main__":
    main()
