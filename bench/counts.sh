#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts what a step on the CUDA engine costs: launches, bytes, instructions, registers.
set -euo pipefail

usage() {
  cat <<'TEXT'
bench/counts.sh [options]

Compiles a few chains for sm_90, runs one step of each on several shapes through the command in
LOGITCHAIN_DEVICE_RUNNER, which must be one that counts (GPUEMU_STATS), and prints per case: launches, copies,
synchronisations, allocations, blocks of a row, bytes read and written and thread instructions per logit,
barriers, registers, spills, seconds to compile. Fails where a limit is passed, or where a count is not the
one in bench/counts/expected.json.

  --json FILE    all of it as JSON
  --update       writes bench/counts/expected.json anew
TEXT
}

json=()
update=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --json)
      [ $# -ge 2 ] || { echo "counts: --json takes a file" >&2; exit 2; }
      json=(--json "$2")
      shift
      ;;
    --update) update=(--update) ;;
    *) echo "counts: unknown argument '$1'; --help lists them" >&2; exit 2 ;;
  esac
  shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ -z "${LOGITCHAIN_DEVICE_RUNNER:-}" ]; then
  echo "counts: LOGITCHAIN_DEVICE_RUNNER is not set; counting needs a runner that writes GPUEMU_STATS" >&2
  exit 77
fi

nvcc=$(cmake/cuda-toolkit.sh)
built=build/counts
mkdir -p "$built"
arguments=()
for chain in greedy temperature top_p typical long; do
  flags=(-std=c++20 -Iinclude -Ibench -cudart shared)
  # Twice: PTX to be run, and machine code whose registers the assembler tells, by processor time.
  "$nvcc" "${flags[@]}" -gencode arch=compute_90,code=compute_90 "bench/counts/$chain.cu" \
    -o "$built/$chain"
  { TIMEFORMAT='%U %S'; time "$nvcc" "${flags[@]}" -gencode arch=compute_90,code=sm_90 -Xptxas -v \
    -cubin "bench/counts/$chain.cu" -o "$built/$chain.cubin" 2>"$built/$chain.ptxas"; } \
    2>"$built/$chain.time"
  python3 - "$built/$chain" <<'PYTHON'
import json
import re
import sys

path = sys.argv[1]
user, system = open(path + ".time").read().split()[-2:]
text = open(path + ".ptxas").read()
# The step's kernel: the one whose name holds it.
part = next(p for p in text.split("Compiling entry function") if "step_kernel" in p.split("\n")[0])
spills = sum(int(n) for n in re.findall(r"(\d+) bytes spill", part))
registers = int(re.search(r"Used (\d+) registers", part).group(1))
seconds = round(float(user) + float(system), 1)
json.dump({"registers": registers, "spills": spills, "compile_cpu_s": seconds},
          open(path + ".build", "w"))
PYTHON
  rm -f "$built/$chain.stats"
  GPUEMU_STATS=$built/$chain.stats tests/device.sh "$built/$chain" >"$built/$chain.cases"
  arguments+=(--stats "$built/$chain.stats" --cases "$built/$chain.cases" --build "$built/$chain.build")
done
python3 bench/counts/counts.py "${arguments[@]}" "${json[@]}" "${update[@]}" \
  --record bench/counts/expected.json
