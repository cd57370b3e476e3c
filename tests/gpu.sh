#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
called_in=$PWD
cd "$(dirname "$0")/.."

help() {
  cat <<'END'
tests/gpu.sh [--all-chains] [--no-sanitizer] [--bench [FILE]] [--no-install] [--build DIR] [--dry-run]

Tests the CUDA engine on the GPU of this machine: builds the device tests for that GPU, runs all of
them, then some of them under compute-sanitizer's memcheck, racecheck, initcheck and synccheck.

  --all-chains    compares the engines on all chain types, not on nine of them (longer to compile)
  --no-sanitizer  leaves compute-sanitizer out
  --bench [FILE]  then measures the decode step with bench/device.sh, beside FlashInfer where its wheel can
                  be had; begins no more rows after 150 s. Its JSON goes to FILE
  --no-install    installs nothing; for those who manage their packages themselves
  --build DIR     where it is built (default: build/gpu of the repository)
  --dry-run       prints the commands instead of running them

CUDA_VISIBLE_DEVICES chooses the GPU or a slice of one (MIG), JOBS how many compilers run at a time (default: the number of
processors). Where LOGITCHAIN_DEVICE_RUNNER is set, tests run through it in place of a GPU, without
compute-sanitizer. Exit status: 0 all passed, 77 there is no GPU, others: something failed, and the
last lines say what.
END
}

die() { echo "gpu.sh: $*" >&2; exit 2; }

all_chains=OFF sanitizer=yes bench='' bench_json=() install=() build=build/gpu dry=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) help; exit 0 ;;
    --all-chains) all_chains=ON ;;
    --no-sanitizer) sanitizer='left out: --no-sanitizer' ;;
    --bench)
      bench=yes
      if [ $# -ge 2 ] && [[ $2 != -* ]]; then
        case $2 in
          /*) bench_json=(--json "$2") ;;
          *) bench_json=(--json "$called_in/$2") ;;
        esac
        [ -d "$(dirname -- "${bench_json[1]}")" ] ||
          die "--bench: $(dirname -- "$2") is no folder"
        shift
      fi
      ;;
    --no-install) install=(--no-install) ;;
    --build)
      [ $# -ge 2 ] || die "--build takes a folder"
      case $2 in
        /*) build=$2 ;;
        *) build=$called_in/$2 ;;
      esac
      shift
      ;;
    --dry-run) dry=yes ;;
    *) die "unknown argument $1; --help lists them" ;;
  esac
  shift
done
jobs=${JOBS:-$(nproc)}

section() { printf '\n== %s [%d s]\n' "$*" "$SECONDS"; }
run() {
  if [ -n "$dry" ]; then
    printf '%s ' "$@"
    echo
  else
    "$@"
  fi
}

section "GPU"
if [ -n "${LOGITCHAIN_DEVICE_RUNNER:-}" ]; then
  device="LOGITCHAIN_DEVICE_RUNNER=$LOGITCHAIN_DEVICE_RUNNER"
  architecture=90-virtual
  [ "$sanitizer" != yes ] || sanitizer='skipped: it needs a GPU, and the runner stands in for one'
else
  # CUDA numbers devices by speed unless it is told to do as nvidia-smi does.
  export CUDA_DEVICE_ORDER=PCI_BUS_ID
  ask() {
    nvidia-smi --query-gpu=compute_cap,name,driver_version --format=csv,noheader "$@" 2>/dev/null
  }
  chosen=${CUDA_VISIBLE_DEVICES:-}
  chosen=${chosen%%,*}
  found=$(ask ${chosen:+-i "$chosen"} | head -n 1 || true)
  # A slice of a GPU is not asked for by its name: what all GPUs here are, it is.
  if [[ -n $chosen && ! $found =~ ^[0-9]+\.[0-9]+, ]]; then
    all=$(ask | grep -E '^[0-9]+\.[0-9]+,' || true)
    [ -z "$all" ] || [ "$(cut -d , -f 1 <<<"$all" | sort -u | wc -l)" = 1 ] ||
      die "nvidia-smi does not tell what CUDA_VISIBLE_DEVICES=$chosen is, and the GPUs here differ"
    [ -z "$all" ] || found="$(head -n 1 <<<"$all"), CUDA_VISIBLE_DEVICES=$chosen"
  fi
  capability=${found%%,*}
  if [[ ! $capability =~ ^[0-9]+\.[0-9]+$ ]]; then
    echo "skipped: no GPU that nvidia-smi knows, and LOGITCHAIN_DEVICE_RUNNER is not set"
    exit 77
  fi
  architecture=${capability/./}
  if [ "$architecture" -lt 80 ]; then
    echo "skipped: compute capability 8.0 or newer is needed; the GPU is $found"
    exit 77
  fi
  device="compute capability ${found/,/,}"
fi
echo "$device"

section "packages"
run cmake/install-packages.sh "${install[@]}" g++ cmake ninja-build ccache libgtest-dev \
  libgmock-dev libmpfr-dev nlohmann-json3-dev python3-venv

section "CUDA compiler"
CUDACXX=$(cmake/cuda-toolkit.sh)
export CUDACXX
echo "$CUDACXX"
# A device of later years runs the PTX of those that this compiler knows.
if [[ $architecture =~ ^[0-9]+$ ]] &&
  ! "$CUDACXX" --list-gpu-code | grep -qx "sm_$architecture"; then
  echo "this compiler does not know sm_$architecture: PTX of compute_90 is tested"
  architecture=90-virtual
fi
if [ "$sanitizer" = yes ]; then
  places=$PATH:$(dirname "$CUDACXX"):/usr/local/cuda/bin
  program=$(PATH=$places command -v compute-sanitizer || true)
  [ -n "$program" ] ||
    die "compute-sanitizer is not here. It comes with the CUDA toolkit (/usr/local/cuda/bin);" \
      "--no-sanitizer leaves it out"
  echo "$program"
fi
# Device tests take the runtime from where they find it; a toolkit need not be known to the system.
libraries=$(dirname "$(dirname "$CUDACXX")")/lib64
if [ -z "${LOGITCHAIN_DEVICE_RUNNER:-}" ] && [ -d "$libraries" ]; then
  export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$libraries
fi

section "build"
run cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLOGITCHAIN_CUDA=ON \
  "-DLOGITCHAIN_TESTS_CUDA_ARCHITECTURE=$architecture" "-DLOGITCHAIN_TESTS_ALL_CHAINS=$all_chains" \
  -DLOGITCHAIN_ARCH_FLAGS=AUTO -DLOGITCHAIN_TESTS_ASAN_LEG=OFF -DLOGITCHAIN_BUILD_EXAMPLES=OFF \
  -DLOGITCHAIN_BUILD_BENCH=OFF
run cmake --build "$build" --target device_tests -j "$jobs"

# What was run, a line each, and whether anything failed.
summary=()
failed=0
note() {
  local status=$1 what=$2
  if [ "$status" = 0 ]; then
    summary+=("passed  $what")
  else
    summary+=("FAILED  $what (status $status)")
    failed=1
  fi
}

section "tests"
tests=(ctest --test-dir "$build" -L '^device$' --output-on-failure --no-tests=error)
# Some are of devices that only a runner can be.
[ -n "${LOGITCHAIN_DEVICE_RUNNER:-}" ] || tests+=(-LE '^emulated$')
status=0
if [ -n "$dry" ]; then
  run "${tests[@]}"
else
  "${tests[@]}" 2>&1 | tee "$build/device_tests.log" || status=$?
fi
note "$status" "ctest -L device"
# A GPU leaves nothing to skip.
if [ -z "$dry" ] && grep -qE '\((Skipped|Disabled|Not Run)\)$' "$build/device_tests.log"; then
  note 77 "ctest -L device: there are tests that did not run"
fi

if [ "$sanitizer" = yes ]; then
  for tool in memcheck racecheck initcheck synccheck; do
    options=()
    # Tests copy whole states to the host; that nobody has written their unused places is no fault.
    if [ "$tool" = initcheck ] && "$program" --help 2>&1 | grep -q check-api-memory-access; then
      options=(--check-api-memory-access no)
    fi
    for test in rows graph engines_checked edges; do
      filter='*'
      [ "$test" != edges ] || filter='Parts.*:OwnStages.*'
      section "compute-sanitizer: $tool, $test"
      status=0
      run env LOGITCHAIN_BATCHES=2 "$program" --tool "$tool" --error-exitcode 99 --print-limit 10 \
        "${options[@]}" "$build/tests/cuda/cuda_$test" --gtest_brief=1 \
        "--gtest_filter=$filter" || status=$?
      note "$status" "$tool $test"
    done
  done
fi

if [ -n "$bench" ]; then
  section "benchmark"
  # Without a GPU it is seen to work, no more.
  extent=(--limit 150)
  [ -z "${LOGITCHAIN_DEVICE_RUNNER:-}" ] || extent=(--quick)
  status=0
  run env JOBS="$jobs" bench/device.sh --peers flashinfer --architecture "$architecture" \
    "${extent[@]}" "${bench_json[@]}" "${install[@]}" || status=$?
  note "$status" "bench/device.sh"
fi

[ -z "$dry" ] || exit 0

section "summary"
echo "$device, built for $architecture"
printf '%s\n' "${summary[@]}"
[ "$sanitizer" = yes ] || echo "compute-sanitizer $sanitizer"
exit "$failed"
