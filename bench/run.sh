#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the benchmark of the decode step, beside other implementations if asked.
set -euo pipefail

usage() {
  cat <<'TEXT'
bench/run.sh [options]

Measures one decode step (logits -> chain -> draw -> commit -> stop) on one core: ours, a plain vectorised
maximum over the same row as the floor, and peers, interleaved on the same logits. bench/README.md says what
each column means.

  --peers LIST       llama_cpp, transformers, or both with a comma between; default: none
                       llama_cpp     built from PyPI's llama-cpp-python, once, in build/generate (minutes)
                       transformers  5.16.1 with torch from PyPI, in build/bench-python (gigabytes); or PYTHON
                                     names a Python that has both
                     a peer that cannot be had is said, and left out
  --json FILE        all repetitions in Google Benchmark's JSON
  --markdown FILE    the tables in Markdown, as in bench/README.md
  --filter REGEX     only cases whose name matches, such as '^long/typical/v151936'; --list shows the names
  --repetitions N    at least 11 (the default)
  --seconds S        least duration of a repetition (0.02)
  --wall             tables of wall time; without it, of processor time, which other programs on the
                     machine distort less
  --baseline         the library and the floor compiled for the plain x86-64 baseline, in build/bench-baseline
  --list             prints the names of the cases
  --no-install       installs no Debian packages

CXX chooses the compiler of a build folder that is not there yet, CMAKE_BUILD_PARALLEL_LEVEL the compiles at
once. Exit status: 0; 1 if a contender failed or kept other tokens than ours; 2 if nothing could be run.
TEXT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname "$here")
. "$root/examples/lib/progress.sh"
. "$root/examples/lib/python_packages.sh"
. "$root/examples/lib/llama_cpp.sh"

refuse() {
  say "bench: $*"
  exit 2
}

install=''
peers=''
built=$root/build/bench
configure=()
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --no-install) install=--no-install ;;
    --baseline)
      built=$root/build/bench-baseline
      configure+=(-DLOGITCHAIN_ARCH_FLAGS=)
      ;;
    --peers)
      [ $# -ge 2 ] || refuse "--peers takes a list: llama_cpp,transformers"
      peers=$2
      shift
      ;;
    --json | --markdown)
      [ $# -ge 2 ] || refuse "$1 takes a file"
      [ -d "$(dirname -- "$2")" ] || refuse "$1: $(dirname -- "$2") is no folder"
      arguments+=("$1" "$(realpath -- "$2")")
      shift
      ;;
    --filter | --repetitions | --seconds)
      [ $# -ge 2 ] || refuse "$1 takes a value"
      arguments+=("$1" "$2")
      shift
      ;;
    --wall | --list) arguments+=("$1") ;;
    *) refuse "unknown option $1; --help tells those that there are" ;;
  esac
  shift
done

llama=''
transformers=''
for peer in ${peers//,/ }; do
  case $peer in
    llama_cpp) llama=yes ;;
    transformers) transformers=yes ;;
    *) refuse "--peers: there is no peer '$peer'; there are llama_cpp and transformers" ;;
  esac
done
[ -n "$llama" ] || arguments+=(--without "llama.cpp: not asked for with --peers")
[ -n "$transformers" ] || arguments+=(--without "transformers: not asked for with --peers")

packages=(g++ cmake ninja-build libbenchmark-dev)
[ -z "$peers" ] || packages+=(python3-venv ca-certificates)
"$root/cmake/install-packages.sh" $install "${packages[@]}" >&2 || exit 2

# What may fail without ending the run is done in a shell of its own.
cache=$root/build/generate
source=$root/build/bench-llama
bring_llama() (
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock 9
  build_llama "$cache"
  if [ "$(cat "$source/version" 2>/dev/null)" != $llama_version ]; then
    fetch_llama "$cache"
    rm -rf "$source"
    unpack_llama "$cache" "$source" LICENSE src include ggml/include
    printf '%s' $llama_version >"$source/version"
  fi
)
if [ -n "$llama" ]; then
  if bring_llama; then
    configure+=("-DLOGITCHAIN_BENCH_LLAMA_ROOT=$cache/llama" "-DLOGITCHAIN_BENCH_LLAMA_SOURCE=$source"
      "-DLOGITCHAIN_BENCH_LLAMA_PACKAGE=of llama-cpp-python $llama_version")
    arguments+=(--llama-cpp)
  else
    arguments+=(--without "llama.cpp: could not be built here")
  fi
fi

python=$root/build/bench-python
bring_python() (
  make_venv "$python"
  [ -e "$python/has-peers" ] && exit
  run_logged 'installing torch and transformers (gigabytes, once)' "$python/pip.log" megabytes_beside \
    "$python/bin/python" -m pip install --disable-pip-version-check torch==2.13.0 transformers==5.16.1
  touch "$python/has-peers"
)
if [ -n "$transformers" ]; then
  if [ -n "${PYTHON:-}" ]; then
    arguments+=(--python "$PYTHON")
  elif bring_python; then
    arguments+=(--python "$python/bin/python")
  else
    arguments+=(--without "transformers: torch or transformers could not be installed here")
  fi
fi

cd "$root"
mkdir -p build
cmake --preset bench -B "$built" "${configure[@]}" >"$built.log" 2>&1 || {
  tail -n 40 "$built.log" >&2
  refuse "the benchmark cannot be configured; see $built.log"
}
if ! ninja -C "$built" -n step_bench 2>/dev/null | grep -q 'no work to do'; then
  run_logged 'building the benchmark' "$built.log" ninja_steps \
    ninja -C "$built" ${CMAKE_BUILD_PARALLEL_LEVEL:+-j "$CMAKE_BUILD_PARALLEL_LEVEL"} step_bench
fi
exec "$built/bench/step_bench" --inputs "$root/build/bench-inputs" --script "$here/peers/transformers_steps.py" \
  "${arguments[@]}"
