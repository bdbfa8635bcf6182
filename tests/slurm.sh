#!/usr/bin/env bash
# A tournament played as an array of four Slurm tasks, one of them killed and requeued, must be the same as the one
# played by a single process, byte for byte; so must tables of which each task builds a layer. Starts a Slurm of its own:
# one machine with slots for four tasks and the job that joins them.
#
#   tests/slurm.sh PROGRAM
#
# Needs root and the Debian packages slurmctld, slurmd, slurm-client and munge; no systemd and no cgroups.
set -euo pipefail

REYNARD=$(realpath "${1:?usage: slurm.sh PROGRAM}")
export REYNARD
tournaments=$(dirname "$(realpath "$0")")/../tournaments
scratch=$(mktemp -d)
export SLURM_CONF=$scratch/slurm.conf

daemons=()
finish() {
    if [[ ${#daemons[@]} -gt 0 ]]; then
        scancel --user=root 2>/dev/null || true
        for _ in $(seq 50); do is_idle && break || sleep 0.2; done
        kill "${daemons[@]}" 2>/dev/null || true
        wait "${daemons[@]}" || true
    fi
    rm -rf -- "$scratch"
}
trap finish EXIT
fail() {
    echo "$*" >&2
    tail -n 20 "$scratch"/*.log "$scratch"/slurm-*.out >&2 || true
    exit 1
}
# Waits at most a minute until a command succeeds.
await() {
    local what=$1
    shift
    for _ in $(seq 300); do
        if "$@"; then return; fi
        sleep 0.2
    done
    fail "waited in vain until $what"
}

start_slurm() {
    local host
    host=$(hostname -s)
    mkdir "$scratch"/{spool,state}
    install -d -m 700 "$scratch/munge"
    (umask 077 && head -c 1024 /dev/urandom >"$scratch/munge/key")
    # It refuses a socket below a folder that others may write to, as /tmp is, unless it is forced.
    munged --foreground --force --key-file="$scratch/munge/key" --socket="$scratch/munge/socket" \
        --pid-file="$scratch/munge/pid" --seed-file="$scratch/munge/seed" >"$scratch/munged.log" 2>&1 &
    daemons+=($!)
    cat >"$SLURM_CONF" <<CONF
ClusterName=reynard
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthInfo=socket=$scratch/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
SlurmdSpoolDir=$scratch/spool
StateSaveLocation=$scratch/state
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=17
PartitionName=all Nodes=$host Default=YES State=UP
CONF
    await "munged listens" test -S "$scratch/munge/socket"
    slurmctld -D >/dev/null 2>&1 &
    daemons+=($!)
    slurmd -D >/dev/null 2>&1 &
    daemons+=($!)
    await "the node is idle" is_idle
}
is_idle() { sinfo --noheader --format=%T 2>/dev/null | grep -q idle; }

cd "$scratch"
cat >spec.json <<'SPEC'
{
  "rulesets": ["masters-15"],
  "engines": [
    {"name": "mcts", "options": {"Searcher": "mcts"}},
    {"name": "alphabeta", "options": {"Searcher": "alphabeta"}}
  ],
  "limits": {"nodes": 700},
  "format": "match",
  "pairs": 28,
  "openings": {"kind": "random", "plies": 4},
  "seed": 1
}
SPEC
"$REYNARD" tournament run spec.json --out single --quiet >single.txt

start_slurm
export SHARDS=4
read -r job merger < <("$tournaments/slurm-array.sh" spec.json out)

# The processes of the program of a task that runs.
program() {
    local id
    id=$(squeue --noheader --job="$1" --states=RUNNING --format=%A 2>/dev/null)
    [[ -n $id ]] && scontrol listpids "$id.0" 2>/dev/null | awk '$4 == 0 {print $1}'
}
runs() { [[ -n $(program "$1") ]]; }
# Whether all tasks of a job are in a state.
has_state() { [[ $(squeue --noheader --states=all --job="$1" --format=%T | sort -u) == "$2" ]]; }
# Kills the program of a task without a chance to close anything.
kill_task() {
    await "task $1 runs" runs "$1"
    local processes
    processes=$(program "$1")
    [[ -n $processes ]] || fail "task $1 has no process"
    kill -KILL $processes
    await "Slurm has seen that task $1 was killed" has_state "$1" FAILED
}
requeue() {
    scontrol requeue "$1"
    # Slurm lets two minutes pass before it starts a requeued job, for a node refuses a job that it saw end this second.
    sleep 2
    scontrol update JobId="$1" StartTime=now
}

games() { grep -c '"game":' "$1/journal.jsonl" 2>/dev/null || true; }
has_begun() { [[ $(games out/part-2) -ge 2 ]]; }
await "task 2 has played two games" has_begun
kill_task "${job}_2"
before=$(games out/part-2)
[[ $before -lt 14 ]] || fail "task 2 was over before it could be killed"
requeue "${job}_2"
await "all tasks are done" has_state "$job" COMPLETED

await "the job that joins them is done" has_state "$merger" COMPLETED
cmp out/whole/journal.jsonl single/journal.jsonl
cmp out/whole.txt single.txt
echo "slurm: four tasks, one killed after $before games and requeued, the same journal as the undivided run"

# A sequential test over four shards that nobody plays to the end, one of them killed and requeued.
sed -e 's/"match"/"sprt", "sprt": {"elo0": 0, "elo1": 200, "alpha": 0.05, "beta": 0.05}/' -e 's/"pairs": 28/"pairs": 1000000/' \
    spec.json >sprt.json
"$REYNARD" tournament run sprt.json --out sprt-single --quiet >sprt-single.txt
read -r job merger < <("$tournaments/slurm-array.sh" sprt.json sprt)
has_begun() { [[ $(games sprt/part-1) -ge 1 ]]; }
await "task 1 has played a game" has_begun
kill_task "${job}_1"
requeue "${job}_1"
await "the test is decided" has_state "$merger" COMPLETED
await "all tasks have ended" has_state "$job" COMPLETED
cmp sprt/whole/journal.jsonl sprt-single/journal.jsonl
cmp sprt/whole.txt sprt-single.txt
grep -q "The test is decided: SPRT: llr" sprt/part-1/stop
echo "slurm: a sequential test over four tasks ended after $(games sprt/whole) games, as the undivided run"

# Tables by an array of tasks that run one after another, the last of them killed while it builds its layer.
"$REYNARD" table build two-foxes-24 --geese 7 --dir tables >/dev/null
job=$(sbatch --parsable --array=1-7%1 --cpus-per-task=1 "$tournaments/slurm-tables.sh" two-foxes-24 "$PWD/shared")
is_begun() { compgen -G 'shared/*-07.partial' >/dev/null; }
await "the seventh layer is begun" is_begun
kill_task "${job}_7"
is_begun || fail "the seventh layer was there before its task could be killed"
requeue "${job}_7"
await "all layers are built" has_state "$job" COMPLETED
for table in tables/*.table; do cmp "$table" "shared/$(basename "$table")"; done
echo "slurm: seven layers of tables, the last killed and requeued, the same files as of one build"
