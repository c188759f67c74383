#include "data/assemble/chosen_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "geodescent/error.hpp"

namespace geodescent {
namespace {

/// Entries of a chunk made from a matrix: about as many as a chunk of text has.
constexpr std::size_t usual_entries = std::size_t{1} << 16;

/// Clears the buffer and allocates room for this many entries and at least as many rows. RowBuffer
/// counts bytes of text.
void make_room_for(std::size_t entries, RowBuffer& buffer) { buffer.make_room(4 * entries); }

/// Copies the chosen rows of a chunk into a buffer.
class Chooser {
 public:
  Chooser(std::optional<std::uint32_t> weight_column, std::span<const ClassWeight> of_classes, const std::string& name,
          bool zero_based, Vector& weights, std::size_t first_row)
      : weight_column_(weight_column),
        of_classes_(of_classes),
        name_(name),
        base_(zero_based ? 0 : 1),
        weights_(weights),
        first_row_(first_row) {}

  void choose(const RowChunk& chunk, RowBuffer& to) {
    const std::size_t entries = chunk.shape().entries;
    indices_.resize(entries);
    values_.resize(entries);
    copy_indices(chunk, 0, entries, 0, indices_.data());
    copy_values(chunk, 0, entries, values_.data());
    make_room_for(entries + chunk.shape().rows, to);
    std::size_t begin = 0;
    for (std::size_t r = 0; r < chunk.shape().rows; ++r) {
      const std::size_t end = begin + chunk.lengths()[r];
      choose(chunk.targets()[r], begin, end, to);
      begin = end;
    }
  }

  /// Called after the last row: only the weights of the kept rows remain.
  void finish() { weights_.resize(kept_); }

 private:
  void choose(double target, std::size_t begin, std::size_t end, RowBuffer& to) {
    double weight = weights_[row_++], in_column = 0;  // 0 if the row has no entry in the column
    std::size_t count = 0;
    for (std::size_t k = begin; k < end; ++k) {
      if (weight_column_ && indices_[k] - base_ == *weight_column_) {
        in_column = values_[k];
      } else if (values_[k] != 0) {
        to.next_index()[count] = indices_[k];
        to.next_value()[count++] = values_[k];
      }
    }
    if (weight_column_) {
      if (!is_weight(in_column)) refuse_weight(in_column, fmt::format("{}: row {}", name_, first_row_ + row_));
      weight *= in_column;
    }
    weight *= weight_of_class(target, of_classes_);
    if (weight == 0) return;
    to.add_row(target, count);
    weights_[kept_++] = weight;
  }

  std::optional<std::uint32_t> weight_column_;
  std::span<const ClassWeight> of_classes_;
  const std::string& name_;
  std::uint32_t base_;
  Vector& weights_;  // weights of the kept rows, then of the rows that are still to come
  std::size_t first_row_;
  std::size_t row_ = 0, kept_ = 0;
  std::vector<std::uint32_t> indices_;
  Vector values_;
};

}  // namespace

bool is_weight(double weight) { return weight >= 0 && std::isfinite(weight); }

void refuse_weight(double weight, const std::string& place) {
  throw InputError(fmt::format("{}: {} is not a weight; weights are finite and not negative", place, weight));
}

double weight_of_class(double label, std::span<const ClassWeight> of_classes) {
  for (const ClassWeight& one : of_classes)
    if (one.label == label) return one.weight;
  return 1;
}

ChunkedRows chosen_rows(ChunkedRows rows, std::optional<std::uint32_t> weight_column,
                        std::span<const ClassWeight> of_classes, const std::string& name, Vector& weights,
                        std::size_t first_row) {
  ChunkedRows chosen;
  chosen.columns = rows.columns;
  chosen.zero_based = rows.zero_based;
  chosen.dense = rows.dense;
  Chooser chooser(weight_column, of_classes, name, rows.zero_based, weights, first_row);
  RowBuffer buffer;
  BlockSupply memory;
  for (RowChunk& next : rows.chunks) {
    chooser.choose(std::exchange(next, {}), buffer);
    if (buffer.rows() > 0) chosen.add(RowChunk(buffer, memory));
  }
  chooser.finish();
  return chosen;
}

ChunkedRows chunks_of(const Dataset& data) {
  ChunkedRows result;
  result.columns = data.rows->columns();
  result.zero_based = data.zero_based;
  RowBuffer buffer;
  BlockSupply memory;
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  make_room_for(usual_entries + data.rows->longest_row(), buffer);
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    data.rows->copy_row(i, indices, values);
    if (!data.zero_based)
      for (std::uint32_t& index : indices) ++index;
    std::copy(indices.begin(), indices.end(), buffer.next_index());
    std::copy(values.begin(), values.end(), buffer.next_value());
    buffer.add_row(data.targets[i], indices.size());
    const bool full = buffer.indices().size() >= usual_entries || buffer.rows() >= usual_entries;
    if (!full && i + 1 < data.targets.size()) continue;
    result.add(RowChunk(buffer, memory));
    buffer.clear();
  }
  return result;
}

}  // namespace geodescent
