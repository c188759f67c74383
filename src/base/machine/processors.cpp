#include "base/machine/processors.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace geodescent {

int processors_of_quota(std::istream& cpu_max) {
  // Either "200000 100000", processor time and period in microseconds, or "max 100000".
  double quota = 0, period = 0;
  if (!(cpu_max >> quota >> period) || !(quota > 0) || !(period > 0)) return 0;
  return static_cast<int>(std::clamp(std::ceil(quota / period), 1.0, 1e6));
}

int available_processors() {
  int count = static_cast<int>(std::thread::hardware_concurrency());
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
  std::ifstream cpu_max("/sys/fs/cgroup/cpu.max");
  if (const int quota = processors_of_quota(cpu_max)) count = std::min(count, quota);
#endif
  return std::max(count, 1);
}

}  // namespace geodescent
