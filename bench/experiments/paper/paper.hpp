// Section 4.1 of the paper: its data sets, and what it says about them.
#pragma once

#include <string>
#include <vector>

#include "comparison/comparison.hpp"

namespace geodescent::lab {

/// The sets that are in a folder, and the names of those that are not.
struct Suite {
  std::vector<DataSource> sources;
  std::vector<std::string> missing;
};
Suite sets_in(const std::string& folder, const std::vector<std::string>& names);

/// Generated data like well-known sets, for those who have none of the real ones: cut to at most `most_rows` rows and
/// 2000 features, with as many entries in a row as the real ones have, so that every minimum is soon proven.
std::vector<DataSource> stand_ins(std::size_t most_rows = 1000);

/// The statements of section 4 and 4.1 that can be checked, each judged by what was measured.
std::vector<Claim> paper_claims(const ExperimentOptions& options, const Results& results);

}  // namespace geodescent::lab
