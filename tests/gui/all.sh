#!/usr/bin/env bash
# Everything that is tested of the browser board, with whole games of all rulesets: tests/gui/all.sh [PROGRAM] [GAMES ...]
# Needs node, npm and Debian's chromium; PICTURES=FOLDER keeps screenshots.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
REYNARD=$(realpath "${1:-$here/../../target/release/reynard}")
export REYNARD
shift || true
cd "$here"
[ -d node_modules ] || npm ci --no-audit --no-fund --silent
node --test modules/
node browser/states.mjs
node browser/keyboard.mjs
node browser/touch.mjs
node browser/resume.mjs
node browser/watch.mjs
node browser/bars.mjs
if [ $# -eq 0 ]; then mapfile -t games < <("$REYNARD" rules list | cut -d' ' -f1); else games=("$@"); fi
node browser/games.mjs "${games[@]}"
