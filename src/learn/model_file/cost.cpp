#include "geodescent/learn/cost.hpp"

namespace geodescent {
namespace {

/// LIBLINEAR's loss as a multiple of ours.
double factor_of(std::string_view loss) { return loss == "squared-hinge" || loss == "squared" ? 2 : 1; }

}  // namespace

double l2_of_cost(std::string_view loss, double cost, double total_weight) {
  return 1 / (factor_of(loss) * cost * total_weight);
}

// The relation is its own inverse.
double cost_of_l2(std::string_view loss, double l2, double total_weight) { return l2_of_cost(loss, l2, total_weight); }

}  // namespace geodescent
