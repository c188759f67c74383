// The report as a single page that loads nothing from the network.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace geodescent::lab {

/// `pictures` maps names of figures to their SVG and may be empty. `files` are the files written
/// beside the page, which it lists at its end.
std::string page_of(const Report& report, const std::map<std::string, std::string>& pictures,
                    const std::vector<std::string>& files);

}  // namespace geodescent::lab
