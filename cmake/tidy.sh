#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy 19 with .clang-tidy; a finding is an error. Changes nothing.
#   cmake/tidy.sh [--all | FILE...]
# Without files: the library's headers, by way of the front door and of sources that make chains.
# --all: also what of bench/, examples/ and tests/ needs no more than the packages of the tests and
# libbenchmark-dev, which takes minutes. JOBS sets how many run at a time.
set -euo pipefail
cd "$(dirname "$0")/.."

all=no
case ${1:-} in
  --all) all=yes; shift ;;
  -h | --help)
    sed -n '3,7s/^# //p' "$0"
    exit 0
    ;;
  -*)
    echo "tidy: unknown option $1; --help tells what there is" >&2
    exit 2
    ;;
esac

program=$(command -v clang-tidy-19 || command -v clang-tidy || true)
if [ -z "$program" ] || ! "$program" --version | grep -q 'version 19\.'; then
  echo "tidy: clang-tidy 19 is needed; on Debian 12: apt-get install clang-tidy-19" >&2
  exit 1
fi

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
files=("$@")
if [ $# -eq 0 ]; then
  # A source in this checkout, so that .clang-tidy is found from it.
  mkdir -p build/tidy
  find include -name '*.hpp' -printf '#include <%P>\n' | sort >build/tidy/headers.cpp
  files=(build/tidy/headers.cpp tests/package/consumer/main.cpp)
  if [ "$all" = yes ]; then
    files+=(tests/oracle/{bounds,filters,functions,maps,oracle,philox,stage}.cpp
      bench/step/*.cpp bench/step/chains/{long_chain,typical}.cpp
      examples/generate/{decode_loop,printer,recorder,row_text,summary}.cpp)
  fi
fi

export program logs
check() {
  local log=$logs/${1//\//_} flags=()
  # What the sources' own builds define.
  case $1 in
    bench/step/context.cpp) flags=('-DBENCH_COMPILER=""' '-DBENCH_FLAGS=""') ;;
    tests/package/report.cpp) flags=(-DREPORT=report) ;;
    tests/package/refusal.cpp) flags=(-fno-exceptions) ;;
  esac
  if "$program" --quiet "$1" -- -std=c++20 -ffp-contract=off -Iinclude -Itests -Ibench \
    -Iexamples/generate "${flags[@]}" >"$log" 2>&1; then
    rm "$log"
  else
    echo "tidy: $1 has findings"
    grep -v -E '^[0-9]+ (warning|error)s? (generated|treated)' "$log" >&2
  fi
}
export -f check
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "${JOBS:-$(nproc)}" bash -c 'check "$1"' check
if [ -n "$(ls "$logs")" ]; then
  echo "tidy: findings in $(find "$logs" -type f | wc -l) of ${#files[@]} files" >&2
  exit 1
fi
echo "tidy: ${#files[@]} files, no findings"
