// Tables as text: comma-separated, quoted as RFC 4180 says, one header line, lines ending in \n.
#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"

namespace geodescent::lab {

/// Numbers are the shortest that read back as the same double; not reached is inf, missing is empty.
std::string csv_of(const Table& table);
std::string csv_of(const std::vector<Claim>& claims);

}  // namespace geodescent::lab
