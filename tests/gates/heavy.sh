#!/usr/bin/env bash
# The tests that `python3 run.py test` leaves out, which are marked heavy: whole packets printed in many ways, further
# forms of a table, programs that are waited for. All of them are run, and they are all that it leaves out.
#
# Takes about seven minutes on two free cores.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1"; exit 1; }

# Write the ids of the tests that are collected, whatever runs them.
collect() {
    python3 run.py test --collect-only -q "${@:2}" >"$work/said" || { tail -20 "$work/said"; fail "the tests cannot be collected"; }
    grep '::' "$work/said" | sort >"$work/$1"
    [[ -s $work/$1 && -z $(uniq -d "$work/$1") ]] || fail "no tests, or two of one name: $1"
}
collect all -m ""
collect plain
collect heavy -m heavy
sort "$work/plain" "$work/heavy" | diff "$work/all" - || fail "a test is in neither part, or in both"
n=$(wc -l <"$work/heavy")
echo "$(wc -l <"$work/plain") tests in the test command, $n heavy ones here, $(wc -l <"$work/all") in all"

python3 run.py test -m heavy 2>&1 | tee "$work/log"
grep -qE "^=+ $n passed in " "$work/log" || fail "not every one of the $n heavy tests was run and passed"
