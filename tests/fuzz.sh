#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "$0")/.."

help() {
  cat <<'END'
tests/fuzz.sh [--no-install] [--seconds N] [--target NAME]... [-- libFuzzer arguments...]

Looks for input that the library answers wrongly, with libFuzzer (clang++) under the address and
undefined-behaviour sanitizers. Builds in build/fuzz, keeps what it learns in build/fuzz-corpus, and
ends with one line per target.

  --seconds N     how long each target runs; 60 by default, 3600 for a thorough look
  --target NAME   chains: chains, numbers, rows and histories against the oracle
                  state: sequences of operations on a state against a plain model
                  tables: stop strings and biased sequences against plain searches
                  All of them where none is named; may be repeated.
  --no-install    installs nothing; for those who manage their packages themselves
  others          go to libFuzzer behind --, such as -- -jobs=2 or -- -seed=7

Exit status: 0 nothing was found, 1 something was found or did not build, 2 wrong arguments. What was
found lies in build/fuzz-corpus/findings; build/fuzz/tests/fuzz/fuzz_NAME FILE shows it again.
END
}

packages=(clang cmake ninja-build ccache libgtest-dev libgmock-dev libmpfr-dev nlohmann-json3-dev)
installing=()
seconds=60
targets=()
extra=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help)
      help
      exit 0
      ;;
    --no-install) installing=(--no-install) ;;
    --seconds)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || { echo "fuzz.sh: --seconds takes a number above 0" >&2; exit 2; }
      seconds=$2
      shift
      ;;
    --target)
      case ${2:-} in
        chains | state | tables) targets+=("$2") ;;
        *)
          echo "fuzz.sh: --target takes chains, state or tables" >&2
          exit 2
          ;;
      esac
      shift
      ;;
    --)
      shift
      extra=("$@")
      break
      ;;
    *)
      echo "fuzz.sh: unknown argument $1; see --help" >&2
      exit 2
      ;;
  esac
  shift
done
[ ${#targets[@]} -gt 0 ] || targets=(chains state tables)
jobs=${JOBS:-$(nproc)}
build=build/fuzz
corpus=build/fuzz-corpus

step() { printf '\n== %s [%d s]\n' "$*" "$SECONDS"; }

step "packages"
cmake/install-packages.sh "${installing[@]}" "${packages[@]}"
command -v clang++ >/dev/null || { echo "fuzz.sh: clang++ is not here, and libFuzzer comes with it" >&2; exit 1; }

step "build"
mkdir -p build
cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Release \
  -DLOGITCHAIN_FUZZ=ON -DLOGITCHAIN_WERROR=ON -DLOGITCHAIN_BUILD_EXAMPLES=OFF \
  -DLOGITCHAIN_BUILD_BENCH=OFF -DLOGITCHAIN_TESTS_ASAN_LEG=OFF >"$build.log" 2>&1 ||
  { cat "$build.log"; exit 1; }
NINJA_STATUS='[%f/%t %es] ' cmake --build "$build" -j "$jobs" --target "${targets[@]/#/fuzz_}"

# The length that a target's input may have: numbers of a batch, operations, tokens.
length_of() {
  case $1 in
    chains) echo 600 ;;
    state) echo 400 ;;
    tables) echo 200 ;;
  esac
}
# A number of libFuzzer's log, first or last of its kind; 0 where there is none.
number() { # LOG PATTERN first|last
  local pick=(tail -n 1)
  [ "$3" = first ] && pick=(head -n 1)
  { grep -aoE "$2" "$1" || true; } | "${pick[@]}" | { grep -oE '[0-9]+$' || echo 0; }
}

lines=()
found=0
for target in "${targets[@]}"; do
  step "fuzz_$target, $seconds s"
  mkdir -p "$corpus/$target" "$corpus/findings"
  log=$build/fuzz_$target.log
  started=$SECONDS
  status=0
  "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len="$(length_of "$target")" \
    -len_control=0 -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$corpus/findings/$target-" "${extra[@]}" "$corpus/$target" \
    >"$log" 2>&1 || status=$?
  runs=$(number "$log" 'stat::number_of_executed_units: [0-9]+' last)
  [ "$runs" != 0 ] || runs=$(number "$log" '^#[0-9]+' last)
  before=$(number "$log" 'INITED cov: [0-9]+' first)
  after=$(number "$log" ' cov: [0-9]+' last)
  result="no finding"
  if [ "$status" != 0 ]; then
    found=1
    grep -aE '^FOUND:|^  (chain|prompt|generated)|ERROR:|runtime error:|SUMMARY:' "$log" | head -n 20 || true
    artifact=$({ grep -aoE "$corpus/findings/[^ ]+" "$log" || true; } | tail -n 1)
    result="FOUND ${artifact:-nothing that was kept (status $status)}, log $log"
  fi
  lines+=("fuzz_$target: $runs runs, $((SECONDS - started)) s, coverage $after edges (+$((after - before))), $result")
done

echo
printf '%s\n' "${lines[@]}"
exit "$found"
