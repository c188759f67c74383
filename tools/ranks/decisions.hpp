// The decision values of all rows of a file, which ranks compute together.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "geodescent/data/libsvm.hpp"
#include "geodescent/learn/prediction.hpp"

namespace geodescent::cli {

using DecisionFunction = std::function<void(double target, std::span<const double> decisions, const Ignored& ignored)>;

/// Calls `row` for all rows in their order: on the first rank; with one process, as each row is
/// read. Other ranks keep the decision values of their share until the first one asks for them.
/// Returns whether a row has the first feature.
bool for_each_decision(const std::string& path, const LibsvmOptions& options, const LinearModel& model,
                       const DecisionFunction& row);

}  // namespace geodescent::cli
