#!/usr/bin/env bash
# Plays a tournament as a Slurm job array, one shard a task.
#
#   sbatch tournaments/slurm-array.sh SPEC.json OUT
#
# When all tasks are done:
#
#   reynard tournament merge OUT/part-* --out OUT/whole
#
# Tasks need nothing from each other. One that was killed, requeued or timed out goes on where it was; to start single
# ones again, tell how many shards there are:  SHARDS=16 sbatch --array=3,7 tournaments/slurm-array.sh SPEC.json OUT
#
#SBATCH --job-name=reynard
#SBATCH --array=0-15
#SBATCH --cpus-per-task=4
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# A minute before the time is over the games under way are given up and the journal is closed.
#SBATCH --signal=TERM@60
set -euo pipefail

spec=${1:?usage: sbatch slurm-array.sh SPEC.json OUT}
out=${2:?usage: sbatch slurm-array.sh SPEC.json OUT}
reynard=${REYNARD:-reynard}

# Without SHARDS the program reads its shard from SLURM_ARRAY_TASK_ID, _MIN, _STEP and _COUNT itself.
shard=()
if [[ -n ${SHARDS:-} ]]; then shard=(--shard "$SLURM_ARRAY_TASK_ID/$SHARDS"); fi

mkdir -p "$out"
srun "$reynard" tournament run "$spec" "${shard[@]}" --out "$out/part-$SLURM_ARRAY_TASK_ID" \
    --concurrency "${SLURM_CPUS_PER_TASK:-1}" --resume --quiet
