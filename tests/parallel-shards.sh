#!/usr/bin/env bash
# A tournament played in three shards by GNU parallel, and by the variables that Slurm and Kubernetes set, must be the
# same as the one played by a single process, byte for byte.
#
#   tests/parallel-shards.sh PROGRAM
set -euo pipefail

REYNARD=$(realpath "${1:?usage: parallel-shards.sh PROGRAM}")
export REYNARD
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$scratch"

cat >spec.json <<'SPEC'
{
  "rulesets": ["masters-15"],
  "engines": [
    {"name": "mcts", "options": {"Searcher": "mcts"}, "limits": {"nodes": 100}},
    {"name": "alphabeta", "options": {"Searcher": "alphabeta"}, "limits": {"depth": 2}}
  ],
  "format": "match",
  "pairs": 10,
  "openings": {"kind": "random", "plies": 4},
  "seed": 1
}
SPEC

same() {
    cmp "$1/journal.jsonl" single/journal.jsonl || { echo "$1 is not the same as the unsharded run" >&2; exit 1; }
    echo "$1: the same journal as the unsharded run"
}

"$REYNARD" tournament run spec.json --out single --quiet >single.txt

"$here/../tournaments/parallel.sh" spec.json "by parallel" 3 >parallel.txt
same "by parallel/whole"

# A shard that is killed at its first attempt.
cat >dying <<'SH'
#!/bin/sh
case "$*" in *1/3*) mkdir dead 2>/dev/null && kill -KILL $$ ;; esac
exec "$PROGRAM" "$@"
SH
chmod +x dying
PROGRAM=$REYNARD REYNARD=$PWD/dying "$here/../tournaments/parallel.sh" spec.json killed 3 >killed.txt
[[ -d dead ]] || { echo "no shard was killed" >&2; exit 1; }
same killed/whole

for task in 1 2 3; do
    SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_COUNT=3 \
        "$REYNARD" tournament run spec.json --out "slurm-$task" --quiet >/dev/null
done
"$REYNARD" tournament merge slurm-* --out slurm >slurm.txt
same slurm
cmp slurm.txt single.txt

for index in 0 1 2; do
    JOB_COMPLETION_INDEX=$index JOB_COMPLETIONS=3 \
        "$REYNARD" tournament run spec.json --out "kubernetes-$index" --quiet >/dev/null
done
"$REYNARD" tournament merge kubernetes-* --out kubernetes >kubernetes.txt
same kubernetes

# What cannot be run here must at least be well formed.
bash -n "$here/../tournaments/parallel.sh"
echo "shards: fine"
