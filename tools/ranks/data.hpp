// Data of all ranks, and what its ranks exchange.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "geodescent/data/libsvm.hpp"

namespace geodescent::cli {

/// read_dataset(), on the ranks that there are.
Dataset read_dataset_of_ranks(const std::vector<std::string>& paths, const DatasetOptions& options);

/// What ranks have exchanged.
struct RanksTraffic {
  std::size_t ranks = 1;
  std::uint64_t rounds = 0;
  std::uint64_t bytes = 0;    ///< received by all ranks together
  std::string left_out = {};  ///< the search that one process might have used, and these ranks have not
};

/// Counts from its construction on.
class TrafficMeter {
 public:
  TrafficMeter();
  /// Empty for one process. All ranks call it.
  std::optional<RanksTraffic> traffic(std::string left_out) const;

 private:
  std::uint64_t rounds_ = 0, bytes_ = 0;
};

std::string text_of(const RanksTraffic& traffic);
nlohmann::ordered_json json_of(const RanksTraffic& traffic);

}  // namespace geodescent::cli
