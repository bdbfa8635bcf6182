#!/usr/bin/env bash
# Plays a tournament in shards with GNU parallel, joins them and shows the result. An interrupted run goes on when it is
# called again.
#
#   tournaments/parallel.sh SPEC.json OUT [SHARDS [PARALLEL OPTIONS...]]
#
# OUT/part-0, OUT/part-1, ... are the shards, OUT/whole is the joined tournament. There are four shards a processor by
# default, one of them played at a time, so that a slow machine plays fewer of them. A sequential test has one shard a
# processor, since it needs the first pairs of all; it ends them when it is decided. A shard that is killed is begun again
# twice. Options for parallel name other machines, for example: --sshloginfile machines.txt --workdir . (they need the
# program and a common OUT).
# REYNARD is the program, by default the one on the path.
set -euo pipefail

spec=${1:?usage: parallel.sh SPEC.json OUT [SHARDS [PARALLEL OPTIONS...]]}
out=${2:?usage: parallel.sh SPEC.json OUT [SHARDS [PARALLEL OPTIONS...]]}
reynard=${REYNARD:-reynard}
each=4
checked=$("$reynard" tournament check "$spec" --json)
if [[ $checked == *'"format":"sprt"'* ]]; then each=1; fi
shards=${3:-$((each * $(nproc)))}
shift $(($# < 3 ? $# : 3))

mkdir -p "$out"
# Only the joined copy is made anew; the shards stay.
rm -rf -- "$out/whole"
parts=()
for ((index = 0; index < shards; index++)); do parts+=("$out/part-$index"); done
"$reynard" tournament merge --watch "$out/whole" "${parts[@]}" >/dev/null &
watch=$!
trap 'kill "$watch" 2>/dev/null || true' EXIT

if seq 0 $((shards - 1)) | parallel --will-cite --halt never --retries 3 --jobs "$(nproc)" "$@" --quote \
    "$reynard" tournament run "$spec" --shard "{}/$shards" --out "$out/part-{}" --concurrency 1 --resume --quiet \
    >/dev/null; then
    wait "$watch"
else
    # What is there is worth something; the exit code says that games are missing.
    kill "$watch" 2>/dev/null || true
    wait "$watch" || true
    if [[ ! -e $out/whole/journal.jsonl ]]; then "$reynard" tournament merge "${parts[@]}" --out "$out/whole"; fi
fi
"$reynard" tournament report "$out/whole"
