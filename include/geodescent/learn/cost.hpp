// The strength of the regularisation in LIBLINEAR's terms.
#pragma once

#include <string_view>

namespace geodescent {

/// LIBLINEAR minimises 1/2 |w|^2 + C sum_i c_i loss_i, and its squared losses have no factor 1/2 as ours have. So
/// l2 = 1 / (C W), or 1 / (2 C W) for the squared losses (squared-hinge, squared), with W the total weight of the rows.
[[nodiscard]] double l2_of_cost(std::string_view loss, double cost, double total_weight);
[[nodiscard]] double cost_of_l2(std::string_view loss, double l2, double total_weight);

}  // namespace geodescent
