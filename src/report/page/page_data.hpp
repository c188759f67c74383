// The data of the page's scripts: the report, with styles, ranges and tics.
#pragma once

#include <map>
#include <string>

#include "report/json.hpp"
#include "report/report.hpp"

namespace geodescent::lab {

Json page_data(const Report& report, const std::map<std::string, std::string>& pictures);

}  // namespace geodescent::lab
