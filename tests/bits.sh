#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same bits under many compilers and flags; ctest runs some of them (-R '^bits/').
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

help() {
  cat <<'END'
tests/bits.sh [--whole] [--update] [--no-install] [COMPILER...]

Compiles the programs of tests/bits with each compiler (g++, clang++ and a newer clang++-NN, as far
as they are here) at -O0 to -O3, for the baseline, x86-64-v3 and this processor, with and without
contraction, and compares the digests of what they compute with tests/bits/expected.txt.

  --whole       exp and log of every float, in place of one in 127; -O2 and -O3 only
  --update      writes expected.txt anew, with the first compiler; for a change of results, which
                the changelog has to name
  --no-install  does not install g++ and clang where they are missing

JOBS sets how many run at a time (default: the number of processors). Exit status: 0 all equal, 1
not, 2 nothing was compared.
END
}

whole='' update='' install=''
compilers=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help)
      help
      exit 0
      ;;
    --whole) whole=yes ;;
    --update) update=yes ;;
    --no-install) install=--no-install ;;
    -*)
      echo "bits.sh: unknown option $1; --help tells those that there are" >&2
      exit 2
      ;;
    *) compilers+=("$1") ;;
  esac
  shift
done
cmake/install-packages.sh $install g++ clang cmake
if [ ${#compilers[@]} -eq 0 ]; then
  for compiler in g++ clang++ clang++-16 clang++-17 clang++-18 clang++-19 clang++-20; do
    if command -v "$compiler" >/dev/null; then compilers+=("$compiler"); fi
  done
fi
for compiler in "${compilers[@]}"; do
  command -v "$compiler" >/dev/null || {
    echo "bits.sh: $compiler: no such compiler" >&2
    exit 2
  }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check NUMBER PROGRAM COMPILER FLAGS [-DNAME=VALUE...]: one line, and the reason where it fails.
check() {
  local number=$1 program=$2 compiler=$3 flags=$4 log=$work/$1.log
  shift 4
  if cmake -DCOMPILER="$compiler" -DFLAGS="${flags// /|}" -DPROGRAM="$program" \
    -DWORK="$work/$number" "$@" -P tests/bits/check.cmake >"$log" 2>&1; then
    echo "$program, $compiler $flags: $(head -n 1 "$log")"
  else
    echo "FAILED: $program, $compiler $flags"
    cat "$log"
    return 1
  fi
}

if [ -n "$update" ]; then
  printf '# arithmetic\n# arithmetic --whole\n# chains\n' >tests/bits/expected.txt
  check 1 arithmetic "${compilers[0]}" "-O2 -ffp-contract=off" -DUPDATE=1
  check 2 chains "${compilers[0]}" "-O2 -ffp-contract=off" -DUPDATE=1
  check 3 arithmetic "${compilers[0]}" "-O2 -ffp-contract=off" -DWHOLE=1 -DUPDATE=1
  exit 0
fi

levels=(-O0 -O1 -O2 -O3)
programs=(arithmetic chains)
options=()
if [ -n "$whole" ]; then
  levels=(-O2 -O3)
  programs=(arithmetic)
  options=(-DWHOLE=1)
fi
others=(-ffp-contract=off -ffp-contract=fast -frounding-math '-fno-trapping-math -fno-math-errno')
jobs=${JOBS:-$(nproc)}
count=0 running=0 failed=0
one_ends() {
  wait -n || failed=$((failed + 1))
  running=$((running - 1))
}
for program in "${programs[@]}"; do
  for compiler in "${compilers[@]}"; do
    for level in "${levels[@]}"; do
      for machine in '' ' -march=x86-64-v3' ' -march=native'; do
        for other in "${others[@]}"; do
          # Fewer builds of the program that takes long.
          if [ "$program" = chains ]; then
            if [ "$level" = -O1 ] || [ "$other" != -ffp-contract=fast ]; then continue; fi
          fi
          if [ -n "$whole" ] && [[ $other != *contract* ]]; then continue; fi
          count=$((count + 1))
          [ "$running" -lt "$jobs" ] || one_ends
          check "$count" "$program" "$compiler" "$level$machine $other" "${options[@]}" &
          running=$((running + 1))
        done
      done
    done
  done
done
while [ "$running" -gt 0 ]; do one_ends; done
echo "$((count - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
