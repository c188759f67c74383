// The constant parts of the report page: the files of page/ and Chart.js, embedded at build time
// (embed.cmake).
#pragma once

#include <string_view>

namespace geodescent::lab {

std::string_view page_html();
std::string_view page_css();
std::string_view page_js();
std::string_view chart_js();

}  // namespace geodescent::lab
