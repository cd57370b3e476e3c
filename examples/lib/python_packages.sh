# SPDX-License-Identifier: Apache-2.0
# Shell functions that bring files of Python packages through pip, as pip is configured here.
# To be sourced by bash after progress.sh.

# A virtual environment at $1, made anew if an earlier run did not finish it.
make_venv() {
  local venv=$1 python
  [ -e "$venv/finished" ] && "$venv/bin/python" -m pip --version >/dev/null 2>&1 && return
  for python in python3 /usr/bin/python3; do
    rm -rf "$venv"
    if "$python" -m venv "$venv" >"$venv.log" 2>&1; then
      touch "$venv/finished"
      return
    fi
  done
  cat "$venv.log" >&2
  die "cannot make a Python virtual environment (Debian package python3-venv)"
}

# Puts the file of a package into a folder, once: it is there whole and checked, or not at all.
#   fetch_package VENV FOLDER FILE SHA256 REQUIREMENT PIP_OPTION...
fetch_package() {
  local venv=$1 folder=$2 file=$3 sha256=$4 requirement=$5 part
  shift 5
  [ -e "$folder/$file" ] && return
  make_venv "$venv"
  mkdir -p "$folder"
  part=$folder/part
  rm -rf "$part"
  mkdir -p "$part"
  printf '%s --hash=sha256:%s\n' "$requirement" "$sha256" >"$part/requirements.txt"
  # pip refuses a file with another hash before it reads anything in it.
  TMPDIR=$part run_logged "downloading $requirement" "$part/pip.log" megabytes_beside \
    "$venv/bin/python" -m pip download --no-cache-dir --disable-pip-version-check --no-deps \
    --require-hashes --requirement "$part/requirements.txt" --dest "$part/files" "$@"
  [ -e "$part/files/$file" ] || die "pip did not bring $file; see $part/pip.log"
  mv "$part/files/$file" "$folder/$file"
  rm -rf "$part"
}
