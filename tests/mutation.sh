#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Plants faults in a copy of include/, one at a time, and shows which of them the tests notice.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

help() {
  cat <<'END'
tests/mutation.sh [--no-install] [--jobs N] [--filter REGEX] [--list | --check] [--json FILE]
                  [--faults FOLDER]

Plants the faults of tests/mutation/faults/*.txt in a copy of include/, one at a time, compiles the
tests named with each, and runs them. A fault is noticed where a test fails, crashes or runs out of
time, or where a static assertion stops the compiler. The last line counts them. Exit status: 0 all
noticed or explained, 1 a fault survived, 2 the faults or the tests are not in order.

  --no-install     installs nothing; for those who manage their packages themselves
  --jobs N         faults that are worked on at a time (default: the number of processors)
  --filter REGEX   only faults of which "FILE: WHAT IS WRONG" matches, as in 'core/|stop string'
  --list           prints the faults chosen and stops
  --check          only looks whether every fault still applies; compiles nothing
  --json FILE      writes the outcomes, one object a line
  --faults FOLDER  other faults than those of tests/mutation/faults

CXX chooses the compiler. tests/mutation/README.md tells how a fault is written.
END
}

die() { echo "mutation.sh: $*" >&2; exit 2; }

faults=tests/mutation/faults mode=run install=() jobs=$(nproc) filter=. json=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) help; exit 0 ;;
    --no-install) install=(--no-install) ;;
    --list) mode=list ;;
    --check) mode=check ;;
    --jobs | --filter | --json | --faults)
      [ $# -ge 2 ] || die "$1 takes a value"
      case $1 in
        --jobs) jobs=$2 ;;
        --filter) filter=$2 ;;
        --json) json=$2 ;;
        --faults) faults=$2 ;;
      esac
      shift
      ;;
    *) die "unknown argument $1; --help lists them" ;;
  esac
  shift
done
[[ $jobs =~ ^[1-9][0-9]*$ ]] || die "--jobs is $jobs; it must be a number from 1 on"

# What tests what, where a fault does not say: the file of the same name, and failures of others.
tests_of() {
  local mirrored=${1/\/detail\//\/}
  mirrored=${mirrored%.hpp}_test.cpp
  if [ -f "tests/$mirrored" ]; then echo "$mirrored"; fi
  (cd tests && echo cases/*_test.cpp)
}

# ---- The faults, as parallel arrays.
wrong=() file=() tests=() flags=() equivalent=() find=() put=() from=()
mistakes=0
complain() { echo "mutation.sh: $*" >&2; mistakes=$((mistakes + 1)); }

read_faults() {
  local source=$1 line n=-1 number=0
  n=$((${#wrong[@]} - 1))
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    case $line in
      '' | '#'*) ;;
      'fault: '*)
        n=$((n + 1))
        wrong[n]=${line#fault: } from[n]=$source:$number
        file[n]='' tests[n]='' flags[n]='' equivalent[n]='' find[n]='' put[n]=''
        ;;
      *' '* | +)
        [ ${#wrong[@]} -gt 0 ] || die "$source:$number: a line in front of the first fault"
        case $line in
          'file: '*) file[n]=${line#file: } ;;
          'tests: '*) tests[n]=${line#tests: } ;;
          'flags: '*) flags[n]=${line#flags: } ;;
          'equivalent: '*) equivalent[n]=${line#equivalent: } ;;
          '- '*) find[n]+=${find[n]:+$'\n'}${line#- } ;;
          '+'*) line=${line#+} put[n]+=${put[n]:+$'\n'}${line# } ;;
          *) complain "$source:$number: cannot read: $line" ;;
        esac
        ;;
      *) complain "$source:$number: cannot read: $line" ;;
    esac
  done <"$source"
}

# A header without indentation, which may change without a fault going stale.
declare -A text=()
read_header() { [ -n "${text[$1]:-}" ] || text[$1]=$(sed 's/^[[:space:]]*//' "$1"); }

check_fault() {
  local n=$1 header=include/logitchain/${file[$1]} rest test
  local at="${from[n]}: ${wrong[n]}"
  if [ -z "${find[n]}" ]; then complain "$at: no text to find"; return; fi
  if [ "${find[n]}" = "${put[n]}" ]; then complain "$at: changes nothing"; fi
  if [ ! -f "$header" ]; then complain "$at: no file $header"; return; fi
  read_header "$header"
  rest=${text[$header]#*"${find[n]}"}
  if [ "$rest" = "${text[$header]}" ]; then
    complain "$at: stale fault, its text is not in $header"
  elif [ "${rest#*"${find[n]}"}" != "$rest" ]; then
    complain "$at: stale fault, its text is more than once in $header"
  fi
  [ -n "${tests[n]}" ] || tests[n]=$(tests_of "${file[n]}")
  for test in ${tests[n]}; do
    [ -f "tests/$test" ] || complain "$at: no file tests/$test"
  done
}

for source in "$faults"/*.txt; do
  [ -f "$source" ] || die "$faults holds no *.txt"
  read_faults "$source"
done
declare -A known=()
chosen=()
for n in "${!wrong[@]}"; do
  [ -z "${known[${wrong[n]}]:-}" ] || complain "${from[n]}: ${wrong[n]}: named twice"
  known[${wrong[n]}]=1
  check_fault "$n"
  if [[ "${file[n]}: ${wrong[n]}" =~ $filter ]]; then chosen+=("$n"); fi
done
[ $mistakes -eq 0 ] || die "$mistakes mistakes in $faults"
[ ${#chosen[@]} -gt 0 ] || die "no fault matches $filter"

case $mode in
  check)
    echo "${#wrong[@]} faults apply"
    exit 0
    ;;
  list)
    for n in "${chosen[@]}"; do echo "${file[n]}: ${wrong[n]}"; done
    exit 0
    ;;
esac

# ---- Compiling and running.
cmake/install-packages.sh "${install[@]}" g++ libgtest-dev libgmock-dev
compiler=${CXX:-g++}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# From here on edits of the checkout change nothing.
cp -r include "$work/include"
cp -r tests "$work/tests"
plain=(-std=c++20 -O0 -w -ffp-contract=off)
limit=60  # seconds of processor time that the tests of a file may take

printf '#include <%s>\n' gmock/gmock.h gtest/gtest.h algorithm array cmath functional map numeric \
  random span sstream string thread vector >"$work/tests.hpp"
"$compiler" "${plain[@]}" -x c++-header "$work/tests.hpp" -o "$work/tests.hpp.gch"

# build INCLUDE TEST FLAGS PROGRAM: with flags of its own a test does without the precompiled header.
build() {
  local with=("${plain[@]}" -include "$work/tests.hpp")
  # shellcheck disable=SC2206 # several flags in one line
  [ -z "$3" ] || with=(-std=c++20 -w $3)
  "$compiler" "${with[@]}" "-I$1" "-I$work/tests" "$work/tests/$2" -o "$4" -lgmock -lgtest -lgtest_main -pthread
}
# What waits for ever takes no processor time.
run() (
  ulimit -t "$limit"
  exec timeout $((5 * limit)) "$1" --gtest_fail_fast --gtest_brief=1
)

# try INCLUDE TEST FLAGS FOLDER: prints what the test noticed, nothing where it passes.
try() {
  local status=0 name
  if ! build "$1" "$2" "$3" "$4/program" >"$4/compiler" 2>&1; then
    if grep -qE 'static assertion|static_assert|constant expression' "$4/compiler"; then
      echo "a static assertion"
    else
      echo "broken: $2 does not compile: $(grep -m 1 error: "$4/compiler" || true)"
    fi
    return
  fi
  run "$4/program" >"$4/output" 2>&1 || status=$?
  name=$(sed -n 's/^\[  FAILED  \] \([^ ,]*\).*/\1/p;T;q' "$4/output")
  case $status in
    0) ;;
    124 | 137 | 152) echo "out of time in $2" ;;
    *) echo "${name:-a crash} in $2" ;;
  esac
}

# The tests must pass where nothing is wrong, or what they say of a fault means nothing.
check_test() {
  local folder=$work/unchanged-$1 said
  mkdir "$folder"
  said=$(try "$work/include" "$2" "$3" "$folder")
  if [ -n "$said" ]; then
    : >"$work/unsound"
    echo "without a fault: $said"
    cat "$folder"/{compiler,output} 2>/dev/null | head -n 20 | sed 's/^/  /' || true
  fi
  rm -rf "$folder"
}

judge() {
  local n=$1 folder=$work/$1 header said='' test
  mkdir "$folder"
  cp -r "$work/include" "$folder/include"
  header=$folder/include/logitchain/${file[n]}
  printf '%s\n' "${text[include/logitchain/${file[n]}]/"${find[n]}"/"${put[n]}"}" >"$header"
  for test in ${tests[n]}; do
    said=$(try "$folder/include" "$test" "${flags[n]}" "$folder")
    [ -z "$said" ] || break
  done
  rm -rf "$folder"
  case $said in
    '') said="survived ${equivalent[n]:+(equivalent: ${equivalent[n]})}" ;;
    broken:*) ;;
    *) said="noticed by $said" ;;
  esac
  echo "$said" >"$work/outcome-$n"
  printf '%s: %s\n    %s\n' "${file[n]}" "${wrong[n]}" "$said"
}

# in_turn COMMAND...: starts it as soon as fewer than `jobs` run.
running=0
in_turn() {
  if [ $running -ge "$jobs" ]; then
    wait -n || true
    running=$((running - 1))
  fi
  "$@" &
  running=$((running + 1))
}
wait_all() { wait; running=0; }

declare -A needed=()
for n in "${chosen[@]}"; do
  for test in ${tests[n]}; do needed["$test|${flags[n]}"]=1; done
done
echo "== ${#needed[@]} test files without a fault"
number=0
for each in "${!needed[@]}"; do
  number=$((number + 1))
  in_turn check_test $number "${each%%|*}" "${each#*|}"
done
wait_all
[ ! -f "$work/unsound" ] || die "the tests do not pass as they are"

echo "== ${#chosen[@]} faults [$SECONDS s]"
for n in "${chosen[@]}"; do in_turn judge "$n"; done
wait_all

# ---- The report.
declare -A planted=() noticed=() survived=()
total=0 seen=0 left=0 explained=0 unsound=0
survivors=()
[ -z "$json" ] || : >"$json"
for n in "${chosen[@]}"; do
  said=$(cat "$work/outcome-$n")
  room=${file[n]%%/*}
  planted[$room]=$((${planted[$room]:-0} + 1))
  total=$((total + 1))
  outcome=survived
  case $said in
    noticed*)
      outcome=noticed
      noticed[$room]=$((${noticed[$room]:-0} + 1)) seen=$((seen + 1))
      if [ -n "${equivalent[n]}" ]; then
        echo "${from[n]}: ${wrong[n]}: said to be equivalent and is $said" >&2
        unsound=$((unsound + 1))
      fi
      ;;
    broken*)
      outcome=broken unsound=$((unsound + 1))
      echo "${from[n]}: ${wrong[n]}: $said" >&2
      ;;
    *)
      survived[$room]=$((${survived[$room]:-0} + 1)) left=$((left + 1))
      if [ -n "${equivalent[n]}" ]; then explained=$((explained + 1)); fi
      survivors+=("${file[n]}: ${wrong[n]}${equivalent[n]:+ (equivalent: ${equivalent[n]})}")
      ;;
  esac
  if [ -n "$json" ]; then
    by=${said#noticed by }
    printf '{"room": "%s", "file": "%s", "fault": "%s", "outcome": "%s", "by": "%s"}\n' "$room" \
      "${file[n]}" "${wrong[n]//\"/\'}" "$outcome" "${by//[\"\\]/\'}" >>"$json"
  fi
done

printf '\n%-12s %8s %8s %8s\n' room planted noticed survived
for room in core state tables build transforms criteria chain engine; do
  [ -n "${planted[$room]:-}" ] || continue
  printf '%-12s %8d %8d %8d\n' "$room" "${planted[$room]}" "${noticed[$room]:-0}" \
    "${survived[$room]:-0}"
done
for survivor in "${survivors[@]}"; do echo "survived: $survivor"; done
[ $unsound -eq 0 ] || die "$unsound faults are not in order"
echo "$total faults planted, $seen noticed, $left survived [$SECONDS s]"
[ "$left" -eq "$explained" ]
