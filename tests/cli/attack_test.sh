#!/usr/bin/env bash
# A short run of scripts/attack finds nothing, and it finds each hole that is planted.
# Usage: attack_test.sh ATTACK PROGRAM CRASH    GEODESCENT_BINARY=FILE attacks this program instead, and plants the holes
set -euo pipefail
attack="$1" program="${GEODESCENT_BINARY:-$2}"
export GEODESCENT_CRASH="$3"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { printf '%s\n' "$@" >&2; exit 1; }

# run PROGRAM OPTIONS...: leaves its output and exit code
run() {
  code=0
  GEODESCENT_BINARY="$1" "$attack" --jobs 1 --keep "$work/kept" "${@:2}" >"$work/out" 2>"$work/err" || code=$?
}

# finds COLUMN KIND SHELL-CODE: with this code before the program, the attack of this kind reports failures of this column.
finds() {
  printf '#!/usr/bin/env bash\n%s\nexec %q "$@"\n' "$3" "$program" >"$work/program"
  chmod +x "$work/program"
  rm -rf "$work/kept"
  run "$work/program" --only "$2" --rounds 1
  ((code == 1)) || fail "exit code $code for: $3" "$(<"$work/out")" "$(<"$work/err")"
  grep -q ", $1: " "$work/err" || fail "no failure of the column '$1' for: $3" "$(<"$work/err")"
  grep -q "again: scripts/attack --seed 1 --round 0" "$work/kept"/*/WHAT || fail "nothing kept for: $3"
}

run "$program" --rounds 7
((code == 0)) || fail "the attack got through" "$(<"$work/out")" "$(<"$work/err")"
for kind in agree forge 'full disk' kill mutate writers; do
  grep -q "^$kind" "$work/out" || fail "no $kind in the table" "$(<"$work/out")"
done

for kind in 'honest certificates' forgeries; do
  grep -Eq "^$kind: [0-9]+ accepted and [0-9]+ refused by both verify and check.py, [0-9]+ by one of them; [1-9]" "$work/out" ||
    fail "no verdicts about $kind" "$(<"$work/out")"
done
grep -q '^honest certificates: [1-9][0-9]* accepted and 0 refused .*, 0 by one' "$work/out" || fail "honest ones" "$(<"$work/out")"
grep -q '^forgeries: .* [1-9][0-9]* refused' "$work/out" || fail "no forgery was refused" "$(<"$work/out")"

# Whether holes are found is a question about scripts/attack, and the program of users is enough for it.
if [[ -z "${GEODESCENT_BINARY:-}" ]]; then
  echo "nothing got through"
  exit
fi
finds false forge '[[ $1 != verify ]] || exit 0'
finds disagreements agree '[[ $1 != verify ]] || exit 1'
finds crashes mutate '[[ $1 != info ]] || kill -SEGV $$'
finds crashes mutate '[[ $1 != convert ]] || exit 7'
finds lost kill '[[ $1 != train ]] || : >"${@: -1}"'
finds lost writers "if [[ \$1 == train ]]; then $(printf %q "$program") \"\$@\"; code=\$?; truncate -s -1 \"\${@: -1}\"; exit \$code; fi"
echo "nothing got through, and all planted holes were found"
