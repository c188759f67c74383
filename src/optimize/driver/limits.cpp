#include "optimize/driver/limits.hpp"

namespace geodescent {

void Limits::ask(const Progress& progress) {
  constexpr unsigned stop = 1, late = 2;
  const unsigned here = (observer_ && !observer_(progress) ? stop : 0) | (seconds() >= options_.max_seconds ? late : 0);
  const unsigned anywhere = f_.on_any_rank(here);
  stopped_ = (anywhere & stop) != 0;
  time_is_up_ = (anywhere & late) != 0;
}

std::optional<Status> Limits::reached(std::uint64_t iterations) const {
  if (iterations >= options_.max_iterations) return Status::iteration_limit;
  if (time_is_up_) return Status::time_limit;
  return std::nullopt;
}

}  // namespace geodescent
