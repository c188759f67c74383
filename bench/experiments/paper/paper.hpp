// Section 4.1 of the paper: its data sets and its statements.
#pragma once

#include <string>
#include <vector>

#include "comparison/comparison.hpp"

namespace geodescent::lab {

/// The available sets of a folder, and the names of the missing ones.
struct Suite {
  std::vector<DataSource> sources;
  std::vector<std::string> missing;
};
Suite sets_in(const std::string& folder, const std::vector<std::string>& names);

/// Generated data with the shape of well-known sets, for use without the real ones. They have at
/// most `most_rows` rows and 2000 features, with as many entries per row as the real sets, so that
/// every minimum is proven quickly.
std::vector<DataSource> stand_ins(std::size_t most_rows = 1000);

/// The testable statements of sections 4 and 4.1, each judged by the measurements.
std::vector<Claim> paper_claims(const ExperimentOptions& options, const Results& results);

}  // namespace geodescent::lab
