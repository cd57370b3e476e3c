#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the benchmark of the decode step on the CUDA engine.
set -euo pipefail

usage() {
  cat <<'TEXT'
bench/device.sh [options]

Measures one decode step on the CUDA engine under graph replay, with a warm and with a cold second-level cache,
and prints a table in Markdown. It runs on the GPU that nvidia-smi finds, or through the command in
LOGITCHAIN_DEVICE_RUNNER; then the report says that its times are an emulator's.

  --json FILE          all repetitions in Google Benchmark's JSON
  --plots FOLDER       latency over items with the limit of one read, and ratios to peers, in SVG and PNG; takes
                       matplotlib from PyPI into build/device-bench-python
  --filter REGEX       only cases whose name matches, such as '^long/bf16/.*/cold/'; --list shows the names
  --peers flashinfer   FlashInfer's softmax and samplers beside ours, in the same run; its wheel comes from PyPI
                       (62 MB, once). Where it cannot be had, that is said and the rest is measured
  --all                also a vocabulary of 32,000, and rows that are made to be resident or streamed
  --quick              4,096 logits, 1 and 2 items, two chains, few replays: to see that it works
  --repetitions N      at least 5 (9)
  --limit SECONDS      begins no further group of cases after that time, and says what was left out
  --bandwidth GB/S     the peak for the limit, where the device tells none or a wrong one
  --architecture N     compute capability to compile for, such as 90; default: that of the GPU
  --list               prints the names of the cases
  --no-install         installs no Debian packages

CUDA_VISIBLE_DEVICES chooses the GPU, JOBS how many compilers run at a time (default: the number of processors).
Exit status: 0; 1 if something that was measured failed; 2 if nothing could be run; 77 without a device.
TEXT
}

called_in=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. examples/lib/progress.sh
. examples/lib/python_packages.sh

refuse() {
  say "device: $*"
  exit 2
}
path_of() {
  case $1 in
    /*) printf '%s' "$1" ;;
    *) printf '%s' "$called_in/$1" ;;
  esac
}

json='' plots='' peers='' architecture='' list='' quick=OFF install=()
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --no-install) install=(--no-install) ;;
    --quick)
      arguments+=("$1")
      quick=ON
      ;;
    --all) arguments+=("$1") ;;
    --list) list=yes ;;
    --json | --plots | --filter | --peers | --repetitions | --limit | --bandwidth | --architecture)
      [ $# -ge 2 ] || refuse "$1 takes a value"
      case $1 in
        --json)
          json=$(path_of "$2")
          [ -d "$(dirname -- "$json")" ] || refuse "--json: $(dirname -- "$2") is no folder"
          ;;
        --plots) plots=$(path_of "$2") ;;
        --peers)
          [ "$2" = flashinfer ] || refuse "--peers: there is no peer '$2'; there is flashinfer"
          peers=$2
          ;;
        --architecture) architecture=$2 ;;
        *) arguments+=("$1" "$2") ;;
      esac
      shift
      ;;
    *) refuse "unknown argument '$1'; --help lists them" ;;
  esac
  shift
done

# CUDA numbers devices by speed unless it is told to do as nvidia-smi does.
export CUDA_DEVICE_ORDER=PCI_BUS_ID
# What the program is compiled for: the device's own code, or PTX where another program reads it.
if [ -n "$architecture" ]; then
  [[ $architecture =~ ^[0-9]+(-virtual|-real)?$ ]] ||
    refuse "--architecture: '$architecture' is no compute capability such as 90"
elif [ -z "${LOGITCHAIN_DEVICE_RUNNER:-}" ]; then
  chosen=${CUDA_VISIBLE_DEVICES:-}
  chosen=${chosen%%,*}
  ask() { nvidia-smi --query-gpu=compute_cap --format=csv,noheader "$@" 2>/dev/null; }
  found=$(ask ${chosen:+-i "$chosen"} | head -n 1 || true)
  # A slice of a GPU is not asked for by its name.
  [[ $found =~ ^[0-9]+\.[0-9]+$ ]] || found=$(ask | head -n 1 || true)
  [[ ! $found =~ ^[0-9]+\.[0-9]+$ ]] || architecture=${found/./}
fi
if [ -z "${LOGITCHAIN_DEVICE_RUNNER:-}" ] && [ -z "$list" ] &&
  ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
  echo "skipped: LOGITCHAIN_DEVICE_RUNNER is not set, and there is no GPU"
  exit 77
fi
[ -n "$architecture" ] || architecture=90-virtual

cmake/install-packages.sh "${install[@]}" g++ cmake ninja-build libbenchmark-dev python3-venv >&2 ||
  exit 2
CUDACXX=$(cmake/cuda-toolkit.sh)
export CUDACXX
# A device of later years runs the PTX of those that this compiler knows.
if [[ $architecture =~ ^[0-9]+$ ]] &&
  ! "$CUDACXX" --list-gpu-code | grep -qx "sm_$architecture"; then
  say "this compiler does not know sm_$architecture: PTX of compute_90 is measured"
  architecture=90-virtual
fi

# What may fail without ending the run is done in a shell of its own. The wheel is the one that
# counts.sh counts.
counts=$PWD/build/counts
headers=$counts/flashinfer/flashinfer/data/include
bring_flashinfer() (
  [ ! -e "$headers/flashinfer/sampling.cuh" ] || exit 0
  wheel=flashinfer_python-0.7.2.post1-py3-none-any.whl
  export PIP_RETRIES=1 PIP_DEFAULT_TIMEOUT=15
  fetch_package "$PWD/build/counts-python" "$counts/downloads" $wheel \
    bfdc18b9e1e4d8d0730fe4343dc0e284cd0c160086de80f99888bc4867922d49 \
    flashinfer-python==0.7.2.post1 --only-binary=:all:
  rm -rf "$counts/flashinfer" "$counts/flashinfer.part"
  python3 -m zipfile -e "$counts/downloads/$wheel" "$counts/flashinfer.part"
  mv "$counts/flashinfer.part" "$counts/flashinfer"
)
mkdir -p build
peer_headers=''
toolkit=$(dirname "$(dirname "$CUDACXX")")
if [ -n "$peers" ]; then
  if [ ! -e "$toolkit/include/curand_kernel.h" ]; then
    say "left out: FlashInfer, which needs the toolkit's cuRAND headers"
  elif bring_flashinfer; then
    peer_headers=$headers
    arguments+=(--flashinfer)
  else
    say "left out: FlashInfer, whose wheel could not be had here"
  fi
fi

built=$PWD/build/device-bench-$architecture
[ "$quick" = OFF ] || built+=-quick
cmake -S bench/device -B "$built" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_CUDA_ARCHITECTURES=$architecture" "-DLOGITCHAIN_BENCH_QUICK=$quick" \
  "-DLOGITCHAIN_BENCH_FLASHINFER=$peer_headers" \
  >"$built.log" 2>&1 || {
  tail -n 40 "$built.log" >&2
  refuse "the benchmark cannot be configured; see $built.log"
}
if ! ninja -C "$built" -n 2>/dev/null | grep -q 'no work to do'; then
  run_logged 'building the benchmark' "$built.log" ninja_steps \
    ninja -C "$built" -j "${JOBS:-$(nproc)}"
fi

# The runtime is taken from where it is found; a toolkit need not be known to the system.
libraries=$toolkit/lib64
if [ -z "${LOGITCHAIN_DEVICE_RUNNER:-}" ] && [ -d "$libraries" ]; then
  export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$libraries
fi
if [ -n "$list" ]; then
  LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$libraries \
    exec "$built/device_bench" --list "${arguments[@]}"
fi

[ -n "$json" ] || json=$built/last.json
rm -f "$json"
status=0
tests/device.sh "$built/device_bench" --json "$json" "${arguments[@]}" >&2 || status=$?
[ -e "$json" ] || exit "$((status == 0 ? 2 : status))"

python=python3
report=(--json "$json")
if [ -n "$plots" ]; then
  venv=$PWD/build/device-bench-python
  make_venv "$venv"
  if [ ! -e "$venv/has-matplotlib" ]; then
    run_logged 'installing matplotlib' "$venv/pip.log" megabytes_beside "$venv/bin/python" -m pip \
      install --disable-pip-version-check matplotlib==3.10.9 numpy==2.2.6
    touch "$venv/has-matplotlib"
  fi
  python=$venv/bin/python
  report+=(--plots "$plots")
fi
reported=0
"$python" bench/device/report.py "${report[@]}" || reported=$?
exit "$((status != 0 ? status : reported))"
