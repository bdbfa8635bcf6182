#!/usr/bin/env bash
# Everything that is tested of the browser board, with whole games of all rulesets: tests/gui/all.sh [PROGRAM] [GAMES ...]
# Needs node, npm and Debian's chromium; PICTURES=FOLDER keeps screenshots, FIREFOX=/usr/bin/firefox-esr plays a game of
# each family in that browser, too. Two browsers run at a time.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
REYNARD=$(realpath "${1:-$here/../../target/release/reynard}")
export REYNARD
shift || true
cd "$here"
[ -d node_modules ] || npm ci --no-audit --no-fund --silent
node_modules/.bin/prettier --config prettier.json --log-level warn --check '../../src/**/*.js' '**/*.mjs'
if [ $# -eq 0 ]; then mapfile -t games < <("$REYNARD" rules list | cut -d' ' -f1); else games=("$@"); fi
node --test --test-reporter=dot modules/
half=$(((${#games[@]} + 1) / 2))
{
    echo states.mjs
    echo slips.mjs
    echo playing.mjs
    echo "games.mjs ${games[*]:0:half}"
    [ ${#games[@]} -eq 1 ] || echo "games.mjs ${games[*]:half}"
    printf '%s.mjs\n' watch runs run-pages keyboard touch resume bars
    [ -z "${PICTURES:-}" ] || echo pictures.mjs
    [ -z "${FIREFOX:-}" ] || echo firefox.mjs
} | xargs -P 2 -I '{}' sh -c 'node browser/{}'
