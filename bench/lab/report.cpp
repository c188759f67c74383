#include "lab/report.hpp"

namespace geodescent::lab {

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::holds_in_part:
      return "holds in part";
    case Verdict::does_not_hold:
      return "does not hold";
    case Verdict::not_measured:
      return "not measured";
  }
  return "unknown";
}

}  // namespace geodescent::lab
