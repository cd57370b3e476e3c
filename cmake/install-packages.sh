#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sees to it that Debian packages are installed. Prints what it does; does nothing where all are there.
#   cmake/install-packages.sh [--no-install] PACKAGE...
# --no-install only looks whether the programs of the named packages can be started; libraries are
# left to the build. Exit status: 0 all is there, 1 something is missing and was not installed.
set -euo pipefail

say() { echo "packages: $*"; }

# The program that shows a package to be there; nothing for a library, which the build looks for.
program_of() {
  case $1 in
    g++ | cmake | make | git | unzip | curl | ccache | pkg-config) echo "$1" ;;
    clang-format-19 | clang-tidy-19) echo "$1" ;;
    clang) echo clang++ ;;
    clang-19) echo clang++-19 ;;
    ninja-build) echo ninja ;;
    python3 | python3-venv) echo python3 ;;
  esac
}

install=yes
if [ "${1:-}" = --no-install ]; then
  install=no
  shift
fi
case ${1:-} in
  '' | -h | --help)
    sed -n '3,6s/^# //p' "$0"
    exit 0
    ;;
esac

if [ "$install" = no ]; then
  missing=()
  for package in "$@"; do
    program=$(program_of "$package")
    if [ -z "$program" ] || command -v "$program" >/dev/null; then continue; fi
    case $package in
      ccache | clang | clang-19 | git | pkg-config)
        say "$program is not here; what needs it is left out"
        ;;
      g++) command -v c++ >/dev/null || missing+=("a C++ compiler") ;;
      *) missing+=("$program") ;;
    esac
  done
  if [ ${#missing[@]} -gt 0 ]; then
    say "not here, and --no-install was given: ${missing[*]}"
    exit 1
  fi
  exit 0
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "this is no Debian; install what these packages hold, then use --no-install:"
  say "  $*"
  exit 1
fi

installed() {
  [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = "install ok installed" ]
}
missing=()
for package in "$@"; do
  installed "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  say "all $# are there"
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  say "missing: ${missing[*]}"
  say "run this first, or use --no-install:"
  say "  sudo apt-get install --no-install-recommends ${missing[*]}"
  exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# apt's own lines without the addresses it downloads from; all of them where it fails.
apt() {
  if ! DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" 2>&1 </dev/null |
    tee "$log" | { grep --line-buffered -E '^(Need to get|Setting up|E:|Err:)' || true; }; then
    tail -n 40 "$log"
    say "apt-get $* failed"
    exit 1
  fi
}
say "installing ${missing[*]}"
apt -q update
apt -q install -y --no-install-recommends "${missing[@]}"
say "installed ${#missing[@]}"
