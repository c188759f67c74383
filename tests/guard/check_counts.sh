#!/usr/bin/env bash
# Counts the instructions of fixed runs (callgrind) and holds them against the recorded counts of the same compiler. More by over
# 5 % is a slowdown; fewer by over 5 % fails too, since a gain that is not recorded can be lost unseen.
# Usage: check_counts.sh [--accept] PROGRAM TABLE RUN...
#   PROGRAM   instruction_counts, or what answers as it does
#   TABLE     lines of compiler, run, count
#   --accept  writes the counts into the table instead
# Exit code 77: nothing could be compared; the reason is printed.
set -euo pipefail
readonly skipped=77 tolerance_percent=5

accept=no
if [[ "${1:-}" == --accept ]]; then
  accept=yes
  shift
fi
(($# >= 3)) || { echo "usage: check_counts.sh [--accept] PROGRAM TABLE RUN..." >&2; exit 2; }
program="$1" table="$2"
shift 2

skip() { printf 'skipped: %s\n' "$1"; exit $skipped; }

command -v valgrind >/dev/null || skip "valgrind is not installed (Debian: apt-get install valgrind)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# ask COMMAND...: sets compiler to what the program says, or ends
ask() {
  local status=0
  compiler="$("$@" --compiler 2>"$work/errors")" || status=$?
  ((status != skipped)) || skip "$compiler"
  ((status == 0)) || { cat "$work/errors" >&2; echo "$program --compiler failed" >&2; exit 1; }
}
# First by itself, since a program with sanitizers does not even start under valgrind; then there, because it is valgrind's
# processor that the runs will see.
ask "$program"
ask valgrind --tool=none --quiet "$program"

# count_of RUN: instructions of one run
count_of() {
  local run="$1" file="$work/callgrind" count
  rm -f "$file"
  # Instrumentation is off until the run asks for it: neither the start of the program nor the making of data counts.
  if ! valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$file" "$program" "$run" >"$work/output" 2>&1; then
    cat "$work/output" >&2
    echo "$run: the run failed" >&2
    return 1
  fi
  count="$(sed -n 's/^totals: \([0-9]*\)$/\1/p' "$file")"
  # A count of nothing would be taken for a great gain.
  [[ "$count" =~ ^[1-9][0-9]*$ ]] || { echo "$run: callgrind counted nothing" >&2; return 1; }
  printf '%s\n' "$count"
}

# recorded RUN: its count in the table, empty if it has none
recorded() {
  [[ -f "$table" ]] || { echo "$table: no such file" >&2; return 1; }
  awk -v compiler="$compiler" -v run="$1" -v table="$table" '
    /^#/ || NF == 0 { next }
    NF != 3 || $3 !~ /^[1-9][0-9]*$/ { printf "%s:%d: not a line of compiler, run, count\n", table, NR >"/dev/stderr"; exit 1 }
    $1 == compiler && $2 == run { print $3; exit }' "$table"
}

# record RUN COUNT: in the place of the old count, or as a new line; lines of others stay as they are
record() {
  awk -v compiler="$compiler" -v run="$1" -v count="$2" '
    $1 == compiler && $2 == run { if (!done++) print compiler, run, count; next }
    { print }
    END { if (!done) print compiler, run, count }' "$table" >"$work/table"
  cat "$work/table" >"$table"
}

failed=0 compared=0
for run in "$@"; do
  expected="$(recorded "$run")"
  if [[ -z "$expected" && $accept == no ]]; then
    echo "$run: no count is recorded for $compiler"
    continue
  fi
  count="$(count_of "$run")"
  change="$(awk -v a="${expected:-$count}" -v b="$count" 'BEGIN { printf "%+.2f", 100 * (b / a - 1) }')"
  echo "$run: $count instructions, expected ${expected:-nothing} ($compiler): $change %"
  compared=$((compared + 1))
  if [[ $accept == yes ]]; then
    record "$run" "$count"
    continue
  fi
  if ((100 * count > (100 + tolerance_percent) * expected)); then
    echo "$run: SLOWER by more than $tolerance_percent %. If that is the price of something better, say so in the commit and accept it:"
    echo "  scripts/count-instructions --accept"
    failed=1
  elif ((100 * count < (100 - tolerance_percent) * expected)); then
    echo "$run: faster by more than $tolerance_percent %. Record the gain, so that it cannot be lost unseen:"
    echo "  scripts/count-instructions --accept"
    failed=1
  fi
done
((compared > 0)) || skip "nothing to compare with; scripts/count-instructions --accept records the counts of the compilers it builds with"
exit $failed
