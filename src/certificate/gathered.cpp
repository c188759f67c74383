// The dual points of all rows, for a file.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "certificate/certificate_header.hpp"
#include "certificate/rows/all_rows.hpp"
#include "data/ranks/shared_rows.hpp"

namespace geodescent {
namespace {

constexpr std::size_t values_at_once = 1 << 16;

/// Steps are at most 2^53, so that doubles have them exactly.
void send(Communicator& ranks, std::span<const std::int64_t> steps) {
  for (; !steps.empty(); steps = steps.subspan(std::min(values_at_once, steps.size()))) {
    const auto now = steps.first(std::min(values_at_once, steps.size()));
    ranks.send(std::vector<double>(now.begin(), now.end()), 0);
  }
}

void receive(Communicator& ranks, std::size_t from, std::size_t count, std::vector<std::int64_t>& steps) {
  std::vector<double> piece;
  for (; count > 0; count -= piece.size()) {
    piece.resize(std::min(values_at_once, count));
    ranks.receive(piece, from);
    for (const double step : piece) steps.push_back(static_cast<std::int64_t>(step));
  }
}

}  // namespace

Certificate gathered(const Dataset& data, Certificate certificate) {
  const proof::AllRows rows(data);
  if (rows.alone()) return certificate;
  Communicator& ranks = rows.ranks();
  for (DualPoint* const point : dual_points(certificate)) {
    const std::size_t per_row = dual_values(certificate) / rows.size();
    const auto share = rows.local(std::span<const std::int64_t>(point->steps), per_row)
                           .subspan(rows.share().begin * per_row, rows.share().size() * per_row);
    if (ranks.rank() > 0) {
      send(ranks, share);
      continue;
    }
    std::vector<std::int64_t> steps(share.begin(), share.end());
    steps.reserve(rows.size() * per_row);
    for (std::size_t r = 1; r < ranks.ranks(); ++r) receive(ranks, r, data.ranks->shares[r].size() * per_row, steps);
    point->steps = std::move(steps);
  }
  return certificate;
}

}  // namespace geodescent
