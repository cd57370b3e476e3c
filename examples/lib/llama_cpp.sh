# SPDX-License-Identifier: Apache-2.0
# Shell functions that bring llama.cpp, whose sources come with PyPI's llama-cpp-python, and build
# it once per checkout. To be sourced by bash after progress.sh and python_packages.sh.

llama_version=0.3.36
llama_file=llama_cpp_python-$llama_version.tar.gz
llama_sha256=832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e

# What llama.cpp is built with. Native code traps on some virtual machines, so the instruction
# sets are named, as far as this processor has them.
llama_options() {
  printf '%s\n' -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_INSTALL_LIBDIR=lib \
    -DLLAMA_BUILD_COMMON=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_TOOLS=OFF \
    -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_APP=OFF -DLLAMA_OPENSSL=OFF \
    "-DLLAMA_BUILD_COMMIT=$llama_version" -DLLAMA_BUILD_NUMBER=0 \
    -DGGML_NATIVE=OFF -DGGML_OPENMP=ON -DGGML_LLAMAFILE=OFF
  case $(uname -m) in
    x86_64)
      local flag
      for flag in avx avx2 fma f16c bmi2; do
        if grep -qw "$flag" /proc/cpuinfo; then
          echo "-DGGML_${flag^^}=ON"
        else
          echo "-DGGML_${flag^^}=OFF"
        fi
      done ;;
  esac
}

# The package's file in $1/downloads.
fetch_llama() {
  fetch_package "$1/venv" "$1/downloads" "$llama_file" $llama_sha256 \
    "llama-cpp-python==$llama_version" --no-binary=llama-cpp-python
}

# Unpacks parts of llama.cpp into a folder:  unpack_llama CACHE FOLDER PART...
unpack_llama() {
  local cache=$1 folder=$2
  shift 2
  mkdir -p "$folder"
  run_logged 'unpacking llama.cpp' "$folder.log" : \
    tar -xzf "$cache/downloads/$llama_file" -C "$folder" --strip-components=3 \
    "${@/#/llama_cpp_python-$llama_version/vendor/llama.cpp/}"
}

# llama.cpp, installed in $1/llama; its file `built` says from what, and is written last.
build_llama() {
  local cache=$1 options recipe source=$1/llama-source built=$1/llama-build
  mapfile -t options < <(llama_options)
  recipe="$llama_version $(g++ --version | head -n 1) ${options[*]}"
  [ "$(cat "$cache/llama/built" 2>/dev/null)" = "$recipe" ] && return
  fetch_llama "$cache"
  rm -rf "$cache/llama"
  # An interrupted build goes on where it was, unless it was another one.
  if [ "$(cat "$built/recipe" 2>/dev/null)" != "$source $recipe" ]; then
    rm -rf "$source" "$built"
    mkdir -p "$built"
    unpack_llama "$cache" "$source" CMakeLists.txt LICENSE cmake ggml include licenses src vendor
    printf '%s' "$source $recipe" >"$built/recipe"
  fi
  run_logged 'configuring llama.cpp' "$cache/configure-llama.log" : \
    cmake -G Ninja -S "$source" -B "$built" "-DCMAKE_INSTALL_PREFIX=$cache/llama" "${options[@]}"
  run_logged 'building llama.cpp (minutes, once)' "$cache/build-llama.log" \
    ninja_steps ninja -C "$built" ${CMAKE_BUILD_PARALLEL_LEVEL:+-j "$CMAKE_BUILD_PARALLEL_LEVEL"}
  run_logged 'installing llama.cpp' "$cache/install-llama.log" : cmake --install "$built"
  printf '%s' "$recipe" >"$cache/llama/built"
  rm -rf "$source" "$built"
}
