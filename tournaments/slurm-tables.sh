#!/usr/bin/env bash
# Builds tables of perfect play as a Slurm job array, one layer a task, into a folder that all nodes share.
#
#   sbatch --array=1-11%1 --mem=12G tournaments/slurm-tables.sh two-foxes-24 DIR
#
# Task N builds the layer with N geese and needs those below it, so one task runs at a time (%1). What is in the folder is
# not built again. After a kill `scontrol requeue JOB_N` builds the layer, or else the next task does before its own. Each
# layer takes more memory than the one before; one that does not fit what --mem gives the task is refused with the figure.
#
#SBATCH --job-name=reynard-tables
#SBATCH --array=1-11%1
#SBATCH --cpus-per-task=4
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

ruleset=${1:?usage: sbatch slurm-tables.sh RULESET DIR}
dir=${2:?usage: sbatch slurm-tables.sh RULESET DIR}

# Nothing but Slurm knows the memory of a task: MiB for each node, or for each processor.
memory=()
mib=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * ${SLURM_CPUS_PER_TASK:-1}))}
if [[ $mib -gt 0 ]]; then memory=(--memory "$(awk "BEGIN {print $mib / 1024}")"); fi

srun "${REYNARD:-reynard}" table build "$ruleset" --geese "$SLURM_ARRAY_TASK_ID" --dir "$dir" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" "${memory[@]}"
