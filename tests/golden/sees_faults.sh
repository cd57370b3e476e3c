#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows that tests/golden.sh fails where it should: wrong results, broken lines, missing files.
# Line n of fixtures/wrong.jsonl must be reported with what line n of fixtures/wrong.expected says.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
golden=$here/../golden.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
  echo "FAILED: $*"
  failed=$((failed + 1))
}
# expect STATUS PATTERN ARGUMENT...: golden.sh ends with the status and prints the pattern.
expect() {
  local status=$1 pattern=$2
  shift 2
  "$golden" --no-install "$@" >"$work/output" 2>&1
  local got=$?
  [ $got -eq "$status" ] || complain "golden.sh $*: exit status $got, not $status"
  grep -q -- "$pattern" "$work/output" || complain "golden.sh $* does not say: $pattern"
}

expect 1 '^0 passed, ' --vocab "$here/data" "$here/fixtures/wrong.jsonl"
number=0
while IFS= read -r pattern; do
  number=$((number + 1))
  grep -q "^FAILED .*wrong.jsonl:$number .*: $pattern" "$work/output" ||
    complain "line $number of wrong.jsonl is not reported with: $pattern"
done <"$here/fixtures/wrong.expected"
grep -q "^0 passed, $number failed\$" "$work/output" || complain "not $number failures"
[ $failed -eq 0 ] || cat "$work/output"

expect 0 '^skipped: 1 cases, no vocab-nowhere.hex' "$here/fixtures/no_vocabulary.jsonl"
head -n 1 "$here/fixtures/no_vocabulary.jsonl" >"$work/skipped.jsonl"
expect 1 '^0 passed, 0 failed$' "$work/skipped.jsonl"
expect 2 '/nowhere: no such file or folder' /nowhere
expect 2 'the folder has no .jsonl files' "$here/generator"
export LOGITCHAIN_DEVICE_RUNNER=
if [[ $("$here/../device.sh" true) == skipped* ]]; then
  expect 2 'no GPU, and LOGITCHAIN_DEVICE_RUNNER is not set' --engine cuda "$here/data"
fi
expect 2 "engine is 'abacus'; it must be host or cuda" --engine abacus "$here/data"
expect 2 "/nowhere' is no folder" --vocab /nowhere "$here/data"
expect 2 'unknown option --loud' --loud "$here/data"
expect 2 'golden.sh \[--engine' --engine host
expect 0 'chains run fused: N' --help

[ $failed -eq 0 ] || exit 1
echo "all faults are seen"
