# SPDX-License-Identifier: Apache-2.0
# Gives SCRIPT machines of several kinds, whose nvidia-smi is a script, and looks at the commands
# that it would run on each.
#   cmake -DSCRIPT=tests/gpu.sh -DNVCC=nvcc -DWORK=/tmp/gpu_script -P gpu_script.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${WORK}")
function(write_program name text)
  file(WRITE "${WORK}/${name}" "#!/bin/sh\n${text}\n")
  file(CHMOD "${WORK}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()
write_program(compute-sanitizer "echo --check-api-memory-access")
set(ENV{PATH} "${WORK}:$ENV{PATH}")
set(ENV{CUDACXX} "${NVCC}")
unset(ENV{LOGITCHAIN_DEVICE_RUNNER})

# expect(STATUS PATTERN... [ARGUMENTS argument...]): what the script ends with and prints.
function(expect status)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "ARGUMENTS")
  execute_process(
    COMMAND "${SCRIPT}" --dry-run ${given_ARGUMENTS}
    WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT result EQUAL status)
    message(FATAL_ERROR "${output}\nended with ${result}, and was to with ${status}")
  endif()
  foreach(pattern IN LISTS given_UNPARSED_ARGUMENTS)
    if(NOT output MATCHES "${pattern}")
      message(FATAL_ERROR "${output}\nwithout '${pattern}'")
    endif()
  endforeach()
  set(output "${output}" PARENT_SCOPE)
endfunction()

write_program(nvidia-smi "exit 9")
expect(77 "skipped: no GPU")
write_program(nvidia-smi "echo '7.5, Tesla T4, 580.65.06'")
expect(77 "skipped: compute capability 8.0 or newer is needed; the GPU is 7.5")

write_program(nvidia-smi "echo '9.0, NVIDIA H200, 580.65.06'")
expect(0 "CUDA_ARCHITECTURE=90 " "ALL_CHAINS=OFF" "--target device_tests" "ctest [^\n]*-L")
foreach(tool memcheck racecheck initcheck synccheck)
  foreach(test rows graph engines_checked edges)
    if(NOT output MATCHES "--tool ${tool} [^\n]*/cuda_${test} ")
      message(FATAL_ERROR "${output}\nwithout ${tool} of ${test}")
    endif()
  endforeach()
endforeach()
if(NOT output MATCHES "ctest [^\n]*-LE \\^emulated")
  message(FATAL_ERROR "${output}\nwith tests of devices that are not here")
endif()
# A folder is one of where the script is called.
expect(0 "-B ${WORK}/below " ARGUMENTS --build below --no-sanitizer)
expect(0 "ALL_CHAINS=ON" "-B /elsewhere " ARGUMENTS --all-chains --build /elsewhere --no-sanitizer)
if(output MATCHES "--tool")
  message(FATAL_ERROR "${output}\nwith --no-sanitizer")
endif()

# A slice of a GPU, which nvidia-smi does not find by its name.
set(ENV{CUDA_VISIBLE_DEVICES} "MIG-1,MIG-2")
set(unknown "case \"$*\" in *-i*) exit 6 ;; esac")
write_program(nvidia-smi "${unknown}\necho '9.0, NVIDIA H200, 1'\necho '9.0, NVIDIA H200, 1'")
expect(0 "CUDA_ARCHITECTURE=90 " "capability 9.0, [^\n]*CUDA_VISIBLE_DEVICES=MIG-1\n")
write_program(nvidia-smi "${unknown}\necho '9.0, NVIDIA H200, 1'\necho '8.0, NVIDIA A100, 1'")
expect(2 "does not tell what CUDA_VISIBLE_DEVICES=MIG-1 is, and the GPUs here differ")
write_program(nvidia-smi "exit 9")
expect(77 "skipped: no GPU")
unset(ENV{CUDA_VISIBLE_DEVICES})

# A device that the compiler does not know yet, and what stands in for one.
write_program(nvidia-smi "echo '99.0, A later one, 999.1'")
expect(0 "does not know sm_990" "CUDA_ARCHITECTURE=90-virtual ")
set(ENV{LOGITCHAIN_DEVICE_RUNNER} "${WORK}/runner")
expect(0 "CUDA_ARCHITECTURE=90-virtual ")
if(output MATCHES "--tool")
  message(FATAL_ERROR "${output}\nwith a runner in place of a GPU")
endif()
