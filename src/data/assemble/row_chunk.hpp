// Compact storage of the rows of a piece of text. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/machine/memory_block.hpp"
#include "data/assemble/row_buffer.hpp"

namespace geodescent {

inline bool fits_float(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

/// Indices are as in the file, because their base (0 or 1) is known only at its end. Each chunk has
/// the narrowest form that its own numbers allow. Copies share the numbers.
class RowChunk {
 public:
  /// The shape of a chunk, from which the places of its numbers follow. A chunk is its shape and a
  /// block of bytes.
  struct Shape {
    std::uint64_t rows = 0;
    std::uint64_t entries = 0;
    std::uint32_t index_bytes = 2;  ///< 2 or 4
    std::uint32_t value_bytes = 0;  ///< 0: all equal `repeated`, with the same bits; 4: float; 8: double
    double repeated = 0;
    bool all_equal = true;  ///< compared as numbers: 0 equals -0

    std::size_t bytes() const;
  };

  RowChunk() = default;
  RowChunk(const RowBuffer& rows, BlockSupply& memory);
  /// Refers to bytes that it does not own: shape.bytes() of them, aligned for doubles.
  RowChunk(const Shape& shape, const std::byte* bytes) : shape_(shape), bytes_(bytes) {}

  const Shape& shape() const { return shape_; }
  std::span<const std::byte> bytes() const { return {bytes_, shape_.bytes()}; }
  std::span<const double> targets() const { return {at<double>(0), shape_.rows}; }
  std::span<const std::uint32_t> lengths() const;
  double first_value() const;  ///< requires an entry

  /// body(indices, values) with typed pointers to the arrays. Values are null if value_bytes is 0.
  template <class Body>
  void visit(const Body& body) const {
    const auto with_indices = [&](const auto* indices) {
      if (shape_.value_bytes == 8)
        body(indices, at<double>(value_offset()));
      else if (shape_.value_bytes == 4)
        body(indices, at<float>(value_offset()));
      else
        body(indices, static_cast<const float*>(nullptr));
    };
    if (shape_.index_bytes == 2)
      with_indices(at<std::uint16_t>(index_offset()));
    else
      with_indices(at<std::uint32_t>(index_offset()));
  }

 private:
  // The order is targets, values, lengths, indices: then each array is aligned, with values of 4 or
  // of 8 bytes.
  std::size_t value_offset() const { return 8 * shape_.rows; }
  std::size_t length_offset() const { return value_offset() + shape_.value_bytes * shape_.entries; }
  std::size_t index_offset() const { return length_offset() + 4 * shape_.rows; }

  template <class T>
  const T* at(std::size_t offset) const {
    return reinterpret_cast<const T*>(bytes_ + offset);
  }

  Shape shape_;
  const std::byte* bytes_ = nullptr;
  std::shared_ptr<const void> owner_;  ///< keeps the bytes alive
};

}  // namespace geodescent
