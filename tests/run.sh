#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "$0")/.."

help() {
  cat <<'END'
tests/run.sh [--no-install] [--preset NAME] [-DNAME=VALUE...] [ctest arguments...]

Installs what the tests need (Debian packages, as root), builds them, and runs them in one ctest.
Each test runs twice: plain, and under the address and undefined-behaviour sanitizers (.asan).

  --no-install    installs nothing; for those who manage their packages themselves
  --preset NAME   cuda (default): everything, device code compiled by nvcc, which is fetched where
                  there is none; host, host-asan, dev: without device code. The build lies in
                  build/NAME
  -DNAME=VALUE    goes to cmake's configure step, such as -DLOGITCHAIN_WERROR=ON
  others          go to ctest, such as -R transforms/TopP or -L host

CXX chooses the compiler of a build folder that is not there yet. JOBS sets how many compilers and
tests run at a time (default: the number of processors).
END
}

packages=(g++ clang cmake ninja-build ccache git pkg-config libgtest-dev libgmock-dev libmpfr-dev
  nlohmann-json3-dev python3-venv)
preset=cuda
installing=()
configure=()
ctest=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help)
      help
      exit 0
      ;;
    --no-install) installing=(--no-install) ;;
    --preset)
      [ $# -ge 2 ] || { echo "run.sh: --preset takes a name" >&2; exit 2; }
      preset=$2
      shift
      ;;
    -D?*) configure+=("$1") ;;
    *) ctest+=("$1") ;;
  esac
  shift
done
jobs=${JOBS:-$(nproc)}

step() { printf '\n== %s [%d s]\n' "$*" "$SECONDS"; }

step "packages"
cmake/install-packages.sh "${installing[@]}" "${packages[@]}"

if [ "$preset" = cuda ]; then
  step "CUDA compiler"
  if CUDACXX=$(cmake/cuda-toolkit.sh); then
    export CUDACXX
    echo "$CUDACXX"
  else
    echo "device code: left out, since no nvcc could be had"
    preset=host
  fi
fi

step "configure (preset $preset)"
cmake --preset "$preset" "${configure[@]}"

step "build"
# On a terminal Ninja overwrites one line; elsewhere one line in ten is progress enough.
if [ -t 1 ]; then
  cmake --build --preset "$preset" -j "$jobs"
else
  NINJA_STATUS='[%f/%t %es] ' cmake --build --preset "$preset" -j "$jobs" | {
    # Not awk: mawk reads in blocks, and the lines would come minutes late.
    shown=1 last=
    while IFS= read -r line; do
      shown=0 last=$line
      if [[ ! $line =~ ^\[[0-9]+/[0-9]+\  || $line =~ ^\[([0-9]*0|1)/ ]]; then
        printf '%s\n' "$line"
        shown=1
      fi
    done
    [ "$shown" = 1 ] || printf '%s\n' "$last"
  }
fi

step "tests"
if [ "$preset" != cuda ]; then
  echo "device tests: none without device code"
elif [ -n "${LOGITCHAIN_DEVICE_RUNNER:-}" ]; then
  echo "device tests run through: $LOGITCHAIN_DEVICE_RUNNER"
else
  echo "device tests: on the GPU, or skipped where there is none and LOGITCHAIN_DEVICE_RUNNER is not set"
fi
ctest --preset "$preset" -j "$jobs" "${ctest[@]}"
