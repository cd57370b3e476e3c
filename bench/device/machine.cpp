// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include <cuda_runtime_api.h>

#include "check.hpp"

namespace device_bench {

namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  // One that a runtime no longer tells is 0, and no error of the next call.
  if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return value;
}

/// A command was named that runs device programs without a device, or the kernel knows of none.
bool is_emulated() {
  const char* const runner = std::getenv("LOGITCHAIN_DEVICE_RUNNER");
  if (runner && *runner != '\0') return true;
  for (const char* driver : {"/dev/nvidiactl", "/dev/dxg", "/dev/nvmap"}) {
    if (access(driver, F_OK) == 0) return false;
  }
  return true;
}

std::string version_of(int number) {
  return std::to_string(number / 1000) + '.' + std::to_string(number % 1000 / 10);
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", value);
  return text;
}

}  // namespace

Machine this_machine(double bandwidth) {
  Machine machine;
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  machine.name = properties.name;
  machine.emulated = is_emulated();
  machine.cache_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize, device));
  // Kilohertz, bits, and two transfers in a cycle.
  const double clock = attribute(cudaDevAttrMemoryClockRate, device);
  const double width = attribute(cudaDevAttrGlobalMemoryBusWidth, device);
  machine.bandwidth = bandwidth > 0 ? bandwidth * 1e9 : 2 * clock * 1e3 * width / 8;

  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  auto& context = machine.context;
  context.emplace_back("device", machine.name);
  context.emplace_back("emulated", machine.emulated ? "yes" : "no");
  context.emplace_back("compute_capability",
                       std::to_string(properties.major) + '.' + std::to_string(properties.minor));
  context.emplace_back("multiprocessors", std::to_string(properties.multiProcessorCount));
  context.emplace_back("l2_bytes", std::to_string(machine.cache_bytes));
  context.emplace_back("peak_gigabytes_per_second", rounded(machine.bandwidth * 1e-9));
  context.emplace_back("peak_is", bandwidth > 0 ? "as given with --bandwidth"
                                  : machine.bandwidth > 0
                                      ? "memory clock " + rounded(clock * 1e-3) + " MHz x 2 x " +
                                            rounded(width) + " bit"
                                      : "not told by the device");
  context.emplace_back("cuda_driver", version_of(driver));
  context.emplace_back("cuda_runtime", version_of(runtime));
  return machine;
}

}  // namespace device_bench
