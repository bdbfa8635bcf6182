#!/usr/bin/env bash
# chess-tuning-tools, unmodified from PyPI, starts our matches in place of cutechess-cli's and reads their output.
#
#   tests/chess-tuning-tools.sh PROGRAM
set -euo pipefail

REYNARD=$(realpath "${1:?usage: chess-tuning-tools.sh PROGRAM}")
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$scratch"
export REYNARD PATH="$here:$PATH" PYTHONWARNINGS=ignore MPLBACKEND=agg
printf 'moves %s\n' a4a5 g4g5 "a4a5 d4d5" >book.epd

python3 -m venv python
# Newer than the package asks for, which have no wheels for today's Python, but old enough for it.
python/bin/pip install -q --only-binary :all: "numpy<2.3" scipy scikit-learn scikit-optimize bask click dill atomicwrites
python/bin/pip install -q --only-binary :all: --no-deps "chess-tuning-tools>=0.9"

cat >tune.json <<JSON
{
  "engines": [
    {"command": "$REYNARD", "fixed_parameters": {"Searcher": "alphabeta", "EvalFile": "linear"}},
    {"command": "$REYNARD", "fixed_parameters": {"Searcher": "alphabeta", "EvalFile": "linear", "Hash": 1}}
  ],
  "parameter_ranges": {"EvalFoxReach": "Integer(0, 20)"},
  "engine1_npm": 60, "engine2_npm": 60, "rounds": 3, "concurrency": 2, "opening_file": "book.epd",
  "n_initial_points": 2, "plot_every": 0, "result_every": 0, "logfile": "log.txt",
  "gp_burnin": 1, "gp_samples": 100, "gp_initial_burnin": 1, "gp_initial_samples": 100, "n_points": 20,
  "adjudicate_draws": true, "draw_movenumber": 10, "draw_movecount": 5, "draw_score": 8,
  "adjudicate_resign": true, "resign_movecount": 3, "resign_score": 550, "adjudicate_tb": false
}
JSON
# It tunes for ever: three measured points are enough.
python/bin/tune local -c tune.json >tune.txt 2>&1 &
tuner=$!
for _ in $(seq 180); do
    [ "$(grep -c "Got Elo" tune.txt)" -lt 3 ] || break
    kill -0 $tuner 2>/dev/null || break
    sleep 1
done
kill $tuner 2>/dev/null || true
wait $tuner || true
if [ "$(grep -c "Got Elo" tune.txt)" -lt 3 ] || grep -q "cutechess-cli error\|was unknown\|lost on time\|stalled" tune.txt; then
    echo "chess-tuning-tools does not tune:" >&2
    tail -n 40 tune.txt >&2
    exit 1
fi
grep "Got Elo" tune.txt | sed 's/^/chess-tuning-tools: /'

# Its own functions on one match: six games, and an engine that oversteps its time is found.
cat >match.py <<'PYTHON'
import logging, re, sys
from tune.io import prepare_engines_json, write_engines_json
from tune.local import LOGGER, check_log_for_errors, is_debug_log, parse_experiment_result, run_match

warnings = []
class Keep(logging.Handler):
    def emit(self, record):
        warnings.append(record.getMessage())
logging.getLogger(LOGGER).addHandler(Keep())

def match(commands, **settings):
    write_engines_json(prepare_engines_json(commands, [{}, {}]), {})
    lines = [line.rstrip() for line in run_match(opening_file="book.epd", **settings)]
    check_log_for_errors(lines)
    return [line for line in lines if not is_debug_log(line)]

reynard, late = sys.argv[1:]
lines = match([reynard, reynard], rounds=3, engine1_depth=2, engine2_npm=20, concurrency=2)
finished = sorted(int(line.split()[2]) for line in lines if line.startswith("Finished game"))
assert finished == [1, 2, 3, 4, 5, 6], lines
score, variance, draw_rate = parse_experiment_result("\n".join(lines), n_dirichlet_samples=1000)
assert -1 <= score <= 1 and variance > 0 and 0 < draw_rate < 1, (score, variance, draw_rate)
assert not warnings, warnings
match([reynard, late], rounds=1, engine1_npm=20, engine2_st=0.2, timemargin=0)
assert any("engine2 lost on time" in warning for warning in warnings), warnings
PYTHON
printf '#!/bin/sh\nexec "%s" late --delay 1 --engine "%s"\n' "$here/engines/bad_engine.sh" "$REYNARD" >late
chmod +x late
python/bin/python match.py "$REYNARD" "$scratch/late"
echo "chess-tuning-tools: reads every game of a match, and losses on time"
