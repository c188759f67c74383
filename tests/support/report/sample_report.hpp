// A report with everything a report can hold, and with text that tries to break out of it.
#pragma once

#include <string>

#include "report/report.hpp"

namespace geodescent::lab {

/// Would run in the page, end a quoted string of a script or a CSV cell, or be taken for markup, if it were not
/// escaped.
inline const std::string hostile =
    "</script><script>alert(1)</script> \"quoted\", it's \\n `date` %d {a_b^2} <b>η</b> &amp;";

Report sample_report();

}  // namespace geodescent::lab
