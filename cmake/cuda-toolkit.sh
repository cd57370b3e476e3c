#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

if [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
  cat <<'END'
cmake/cuda-toolkit.sh

Prints the path of a CUDA 13 compiler: the one in CUDACXX, the one on the path, the one in
/usr/local/cuda, or else one from PyPI's packages, which it puts into build/cuda-toolkit (300 MB).
END
  exit 0
fi

# Device code of this library is for nvcc 13.0 or newer.
is_new_enough() {
  local release
  release=$("$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
  [ -n "$release" ] && [ "$release" -ge 13 ]
}
for found in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
  if [ -n "$found" ] && [ -x "$found" ] && is_new_enough "$found"; then
    readlink -f "$found"
    exit 0
  fi
done

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
home=$root/build/cuda-toolkit
if [ ! -e "$home/complete" ]; then
  echo "no nvcc 13 here: it is fetched from PyPI into build/cuda-toolkit" >&2
  rm -rf "$home"
  python3 -m venv "$home"
  "$home/bin/pip" install --quiet --disable-pip-version-check nvidia-cuda-nvcc==13.0.88 \
    nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96 \
    nvidia-cuda-cccl==13.0.85 >&2
  toolkit=$(echo "$home"/lib/python3*/site-packages/nvidia/cu13)
  # What a toolkit's installer would have made.
  ln -s libcudart.so.13 "$toolkit/lib/libcudart.so"
  ln -s lib "$toolkit/lib64"
  touch "$home/complete"
fi
echo "$home"/lib/python3*/site-packages/nvidia/cu13/bin/nvcc
