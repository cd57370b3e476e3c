#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts how the cost of a step on the CUDA engine grows with all that can grow.
set -euo pipefail

usage() {
  cat <<'TEXT'
bench/growth.sh [options]

Compiles three chains, runs one step of them on rows that grow (vocabulary, items, history, listed tokens,
survivors), held on chip and streamed, through the command in LOGITCHAIN_DEVICE_RUNNER, which must be one that
counts (GPUEMU_STATS), and prints a Markdown table of instructions, bytes and barriers. Fails where a curve is
steeper than a line, or steps higher than bench/growth/documented.py says, and says between which
points. Three minutes, and the time that the runner takes to compile kernels that it has not seen.

  --json FILE     every point as JSON
  --plots FOLDER  a plot of each curve, SVG and PNG, by matplotlib, which comes from PyPI once
TEXT
}

arguments=()
plots=''
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --json | --plots)
      [ $# -ge 2 ] || { echo "growth: $1 takes a path" >&2; exit 2; }
      arguments+=("$1" "$(realpath -m "$2")")
      [ "$1" = --json ] || plots=yes
      shift
      ;;
    *) echo "growth: unknown argument '$1'; --help lists them" >&2; exit 2 ;;
  esac
  shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ -z "${LOGITCHAIN_DEVICE_RUNNER:-}" ]; then
  echo "growth: LOGITCHAIN_DEVICE_RUNNER is not set; counting needs a runner that writes GPUEMU_STATS" >&2
  exit 77
fi
. examples/lib/progress.sh
. examples/lib/python_packages.sh

nvcc=$(cmake/cuda-toolkit.sh)
built=$PWD/build/growth
mkdir -p "$built"
python=python3
# Before anything is counted: a run that cannot be plotted says so at once.
if [ -n "$plots" ]; then
  venv=$PWD/build/growth-python
  make_venv "$venv"
  if [ ! -e "$venv/has-matplotlib" ]; then
    run_logged 'installing matplotlib' "$venv/pip.log" : "$venv/bin/python" -m pip install \
      --disable-pip-version-check matplotlib==3.10.9 numpy==2.2.6
    touch "$venv/has-matplotlib"
  fi
  python=$venv/bin/python
fi
points_of() { grep -c '^{' "$built/$chain.cases" 2>/dev/null | sed 's/$/ points/'; }
count() { GPUEMU_STATS=$built/$chain.stats tests/device.sh "$built/$chain" >"$built/$chain.cases"; }
for chain in listed filters whole; do
  run_logged "compiling bench/growth/$chain.cu" "$built/$chain.log" : "$nvcc" -std=c++20 -Iinclude -Ibench \
    -cudart shared -gencode arch=compute_90,code=compute_90 "bench/growth/$chain.cu" -o "$built/$chain"
  rm -f "$built/$chain.stats" "$built/$chain.cases"
  run_logged "counting $chain" "$built/$chain.log" points_of count
  arguments+=(--stats "$built/$chain.stats" --cases "$built/$chain.cases")
done
"$python" bench/growth/growth.py "${arguments[@]}"
