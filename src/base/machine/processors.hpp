// The number of processors that this process may use.
#pragma once

#include <istream>

namespace geodescent {

/// At least 1. Less than the processors of the machine if the process is bound to some of them
/// (taskset, batch systems) or if a control group limits its processor time (containers).
int available_processors();

/// The processors that the file cpu.max of a control group allows, rounded up; 0 if there is no
/// limit or the text is malformed.
int processors_of_quota(std::istream& cpu_max);

}  // namespace geodescent
