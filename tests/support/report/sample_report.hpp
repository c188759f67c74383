// A report with every feature of a report, and with text that attempts code injection.
#pragma once

#include <string>

#include "report/report.hpp"

namespace geodescent::lab {

/// Without escaping it would run in the page, end a quoted string of a script or a CSV cell, or be
/// taken as markup.
inline const std::string hostile =
    "</script><script>alert(1)</script> \"quoted\", it's \\n `date` %d {a_b^2} <b>η</b> &amp;";

Report sample_report();

}  // namespace geodescent::lab
