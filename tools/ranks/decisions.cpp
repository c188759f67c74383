#include "ranks/decisions.hpp"

#include <algorithm>
#include <vector>

#include "data/ranks/agreement.hpp"
#include "data/shares/share_reader.hpp"
#include "ranks/ranks.hpp"

namespace geodescent::cli {
namespace {

constexpr std::size_t rows_at_once = 8192;  // in a message

/// The rows of this rank as numbers: for each its target, its ignored entries and its decision
/// values.
class Decisions {
 public:
  explicit Decisions(const LinearModel& model) : model_(model), of_row_(model.outputs()) {}

  std::size_t size_of_row() const { return 3 + of_row_.size(); }

  void add(const RowChunk& chunk, std::uint32_t base) {
    std::vector<std::uint32_t> indices(chunk.shape().entries);
    Vector values(chunk.shape().entries);
    copy_indices(chunk, 0, indices.size(), base, indices.data());
    copy_values(chunk, 0, values.size(), values.data());
    std::size_t begin = 0;
    for (std::size_t i = 0; i < chunk.shape().rows; ++i) {
      const std::size_t count = chunk.lengths()[i];
      has_first_feature |= count > 0 && indices[begin] == 0;
      const Ignored ignored = decide(model_, std::span(indices).subspan(begin, count),
                                     std::span<const double>(values).subspan(begin, count), of_row_);
      numbers.insert(numbers.end(),
                     {chunk.targets()[i], static_cast<double>(ignored.entries), static_cast<double>(ignored.largest)});
      numbers.insert(numbers.end(), of_row_.begin(), of_row_.end());
      begin += count;
    }
  }

  /// Hands on rows that are such numbers.
  void pass(std::span<const double> rows, const DecisionFunction& row) const {
    for (; !rows.empty(); rows = rows.subspan(size_of_row()))
      row(rows[0], rows.subspan(3, of_row_.size()),
          {static_cast<std::size_t>(rows[1]), static_cast<std::uint32_t>(rows[2])});
  }

  std::vector<double> numbers;
  bool has_first_feature = false;

 private:
  const LinearModel& model_;
  Vector of_row_;
};

bool in_one_process(const std::string& path, const LibsvmOptions& options, const LinearModel& model,
                    const DecisionFunction& row) {
  Vector decisions(model.outputs());
  bool has_first_feature = false;
  for_each_row(path, options, [&](double target, auto indices, auto values) {
    has_first_feature |= !indices.empty() && indices[0] == 0;
    const Ignored ignored = decide(model, indices, values, decisions);
    row(target, decisions, ignored);
  });
  return has_first_feature;
}

}  // namespace

bool for_each_decision(const std::string& path, const LibsvmOptions& options, const LinearModel& model,
                       const DecisionFunction& row) {
  if (is_alone()) return in_one_process(path, options, model, row);
  Communicator& all = *ranks();
  const Agreement agreement(&all);
  const std::vector<DataFile> files = files_at({&path, 1}, agreement);
  const std::uint32_t base = options.index_base == IndexBase::zero ? 0 : 1;
  Decisions ours(model);
  read_share(files, options, agreement, [&](const RowChunk& chunk) { ours.add(chunk, base); });

  const std::vector<double> counts = agreement.gather(static_cast<double>(ours.numbers.size()));
  const std::size_t at_once = rows_at_once * ours.size_of_row();
  const auto for_pieces = [&](std::size_t count, const auto& body) {
    for (std::size_t begin = 0; begin < count; begin += at_once) body(begin, std::min(count, begin + at_once));
  };
  if (all.rank() > 0) {
    for_pieces(ours.numbers.size(), [&](std::size_t begin, std::size_t end) {
      all.send(std::span<const double>(ours.numbers).subspan(begin, end - begin), 0);
    });
  } else {
    ours.pass(ours.numbers, row);
    std::vector<double> piece;
    for (std::size_t r = 1; r < counts.size(); ++r)
      for_pieces(static_cast<std::size_t>(counts[r]), [&](std::size_t begin, std::size_t end) {
        piece.resize(end - begin);
        all.receive(piece, r);
        ours.pass(piece, row);
      });
  }
  return agreement.any(ours.has_first_feature);
}

}  // namespace geodescent::cli
