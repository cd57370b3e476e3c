#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows that mutation.sh --check reports every mistake of fixtures/faults.txt, and no others.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
failed=0
status=0
output=$("$here/../mutation.sh" --check --faults "$here/fixtures" 2>&1) || status=$?
expected=0
while IFS= read -r sentence; do
  expected=$((expected + 1))
  grep -qF -- "$sentence" <<<"$output" || { echo "not reported: $sentence"; failed=1; }
done < <(sed -n 's/^# expected: //p' "$here/fixtures/faults.txt")
[ "$status" -eq 2 ] || { echo "exit status $status, not 2"; failed=1; }
grep -q ": $expected mistakes in " <<<"$output" || { echo "not $expected mistakes"; failed=1; }
[ $failed -eq 0 ] || printf '%s\n' "$output"
exit $failed
