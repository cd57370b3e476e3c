#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formats the sources with clang-format 19 and .clang-format.
#   cmake/format.sh [--check] [FILE...]
# --check changes nothing and fails where something would change. Without files: all of them.
set -euo pipefail
cd "$(dirname "$0")/.."

arguments=(-i)
case ${1:-} in
  -h | --help)
    sed -n '3,5s/^# //p' "$0"
    exit 0
    ;;
  --check)
    arguments=(--dry-run --Werror)
    shift
    ;;
esac

program=$(command -v clang-format-19 || command -v clang-format || true)
if [ -z "$program" ] || ! "$program" --version | grep -q 'version 19\.'; then
  echo "format: clang-format 19 is needed; on Debian 12: apt-get install clang-format-19" >&2
  exit 1
fi
if [ $# -gt 0 ]; then
  files=("$@")
else
  # What git lists may have been deleted since.
  mapfile -t files < <(git ls-files --cached --others --exclude-standard -- \
    '*.hpp' '*.cpp' '*.cuh' '*.cu' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done)
fi
"$program" "${arguments[@]}" "${files[@]}"
echo "format: ${#files[@]} files"
