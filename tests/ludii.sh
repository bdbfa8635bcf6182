#!/usr/bin/env bash
# Plays random games of many hunts in Ludii and in reynard at once and compares boards, legal moves and winners.
# Usage: tests/ludii.sh FOLDER [GAMES [PROGRAM [RULESET...]]]; FOLDER is a checkout of github.com/PadLex/Ludii, which is
# compiled in it at the first call by a JDK from 17 on. tests/ludii/games.txt says what is played and why some differ.
set -euo pipefail

ludii=$(realpath "$1")
games=${2:-40}
program=$(realpath "${3:-target/release/reynard}")
here=$(dirname "$(realpath "$0")")/ludii
classes="$ludii/out/classes"
path="$classes:$ludii/Common/res:$ludii/Common/lib/*"

if [ ! -d "$classes" ]; then
    mkdir -p "$classes"
    find "$ludii"/{Common,Core,Language}/src -name '*.java' >"$ludii/out/sources"
    # Ludii reads the names of parameters, as its grammar.
    javac -nowarn -parameters -encoding UTF-8 -d "$classes" -cp "$ludii/Common/lib/*" "@$ludii/out/sources"
fi
driver=$(mktemp -d)
trap 'rm -rf "$driver"' EXIT
javac -nowarn -cp "$path" -d "$driver" "$here/Lockstep.java"
java -cp "$driver:$path" Lockstep "$ludii" "$program" "$here/games.txt" "$games" "${@:4}"
