// The report as one page: everything is inside, nothing is fetched.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace geodescent::lab {

/// `pictures`: the printed figures, SVG by the name of the figure; may be empty. `files`: what is written beside the
/// page, for its last lines.
std::string page_of(const Report& report, const std::map<std::string, std::string>& pictures,
                    const std::vector<std::string>& files);

}  // namespace geodescent::lab
