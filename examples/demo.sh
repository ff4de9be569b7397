#!/bin/sh
# A short tour: rules, a run that passes, one that fails, host rules asked on this machine, and the same rules as JSON.
# Needs `gatewright` on PATH. Writes into a temporary folder only. Ends with 0 when everything went as it should.
set -eu

cd "$(dirname "$0")"
scenario=disk-filling-up
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# What is shown in part goes through a file; its colours are those that the terminal would have had.
color=never
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then color=always; fi

say() {
    printf '\n%s\n' "$*"
}

# expect STATUS COMMAND…: show the command, keep what it prints in $work/out, and insist on the status it ends with.
expect() {
    wanted=$1
    shift
    printf '\n$ %s\n' "$*"
    status=0
    "$@" --color "$color" >"$work/out" 2>"$work/err" || status=$?
    if [ "$status" -ne "$wanted" ]; then
        cat "$work/out" "$work/err"
        printf '\ndemo: this ended with %s; %s was expected\n' "$status" "$wanted"
        exit 1
    fi
}

say "1. RULES. A disk is full and no file explains it. These rules grade what an agent did about it:"
printf '\n'
sed -n '/^require "Agent measured/,/^require "The log folder/{ s/^./    &/; p; }' "$scenario/$scenario.gate"

say "2. A GOOD RUN. The agent found a deleted log that was still open. Graded on what was recorded at the time:"
expect 0 gatewright grade "$scenario" --run "$scenario/runs/passing.json"
sed 5q "$work/out"

say "3. A BAD RUN. This agent did not look again, and reported success. The host says otherwise:"
expect 1 gatewright grade "$scenario" --run "$scenario/runs/failing.json"
cat "$work/out"
printf '\n  (exit status 1: a run failed)\n'

say "4. THIS MACHINE. The good run again, but its host rules are asked here and now. They only read:"
expect 0 gatewright grade "$scenario" --run "$scenario/runs/passing.json" --inventory "$scenario/hosts.toml"
sed -n -e '1,5p' -e '/exit status/p' "$work/out"

say "5. OTHER FORMS. The same rules as the flat JSON of a benchmark platform; here is one of them:"
expect 0 gatewright convert "$scenario/$scenario.gate" --to flat
cmp "$work/out" "$scenario/$scenario.flat.json"
sed -n '/"label": "No deleted/,/}/p' "$work/out"

say "6. THE PLAN. What is looked at, and what decides:"
expect 0 gatewright explain "$scenario"
sed -n -e '/^Read/,/^$/p' -e '/^Decide/,$p' "$work/out"

say "The demo went as it should. All scenarios: examples/README.md; all commands: gatewright --help"
