#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

if [ $# -eq 0 ] || [ "$1" = -h ] || [ "$1" = --help ]; then
  cat <<'END'
tests/device.sh PROGRAM [arguments...]

Runs a program that needs a GPU: through the command in LOGITCHAIN_DEVICE_RUNNER where that is set,
else as it is where there is a GPU. Where there is neither it says so and ends with status 77.
END
  exit 0
fi
if [ -n "${LOGITCHAIN_DEVICE_RUNNER:-}" ]; then
  # Words of the runner: a command and its options.
  read -r -a runner <<<"$LOGITCHAIN_DEVICE_RUNNER"
  exec "${runner[@]}" "$@"
fi
if command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
  exec "$@"
fi
echo "skipped: LOGITCHAIN_DEVICE_RUNNER is not set, and there is no GPU"
exit 77
