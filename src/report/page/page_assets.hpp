// The parts of the report page that are the same for every report: the files in page/ and Chart.js, taken into the
// library when it is built (embed.cmake).
#pragma once

#include <string_view>

namespace geodescent::lab {

std::string_view page_html();
std::string_view page_css();
std::string_view page_js();
std::string_view chart_js();

}  // namespace geodescent::lab
