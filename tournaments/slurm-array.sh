#!/usr/bin/env bash
# Plays a tournament as a Slurm job array, one shard a task, and joins the shards in a job of its own, which ends a
# sequential test as soon as it is decided.
#
#   SHARDS=64 tournaments/slurm-array.sh SPEC.json OUT
#
# submits both; OUT/part-0, OUT/part-1, ... are the shards, OUT/whole is the joined tournament and OUT/whole.txt its
# result; MERGE_TIME is the time limit of the job that joins them, a day by default. Take more shards than there are
# slots: a slow machine then plays fewer of them. Of a sequential test take as many as there are slots, less one for the
# job that decides it: it needs the first pairs of all. REYNARD is the program, by default the one on the path.
#
# Tasks need nothing from each other. One that was killed, requeued or timed out goes on where it was; to start single
# ones again:  SHARDS=64 sbatch --array=3,7 tournaments/slurm-array.sh SPEC.json OUT
#
#SBATCH --job-name=reynard
#SBATCH --cpus-per-task=4
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# A minute before the time is over the games under way are given up and the journal is closed.
#SBATCH --signal=TERM@60
set -euo pipefail

spec=${1:?usage: slurm-array.sh SPEC.json OUT}
out=${2:?usage: slurm-array.sh SPEC.json OUT}
export REYNARD=${REYNARD:-reynard}
export SHARDS=${SHARDS:-64}

mkdir -p "$out"
if [[ -z ${SLURM_ARRAY_TASK_ID:-} ]]; then
    parts=()
    for ((index = 0; index < SHARDS; index++)); do parts+=("$out/part-$index"); done
    printf -v merge '%q ' "$REYNARD" tournament merge --watch "$out/whole" "${parts[@]}"
    printf -v text '%q' "$out/whole.txt"
    merging=(--parsable --job-name=reynard-merge --requeue --time="${MERGE_TIME:-1-00:00:00}"
        --wrap="rm -rf $(printf %q "$out/whole") && $merge >$text")
    playing=(--parsable --array="0-$((SHARDS - 1))" "$0" "$spec" "$out")
    checked=$("$REYNARD" tournament check "$spec" --json)
    if [[ $checked == *'"format":"sprt"'* ]]; then
        # First the job that decides the test: shards that nobody watches would keep the slots for themselves.
        merger=$(sbatch "${merging[@]}")
        array=$(sbatch --dependency="after:$merger" "${playing[@]}")
    else
        array=$(sbatch "${playing[@]}")
        # Begins when every task has ended, and waits for those that are started again.
        merger=$(sbatch --dependency="afterany:$array" "${merging[@]}")
    fi
    echo "$array $merger"
    exit
fi

srun "$REYNARD" tournament run "$spec" --shard "$SLURM_ARRAY_TASK_ID/$SHARDS" --out "$out/part-$SLURM_ARRAY_TASK_ID" \
    --concurrency "${SLURM_CPUS_PER_TASK:-1}" --resume --quiet
