# SPDX-License-Identifier: Apache-2.0
# Shell functions of the example scripts: messages, and long commands that are never silent.
# To be sourced by bash; everything goes to standard error.

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# Runs a command with its output in a log file, and says every few seconds how far it is.
#   run_logged LABEL LOG MEASURE COMMAND...
# MEASURE LOG prints how far it is; `:` where nothing can be said. When the command fails, the end
# of its log is shown. Bash makes commands in the background deaf to an interrupt, so one that
# arrives here is passed on.
run_logged() {
  local label=$1 log=$2 measure=$3 began=$SECONDS told=$SECONDS status=0 pid how_far
  shift 3
  say "$label ..."
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  trap 'kill "$pid" 2>/dev/null || true; wait "$pid" || true; die "interrupted: $label"' \
    INT TERM HUP
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.2
    if [ $((SECONDS - told)) -ge 5 ]; then
      told=$SECONDS
      how_far=$($measure "$log") || how_far=''
      say "  $label: $((SECONDS - began)) s${how_far:+, $how_far}"
    fi
  done
  wait "$pid" || status=$?
  trap - INT TERM HUP
  if [ "$status" != 0 ]; then
    tail -n 40 "$log" >&2
    die "$label failed with status $status; the whole output is in $log"
  fi
  say "  $label: done in $((SECONDS - began)) s"
}

# Progress of a ninja build, from its log: the last "[12/140]".
ninja_steps() { sed -nE 's/^\[([0-9]+)\/([0-9]+)\].*/\1 of \2 steps/p' "$1" | tail -n 1; }

# Progress of a download or an unpacking: the size of the folder that its log lies in.
megabytes_beside() { du -sm "$(dirname "$1")" 2>/dev/null | sed -E 's/^([0-9]+).*/\1 MB on disk/'; }
