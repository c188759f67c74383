#include "data/ranks/agreement.hpp"

#include <algorithm>
#include <numeric>

#include "data/ranks/rank_messages.hpp"

namespace geodescent {

std::vector<double> Agreement::gather(std::span<const double> ours) const {
  if (alone()) return {ours.begin(), ours.end()};
  return gather_all(*ranks_, ours);
}

bool Agreement::any(bool ours) const {
  return std::ranges::any_of(gather(ours ? 1 : 0), [](double of_one) { return of_one != 0; });
}

std::size_t Agreement::sum(std::size_t ours) const {
  const std::vector<double> of_all = gather(static_cast<double>(ours));
  return static_cast<std::size_t>(std::accumulate(of_all.begin(), of_all.end(), 0.0));
}

std::size_t Agreement::sum_before(std::size_t ours) const {
  const std::vector<double> of_all = gather(static_cast<double>(ours));
  return static_cast<std::size_t>(
      std::accumulate(of_all.begin(), of_all.begin() + static_cast<std::ptrdiff_t>(rank()), 0.0));
}

void Agreement::together(const std::function<void()>& work) const {
  if (alone()) return work();
  on_all_ranks(*ranks_, work, ErrorPlace::rank);
}

void Agreement::on_first(const std::function<void()>& work) const {
  if (alone()) return work();
  on_all_ranks(*ranks_, [&] {
    if (rank() == 0) work();
  });
}

}  // namespace geodescent
