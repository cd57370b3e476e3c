#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs golden files: every chain that they name is compiled and run fused and stage by stage.
set -euo pipefail

usage() {
  cat <<'TEXT'
tests/golden.sh [--engine host|cuda] [--vocab DIR] [--no-install] PATH...

Runs the cases of golden files; tests/golden/README.md describes the format. PATH is a .jsonl file,
or a folder: then all that lie in it.

  --engine NAME   where the chains run: host (default), or cuda: compiled by nvcc (one is fetched
                  where there is none) and run as tests/device.sh runs programs
  --vocab DIR     a folder of vocab-<tokenizer>.hex files, for cases about a tokenizer's stop
                  strings; may be repeated. The folder of the golden file itself is searched as
                  well. Cases whose vocabulary is nowhere are skipped and counted.
  --no-install    does not install g++ and nlohmann-json3-dev where they are missing

A chain is a type: the sources of those that the files name are generated and compiled, each once,
into build/golden (or $LOGITCHAIN_GOLDEN_CACHE), and anew when the compiler, the flags, the library
or the runner change. CXX names another compiler, CXXFLAGS more flags, CMAKE_BUILD_PARALLEL_LEVEL
how many compile at once.

The last lines are `chains run fused: N` and `N passed, M failed`. The first counts the cases whose
whole list of stages, be it one stage or eight, ran as one fused chain; the line above says how many
types of chains these are, and how many cases have one stage, and two or more.

Exit status: 0 if cases passed and none failed, 1 otherwise, 2 if they could not be run.
TEXT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname "$here")
source=$here/golden

say() { echo "golden: $*" >&2; }
refuse() {
  say "$*"
  exit 2
}

install=''
engine=host
vocab=()
paths=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help)
      usage
      exit 0
      ;;
    --engine)
      case ${2-} in
        host | cuda) engine=$2 ;;
        *) refuse "--engine is '${2-}'; it must be host or cuda" ;;
      esac
      shift
      ;;
    --vocab)
      [ -d "${2-}" ] || refuse "--vocab: '${2-}' is no folder"
      vocab+=(--vocab "$(cd "$2" && pwd -P)")
      shift
      ;;
    --no-install) install=--no-install ;;
    -*) refuse "unknown option $1; --help tells those that there are" ;;
    *)
      [ -e "$1" ] || refuse "$1: no such file or folder"
      paths+=("$(realpath -- "$1")")
      ;;
  esac
  shift
done
if [ ${#paths[@]} -eq 0 ]; then
  usage >&2
  exit 2
fi

"$root/cmake/install-packages.sh" $install g++ nlohmann-json3-dev >&2 || exit 2

cxx=${CXX:-g++}
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
cache=${LOGITCHAIN_GOLDEN_CACHE:-$root/build/golden}
command -v "$cxx" >/dev/null || refuse "$cxx: no such compiler"
# Results do not hang on optimisation; the time that compiling takes does. -ffp-contract=off is what
# the library's own target gives to those who link it.
read -ra more <<<"${CXXFLAGS:-}"
options=(-std=c++20 -O1 -ffp-contract=off -pthread "${more[@]}")
flags=("${options[@]}" "-I$root/include" "-I$source")
# What runs chains and scripts is compiled by nvcc for the CUDA engine, with the files of
# golden/cuda in place of the host's. PTX alone: whatever device there is compiles the rest.
device_parts=()
if [ "$engine" = cuda ]; then
  status=0
  "$here/device.sh" true >/dev/null || status=$?
  [ "$status" != 77 ] || refuse "--engine cuda: no GPU, and LOGITCHAIN_DEVICE_RUNNER is not set"
  nvcc=$("$root/cmake/cuda-toolkit.sh") || refuse "--engine cuda: no nvcc"
  device_parts=(chain_registry stopping)
  device_flags=(-x cu -std=c++20 -O1 -cudart shared -gencode arch=compute_90,code=compute_90
    -ccbin "$cxx" "-I$source/cuda" "-I$source" "-I$root/tests" "-I$root/include")
fi

# Everything that an object can depend on, but for the text of its own source. ccache, where it is
# there, serves what another clone has compiled.
key=$(
  {
    "$cxx" --version
    printf '%s\n' "$engine" "${options[@]}"
    cd "$root"
    find include tests/golden tests/cuda/support -type f -regex '.*\.[ch][pu][ph]' -print0 |
      sort -z | xargs -0 sha256sum
  } | sha256sum | cut -c1-16
)
launcher=()
if command -v ccache >/dev/null; then
  launcher=(ccache)
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
fi

mkdir -p "$cache/$key"
cd "$cache/$key"
exec 9>lock
flock 9

# Compiles SOURCE to OBJECT; what the compiler says goes to OBJECT.log.
compile() {
  local command=("$cxx" "${flags[@]}")
  case " ${device_parts[*]} $1" in
    *" ${1%.o} "* | *" chain-"*.o | *" batch-"*.o)
      [ "$engine" = host ] || command=("$nvcc" "${device_flags[@]}")
      ;;
  esac
  "${launcher[@]}" "${command[@]}" -c "$2" -o "$1.part" >"$1.log" 2>&1 && mv "$1.part" "$1"
}
# The same for those that are not there yet, $jobs at once: lines of OBJECT SOURCE on the input.
compile_all() {
  local object text running=0
  while read -r object text; do
    [ ! -e "$object" ] || continue
    compile "$object" "$text" &
    running=$((running + 1))
    if [ "$running" -ge "$jobs" ]; then
      wait -n || true
      running=$((running - 1))
    fi
  done
  wait
}
show_log() { grep -m 6 -E 'error|fatal' "$1" >&2 || tail -n 6 "$1" >&2; }
# The program's own sources; without one of them there is nothing to run.
compile_parts() {
  local part
  compile_all < <(for part in "$@"; do echo "$part.o $source/$part.cpp"; done)
  for part in "$@"; do
    [ -e "$part.o" ] && continue
    show_log "$part.o.log"
    refuse "tests/golden/$part.cpp does not compile"
  done
}

tool=(lines stage_table collect)
runner=(lines stage_table encoding case judge trial vocabularies replay chain_registry
  parameters stopping stop_tables)
if [ ! -e collect ]; then
  compile_parts "${tool[@]}"
  "$cxx" "${options[@]}" "${tool[@]/%/.o}" -o collect
fi
./collect "$source/stages.txt" . "${paths[@]}" >chains.txt || exit 2

# chain-X.in names the object that holds chain X. Chains that have none are compiled a dozen at a
# time, since most of what a compiler does for one of them is the same for all.
began=$SECONDS
new=()
while read -r text; do [ -e "${text%.cpp}.in" ] || new+=("${text%.cpp}"); done <chains.txt
if [ ${#new[@]} -gt 0 ]; then
  say "compiling ${#new[@]} of $(wc -l <chains.txt) chains"
fi
: >batches.txt
for ((i = 0; i < ${#new[@]}; i += 12)); do
  members=("${new[@]:i:12}")
  batch=batch-$(printf '%s\n' "${members[@]}" | sha256sum | cut -c1-16)
  printf '#include "%s.cpp"\n' "${members[@]}" >"$batch.cpp"
  echo "$batch.o $batch.cpp ${members[*]}" >>batches.txt
done
compile_all < <(cut -d' ' -f1,2 batches.txt)
# One chain that does not compile must not take the others of its batch with it.
: >singles.txt
while read -r object text members; do
  for member in $members; do
    if [ -e "$object" ]; then
      echo "$object" >"$member.in"
    else
      echo "$member.o $member.cpp" >>singles.txt
    fi
  done
done <batches.txt
compile_all <singles.txt
while read -r object text; do
  if [ -e "$object" ]; then
    echo "$object" >"${object%.o}.in"
  else
    say "does not compile: $(grep -o '("[^"]*"' "$text" | head -n 1 | tr -d '("')"
    show_log "$object.log"
  fi
done <singles.txt
compile_parts "${runner[@]}"

mapfile -t objects < <(sed 's/cpp$/in/' chains.txt | xargs -r cat 2>/dev/null | sort -u)
program=replay-$(printf '%s\n' "${objects[@]}" | sha256sum | cut -c1-16)
if [ ! -e "$program" ]; then
  if [ "$engine" = cuda ]; then
    "$nvcc" -cudart shared -ccbin "$cxx" -Xlinker --enable-new-dtags "${runner[@]/%/.o}" \
      "${objects[@]}" -o "$program.part"
  else
    "$cxx" "${options[@]}" "${runner[@]/%/.o}" "${objects[@]}" -o "$program.part"
  fi
  mv "$program.part" "$program"
fi
[ ${#new[@]} -eq 0 ] || say "compiled in $((SECONDS - began)) s"

# What other versions of the library left behind, but for the last two.
touch .
find "$cache" -mindepth 1 -maxdepth 1 -type d -regextype posix-extended -regex '.*/[0-9a-f]{16}' \
  -printf '%T@ %p\n' | sort -rn | tail -n +4 | cut -d' ' -f2- | xargs -r -d '\n' rm -rf --
flock -u 9
run=()
[ "$engine" = host ] || run=("$root/tests/device.sh")
exec "${run[@]}" "./$program" --stages "$source/stages.txt" "${vocab[@]}" "${paths[@]}"
