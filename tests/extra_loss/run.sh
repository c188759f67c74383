#!/bin/bash
# Trains with the added loss, proves and checks: run.sh PROGRAM
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; exit 1; }

"$program" train --help > "$folder/help"
grep -q '^  expectile  *regression: least squares with different weights' "$folder/help" || fail "no line in the help"
grep -q -- '--expectile-level L' "$folder/help" || fail "no option for the parameter in the help"
"$program" completion bash > "$folder/completion"
grep -q -- '--expectile-level' "$folder/completion" || fail "no completion of the option"

awk 'BEGIN { srand(7); for (i = 0; i < 400; ++i) {
  a = rand() - 0.5; b = rand() - 0.5; c = rand();
  printf "%.6f 1:%.6f 2:%.6f 3:%.6f\n", 2 * a - b + c + 0.3 * (rand() + rand() - 1), a, b, c } }' > "$folder/data"
awk 'BEGIN { for (i = 0; i < 400; ++i) print i < 200 ? 2 : 0.5 }' > "$folder/weights"

for bias in none free regularized; do
  for weights in "--row-weights $folder/weights" ""; do
    for level in 0.1 0.5 0.9; do
      # shellcheck disable=SC2086
      "$program" train -q --loss expectile --expectile-level $level --bias $bias $weights --l2 1e-3 --tol 1e-8 \
        --threads 2 "$folder/data" "$folder/model" || fail "train: $bias, $level"
      # shellcheck disable=SC2086
      "$program" verify -q --tol 1e-8 $weights "$folder/data" "$folder/model" || fail "verify: $bias, $level"
    done
  done
done
grep -q '^loss expectile$' "$folder/model" || fail "the model does not name the loss"
grep -q '^loss_parameter 0.9$' "$folder/model" || fail "the model does not have the parameter"
"$program" verify --json -q --loss expectile --expectile-level 0.9 --l2 1e-3 --tol 1e-6 "$folder/data" "$folder/model" \
  > "$folder/json" || fail "verify without a certificate"
grep -q '"expectile_level": *0.9' "$folder/json" || fail "no parameter in the JSON"

# A level of one half is the squared loss, halved: the same weights with half of its l2.
"$program" train -q --loss expectile --l2 1e-3 --tol 1e-12 "$folder/data" "$folder/half"
"$program" verify -q --ignore-certificate --loss squared --l2 2e-3 --tol 1e-10 "$folder/data" "$folder/half" || fail "not least squares"

"$program" train --loss expectile --expectile-level 1 "$folder/data" "$folder/model" 2> "$folder/error" && fail "level 1"
grep -q 'over 0 and below 1' "$folder/error" || fail "the range is not in the message: $(cat "$folder/error")"
"$program" train --loss squared --expectile-level 0.4 "$folder/data" "$folder/model" 2> "$folder/error" && fail "squared"
grep -q -- '--expectile-level has an effect only with --loss expectile' "$folder/error" || fail "$(cat "$folder/error")"
"$program" predict -q "$folder/data" "$folder/half" "$folder/out" || fail "predict"
echo "expectile: trained, proven and checked"
