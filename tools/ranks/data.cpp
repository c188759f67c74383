#include "ranks/data.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/counted.hpp"
#include "data/memory_statement.hpp"
#include "data/ranks/agreement.hpp"
#include "geodescent/ranks.hpp"
#include "ranks/ranks.hpp"

namespace geodescent::cli {

Dataset read_dataset_of_ranks(const std::vector<std::string>& paths, const DatasetOptions& options) {
  Dataset data = read_dataset(paths, options, ranks().get());
  return is_alone() ? data : on_ranks(data, ranks());
}

TrafficMeter::TrafficMeter() {
  if (is_alone()) return;
  rounds_ = ranks()->traffic().rounds;
  bytes_ = ranks()->traffic().bytes;
}

std::optional<RanksTraffic> TrafficMeter::traffic(std::string left_out) const {
  if (is_alone()) return std::nullopt;
  const Traffic& now = ranks()->traffic();
  const std::uint64_t rounds = now.rounds - rounds_, bytes = now.bytes - bytes_;
  return RanksTraffic{rank_count(), rounds, Agreement(ranks().get()).sum(bytes), std::move(left_out)};
}

std::string text_of(const RanksTraffic& t) {
  const std::string left_out = t.left_out.empty() ? ""
                               : t.left_out == "dual"
                                   ? "; dual epochs are left out, as they need all rows in one process"
                                   : fmt::format("; {} is left out, as it is not for these data on ranks", t.left_out);
  return fmt::format("{}, which exchanged {} in {}{}", counted(t.ranks, "rank"),
                     size_text(static_cast<double>(t.bytes)), counted(t.rounds, "round"), left_out);
}

nlohmann::ordered_json json_of(const RanksTraffic& t) {
  return {{"count", t.ranks},
          {"rounds", t.rounds},
          {"bytes", t.bytes},
          {"left_out", t.left_out.empty() ? nlohmann::ordered_json::array() : nlohmann::ordered_json{t.left_out}}};
}

}  // namespace geodescent::cli
