// The strength of the regularisation in LIBLINEAR's terms.
#pragma once

#include <string_view>

namespace geodescent {

/// LIBLINEAR minimises 1/2 |w|^2 + C sum_i c_i loss_i with losses k times ours
/// (LiblinearMeaning::factor). So l2 = 1 / (k C W), with W the total weight of the rows. Throws
/// std::invalid_argument for an unknown loss.
double l2_from_c(std::string_view loss, double c, double total_weight);
/// The inverse of l2_from_c().
double c_from_l2(std::string_view loss, double l2, double total_weight);

}  // namespace geodescent
