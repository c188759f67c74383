// The targets of data with several classes: the numbers of the classes, as the joint losses take
// them, or one class against the rest. Internal to the library.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "data/ranks/rank_messages.hpp"
#include "data/ranks/shared_rows.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/error.hpp"

namespace geodescent {

/// More than two distinct numbers.
inline bool has_more_than_two_values(std::span<const double> y) {
  const auto other = std::ranges::find_if(y, [&](double target) { return target != y.front(); });
  return std::any_of(other, y.end(), [&](double target) { return target != y.front() && target != *other; });
}

/// More than two distinct targets. Far cheaper than counting them all.
inline bool has_more_than_two_classes(const Dataset& data) {
  if (!data.ranks) return has_more_than_two_values(data.targets);
  Vector distinct;  // at most three, of the rows here
  for (const double target : data.targets)
    if (distinct.size() < 3 && std::ranges::find(distinct, target) == distinct.end()) distinct.push_back(target);
  return has_more_than_two_values(gather_all(*data.ranks->ranks, distinct));
}

/// The same rows with targets 0, 1, ... instead of these labels, which increase. Shares the matrix.
/// Throws InputError for a row with another label.
inline Dataset numbered_by_class(const Dataset& data, const std::vector<ClassRows>& classes) {
  Dataset numbered = data;
  on_all_ranks(data, [&] {
    for (double& target : numbered.targets) {
      const auto found = std::ranges::lower_bound(classes, target, {}, &ClassRows::label);
      if (found == classes.end() || found->label != target)
        throw InputError(
            fmt::format("{}: the label {} is none of the {} classes of the model; give the data of the model",
                        data.name, target, classes.size()));
      target = static_cast<double>(found - classes.begin());
    }
  });
  return numbered;
}

/// The same rows with the target 1 for this label and -1 for all others. Shares the matrix.
inline Dataset against_rest(const Dataset& data, double label) {
  Dataset two = data;
  for (double& target : two.targets) target = target == label ? 1 : -1;
  return two;
}

}  // namespace geodescent
