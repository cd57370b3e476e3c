#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Predicts what a step on the CUDA engine takes on an H200 and an A100, from counts.
set -euo pipefail

usage() {
  cat <<'TEXT'
bench/model.sh [options]

From counts of a step (instructions, bytes, barriers, registers, shared memory, the longest way through a block)
to predicted microseconds under graph replay, by the assumptions in bench/model/assumptions.py: what is limited by
bandwidth or by issue, whichever is longer, and behind it what happens in turn. Says which limit binds, whether the
goals are met, and where the model would pick another shape than the policy. Nothing is measured; needs no GPU.

  --counts FILE             what bench/counts.sh --json wrote; else bench/counts/expected.json
  --device h200|a100|all    which device (all)
  --record-paths            keeps the longest ways that the counts bring in bench/model/paths.json, for counts without
  --json FILE               all of it, with the parts of each time and the assumptions, as JSON
TEXT
}

passed_on=()
counts=''
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --counts | --json)
      [ $# -ge 2 ] || { echo "model: $1 takes a file" >&2; exit 2; }
      if [ "$1" = --counts ]; then counts=$2; else passed_on+=(--json "$2"); fi
      shift
      ;;
    --device)
      case ${2-} in
        h200 | a100 | all) passed_on+=(--device "$2") ;;
        *) echo "model: --device takes h200, a100 or all" >&2; exit 2 ;;
      esac
      shift
      ;;
    --record-paths) passed_on+=("$1") ;;
    *) echo "model: unknown argument '$1'; --help lists them" >&2; exit 2 ;;
  esac
  shift
done
counts=${counts:-$here/counts/expected.json}
[ -r "$counts" ] || { echo "model: $counts cannot be read" >&2; exit 2; }
python3 -B "$here/model/model.py" --counts "$counts" "${passed_on[@]}"
