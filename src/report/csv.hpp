// Tables as CSV text: quoted by RFC 4180, one header line, lines that end in \n.
#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"

namespace geodescent::lab {

/// Numbers have the fewest digits that give the same double. "Not reached" is inf, a missing value
/// is empty.
std::string csv_of(const Table& table);
std::string csv_of(const std::vector<Claim>& claims);

}  // namespace geodescent::lab
