#!/usr/bin/env bash
# check_counts.sh itself, with a valgrind and a program that count what the test tells them: it has to fail when it should.
set -euo pipefail
check="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/check_counts.sh"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
table="$work/counts.txt"

# Runs the program it is given, and writes what callgrind would write.
cat >"$work/bin/valgrind" <<'FAKE'
#!/usr/bin/env bash
while [[ "$1" == --* ]]; do
  [[ "$1" != --callgrind-out-file=* ]] || file="${1#*=}"
  shift
done
export UNDER_VALGRIND=yes
"$@" || exit
[[ -z "${file:-}" ]] || printf 'events: Ir\nsummary: %s\ntotals: %s\n' "$COUNT" "$COUNT" >"$file"
FAKE
cat >"$work/program" <<'FAKE'
#!/usr/bin/env bash
if [[ -n "${UNDER_VALGRIND:-}" ]]; then status="${STATUS_UNDER_VALGRIND:-0}"; else status="${STATUS_ALONE:-0}"; fi
case "$1" in
  --compiler) echo "${COMPILER:-gcc-12}"; exit "$status" ;;
  broken) echo "it did not converge"; exit 1 ;;
esac
FAKE
chmod +x "$work/bin/valgrind" "$work/program"

failures=0
# expect STATUS WORDS ARGUMENTS...: check_counts.sh ends with this status and says these words. COUNT is set by the caller.
expect() {
  local status="$1" words="$2" got=0 said
  shift 2
  said="$(PATH="$work/bin:$PATH" bash "$check" "$@" 2>&1)" || got=$?
  if ((got != status)) || [[ "$said" != *"$words"* ]]; then
    printf 'expected status %d and "%s"; got status %d and:\n%s\n\n' "$status" "$words" "$got" "$said"
    failures=$((failures + 1))
  fi
}
# expect_table TEXT: what the table holds now
expect_table() {
  [[ "$(cat "$table")" == "$1" ]] || { printf 'expected the table\n%s\ngot\n%s\n\n' "$1" "$(cat "$table")"; failures=$((failures + 1)); }
}

printf '# why\ngcc-12 newton 100000\ngcc-12 read 5000\nclang-14 newton 200000\n' >"$table"
export COUNT=100000
expect 0 "newton: 100000 instructions, expected 100000 (gcc-12): +0.00 %" "$work/program" "$table" newton
COUNT=104900 expect 0 "+4.90 %" "$work/program" "$table" newton
COUNT=95100 expect 0 "-4.90 %" "$work/program" "$table" newton
COUNT=105100 expect 1 "newton: SLOWER" "$work/program" "$table" newton
COUNT=105100 expect 1 "105100 instructions, expected 100000 (gcc-12): +5.10 %" "$work/program" "$table" newton
COUNT=105100 expect 1 "scripts/count-instructions --accept" "$work/program" "$table" newton
COUNT=94900 expect 1 "Record the gain" "$work/program" "$table" newton
COUNT=100000 COMPILER=clang-14 expect 1 "expected 200000 (clang-14)" "$work/program" "$table" newton
# One run of several is enough to fail, wherever it stands.
expect 1 "read: SLOWER" "$work/program" "$table" read newton
expect 1 "read: SLOWER" "$work/program" "$table" newton read

# What cannot be compared is skipped, with the reason.
COMPILER=gcc-13 expect 77 "no count is recorded for gcc-13" "$work/program" "$table" newton
expect 77 "wide: no count is recorded for gcc-12" "$work/program" "$table" wide
COMPILER=sanitizers STATUS_ALONE=77 STATUS_UNDER_VALGRIND=1 expect 77 "skipped: sanitizers" "$work/program" "$table" newton
COMPILER="another processor" STATUS_UNDER_VALGRIND=77 expect 77 "skipped: another processor" "$work/program" "$table" newton

# What went wrong is not taken for a gain, nor for a skip.
printf 'gcc-12 broken 100\n' >>"$table"
expect 1 "it did not converge" "$work/program" "$table" broken
COUNT=0 expect 1 "newton: callgrind counted nothing" "$work/program" "$table" newton
STATUS_ALONE=1 expect 1 "--compiler failed" "$work/program" "$table" newton
STATUS_UNDER_VALGRIND=1 expect 1 "--compiler failed" "$work/program" "$table" newton
expect 1 "no such file" "$work/program" "$work/absent" newton
printf 'gcc-12 newton 1e5\n' >"$work/wrong"
expect 1 "wrong:1: not a line of compiler, run, count" "$work/program" "$work/wrong" newton
expect 2 "usage" "$work/program" "$table"

# Accepting replaces one line, adds what is new and leaves the rest.
COUNT=150000 expect 0 "+50.00 %" --accept "$work/program" "$table" newton
COUNT=150000 COMPILER=gcc-13 expect 0 "expected nothing" --accept "$work/program" "$table" newton
expect_table $'# why\ngcc-12 newton 150000\ngcc-12 read 5000\nclang-14 newton 200000\ngcc-12 broken 100\ngcc-13 newton 150000'
COUNT=150000 expect 0 "+0.00 %" "$work/program" "$table" newton
expect 1 "it did not converge" --accept "$work/program" "$table" broken

# A folder of programs that has no valgrind.
mkdir "$work/without"
for tool in bash env mktemp rm awk sed cat; do ln -s "$(command -v "$tool")" "$work/without/$tool"; done
said="$(PATH="$work/without" bash "$check" "$work/program" "$table" newton 2>&1)" && got=0 || got=$?
((got == 77)) && [[ "$said" == *"valgrind is not installed"* ]] ||
  { echo "without valgrind: status $got and: $said"; failures=$((failures + 1)); }

((failures == 0)) && echo "check_counts.sh does what it should"
