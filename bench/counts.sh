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
one in bench/counts/expected.json; --update writes that file anew.

  --json FILE          all of it as JSON
  --update             records what was counted
  --any-time           compiles once, and holds no compile time to its limit: for machines that do other things
  --peers LIST         counts peers in the same way, of: flashinfer, its softmax and joint top-k top-p sampler, whose
                       wheel comes from PyPI (62 MB, once); cub, the step from the toolkit's parts, unfused
TEXT
}

json=()
passed_on=()
any_time=''
peers=''
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --json)
      [ $# -ge 2 ] || { echo "counts: --json takes a file" >&2; exit 2; }
      json=(--json "$2")
      shift
      ;;
    --update) passed_on+=("$1") ;;
    --any-time)
      passed_on+=("$1")
      any_time=yes
      ;;
    --peers)
      [ $# -ge 2 ] || { echo "counts: --peers takes a list" >&2; exit 2; }
      peers=$2
      for peer in ${peers//,/ }; do
        case $peer in
          flashinfer | cub) ;;
          *) echo "counts: --peers: there is no '$peer', but flashinfer and cub" >&2; exit 2 ;;
        esac
      done
      shift
      ;;
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
built=$PWD/build/counts
mkdir -p "$built"
arguments=()
for chain in greedy temperature top_p typical long; do
  flags=(-std=c++20 -Iinclude -Ibench -cudart shared)
  TIMEFORMAT='%U %S'
  rm -f "$built/$chain.time"
  if [ "$any_time" = yes ]; then
    # At once: PTX to be run, and machine code whose registers the assembler tells.
    { time "$nvcc" "${flags[@]}" -gencode 'arch=compute_90,code=[compute_90,sm_90]' -Xptxas -v \
      "bench/counts/$chain.cu" -o "$built/$chain" 2>"$built/$chain.ptxas"; } 2>>"$built/$chain.time"
  else
    # Twice, for the processor time that the device's code takes alone.
    "$nvcc" "${flags[@]}" -gencode arch=compute_90,code=compute_90 "bench/counts/$chain.cu" \
      -o "$built/$chain"
    # What else runs on the machine can only make it longer.
    for ((try = 0; try < 3; ++try)); do
      { time "$nvcc" "${flags[@]}" -gencode arch=compute_90,code=sm_90 -Xptxas -v -cubin \
        "bench/counts/$chain.cu" -o "$built/$chain.cubin" 2>"$built/$chain.ptxas"; } \
        2>>"$built/$chain.time"
      tail -n 1 "$built/$chain.time" | awk '{ exit $1 + $2 > 15 }' && break
    done
  fi
  python3 - "$built/$chain" <<'PYTHON'
import json
import re
import sys

path = sys.argv[1]
times = [sum(map(float, line.split())) for line in open(path + ".time")]
text = open(path + ".ptxas").read()
# The step's kernel, Part::step, as its mangled name says; there are those of apply and draw as well.
part = next(p for p in text.split("Compiling entry function")
            if re.search(r"step_kernel\S*PartE0E", p.split("\n")[0]))
spills = sum(int(n) for n in re.findall(r"(\d+) bytes spill", part))
registers = int(re.search(r"Used (\d+) registers", part).group(1))
seconds = round(min(times), 1)
json.dump({"registers": registers, "spills": spills, "compile_cpu_s": seconds},
          open(path + ".build", "w"))
PYTHON
  rm -f "$built/$chain.stats"
  GPUEMU_STATS=$built/$chain.stats tests/device.sh "$built/$chain" >"$built/$chain.cases"
  arguments+=(--stats "$built/$chain.stats" --cases "$built/$chain.cases" --build "$built/$chain.build")
done
count_peer() {
  local peer=$1
  shift
  "$nvcc" -std=c++20 -w -Ibench "$@" -cudart shared "bench/counts/peers/$peer.cu" -o "$built/peer_$peer"
  rm -f "$built/peer_$peer.stats"
  GPUEMU_STATS=$built/peer_$peer.stats tests/device.sh "$built/peer_$peer" >"$built/peer_$peer.cases"
  arguments+=(--peer-stats "$built/peer_$peer.stats" --peer-cases "$built/peer_$peer.cases")
}
# FlashInfer's headers, as its release has them.
if [[ ,$peers, = *,flashinfer,* ]]; then
  . examples/lib/progress.sh
  . examples/lib/python_packages.sh
  wheel=flashinfer_python-0.7.2.post1-py3-none-any.whl
  fetch_package "$PWD/build/counts-python" "$built/downloads" $wheel \
    bfdc18b9e1e4d8d0730fe4343dc0e284cd0c160086de80f99888bc4867922d49 \
    flashinfer-python==0.7.2.post1 --only-binary=:all:
  headers=$built/flashinfer
  [ -e "$headers" ] || python3 -m zipfile -e "$built/downloads/$wheel" "$headers"
  headers=$headers/flashinfer/data/include
  count_peer flashinfer "-I$headers" "-I$headers/flashinfer" -gencode arch=compute_90,code=compute_90
fi
# With machine code beside the PTX: CUB asks how many of its blocks an SM takes, which hangs on registers.
if [[ ,$peers, = *,cub,* ]]; then
  count_peer cub -gencode 'arch=compute_90,code=[compute_90,sm_90]'
fi
python3 bench/counts/counts.py "${arguments[@]}" "${json[@]}" "${passed_on[@]}" \
  --record bench/counts/expected.json --compiler "$("$nvcc" --version | sed -n 's/^Cuda.*, //p')"
