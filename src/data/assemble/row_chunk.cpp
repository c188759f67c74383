#include "data/assemble/row_chunk.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace geodescent {
namespace {

/// Whether all numbers have a property. No early exit within a piece, so that the loop is
/// vectorised.
template <class Holds>
bool all(std::span<const double> numbers, Holds holds) {
  constexpr std::size_t piece = 512;
  for (std::size_t begin = 0; begin < numbers.size(); begin += piece) {
    const std::size_t end = std::min(begin + piece, numbers.size());
    bool good = true;
    for (std::size_t k = begin; k < end; ++k) good &= holds(numbers[k]);
    if (!good) return false;
  }
  return true;
}

template <class To, class From>
void convert(std::span<const From> from, std::byte* bytes) {
  To* const to = reinterpret_cast<To*>(bytes);
  for (std::size_t k = 0; k < from.size(); ++k) to[k] = static_cast<To>(from[k]);
}

RowChunk::Shape shape_of(const RowBuffer& rows) {
  RowChunk::Shape shape;
  shape.rows = rows.rows();
  shape.entries = rows.indices().size();
  // Indices increase within a row, so the last is the largest.
  std::size_t end = 0;
  for (const std::uint32_t length : rows.lengths()) {
    end += length;
    if (length > 0 && rows.indices()[end - 1] > std::numeric_limits<std::uint16_t>::max()) shape.index_bytes = 4;
  }
  const auto values = rows.values();
  if (values.empty()) return shape;
  shape.repeated = values[0];
  shape.all_equal = all(values, [&](double v) { return v == values[0]; });
  const auto bits = std::bit_cast<std::uint64_t>(values[0]);
  if (shape.all_equal && all(values, [&](double v) { return std::bit_cast<std::uint64_t>(v) == bits; })) return shape;
  shape.value_bytes = all(values, [](double v) { return fits_float(v); }) ? 4 : 8;
  return shape;
}

}  // namespace

std::size_t RowChunk::Shape::bytes() const {
  return static_cast<std::size_t>(12 * rows + (index_bytes + value_bytes) * entries);
}

RowChunk::RowChunk(const RowBuffer& rows, BlockSupply& memory) : shape_(shape_of(rows)) {
  if (shape_.rows == 0) return;
  const std::shared_ptr<std::byte> own = memory.take(shape_.bytes());
  std::byte* const to = own.get();
  bytes_ = to;
  owner_ = own;
  std::memcpy(to, rows.targets().data(), 8 * shape_.rows);
  std::memcpy(to + length_offset(), rows.lengths().data(), 4 * shape_.rows);
  if (shape_.value_bytes == 8) std::memcpy(to + value_offset(), rows.values().data(), 8 * shape_.entries);
  if (shape_.value_bytes == 4) convert<float>(rows.values(), to + value_offset());
  if (shape_.index_bytes == 4) std::memcpy(to + index_offset(), rows.indices().data(), 4 * shape_.entries);
  if (shape_.index_bytes == 2) convert<std::uint16_t>(rows.indices(), to + index_offset());
}

std::span<const std::uint32_t> RowChunk::lengths() const { return {at<std::uint32_t>(length_offset()), shape_.rows}; }

double RowChunk::first_value() const {
  if (shape_.value_bytes == 8) return *at<double>(value_offset());
  return shape_.value_bytes == 4 ? static_cast<double>(*at<float>(value_offset())) : shape_.repeated;
}

}  // namespace geodescent
