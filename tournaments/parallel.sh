#!/usr/bin/env bash
# Plays a tournament in shards with GNU parallel, joins them and shows the result. An interrupted run goes on when it is
# called again.
#
#   tournaments/parallel.sh SPEC.json OUT [SHARDS [PARALLEL OPTIONS...]]
#
# OUT/part-0, OUT/part-1, ... are the shards, OUT/whole is the joined tournament. Options for parallel name other
# machines, for example: --sshloginfile machines.txt --workdir . (they need the program and a common OUT).
# REYNARD is the program, by default the one on the path.
set -euo pipefail

spec=${1:?usage: parallel.sh SPEC.json OUT [SHARDS [PARALLEL OPTIONS...]]}
out=${2:?usage: parallel.sh SPEC.json OUT [SHARDS [PARALLEL OPTIONS...]]}
shards=${3:-$(nproc)}
shift $(($# < 3 ? $# : 3))
reynard=${REYNARD:-reynard}

mkdir -p "$out"
seq 0 $((shards - 1)) | parallel --will-cite --halt soon,fail=1 --jobs "$shards" "$@" --quote \
    "$reynard" tournament run "$spec" --shard "{}/$shards" --out "$out/part-{}" --concurrency 1 --resume --quiet \
    >/dev/null

# Only the joined copy is made anew; the shards stay.
rm -rf -- "$out/whole"
parts=()
for ((index = 0; index < shards; index++)); do parts+=("$out/part-$index"); done
"$reynard" tournament merge "${parts[@]}" --out "$out/whole"
"$reynard" tournament report "$out/whole"
