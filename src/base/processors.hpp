// How many processors this process may use.
#pragma once

#include <istream>

namespace geodescent {

/// At least 1. Fewer than the machine has where the process is bound to some (taskset, a batch system), or where a
/// control group gives it so much time only (containers).
int available_processors();

/// What the file cpu.max of a control group allows, rounded up; 0: without limit, or not to be understood.
int processors_of_quota(std::istream& cpu_max);

}  // namespace geodescent
