// The buffer that a parser fills with rows. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace geodescent {

/// Consecutive rows, with indices as in the file. make_room() allocates for the most entries that a
/// text can have, so that adding an entry needs no check. Memory that is not written is never
/// touched and costs nothing.
class RowBuffer {
 public:
  /// Clears the buffer and allocates room for any text of this many bytes: an entry takes at least
  /// four ("1:1 "), a row two.
  void make_room(std::size_t bytes) {
    clear();
    if (bytes <= room_) return;
    room_ = bytes + bytes / 8;  // room for one more line, so that the next text needs no new allocation
    targets_ = std::make_unique_for_overwrite<double[]>(room_ / 2 + 1);
    lengths_ = std::make_unique_for_overwrite<std::uint32_t[]>(room_ / 2 + 1);
    indices_ = std::make_unique_for_overwrite<std::uint32_t[]>(room_ / 4 + 1);
    values_ = std::make_unique_for_overwrite<double[]>(room_ / 4 + 1);
  }
  void clear() { rows_ = entries_ = 0; }

  std::uint32_t* next_index() { return indices_.get() + entries_; }
  double* next_value() { return values_.get() + entries_; }
  /// Completes a row with the `count` entries that were written from next_index() and next_value()
  /// on.
  void add_row(double target, std::size_t count) {
    targets_[rows_] = target;
    lengths_[rows_] = static_cast<std::uint32_t>(count);
    ++rows_;
    entries_ += count;
  }

  std::size_t rows() const { return rows_; }
  std::span<const double> targets() const { return {targets_.get(), rows_}; }
  std::span<const std::uint32_t> lengths() const { return {lengths_.get(), rows_}; }
  std::span<const std::uint32_t> indices() const { return {indices_.get(), entries_}; }
  std::span<const double> values() const { return {values_.get(), entries_}; }

 private:
  std::size_t room_ = 0;
  std::size_t rows_ = 0;
  std::size_t entries_ = 0;
  std::unique_ptr<double[]> targets_;
  std::unique_ptr<std::uint32_t[]> lengths_;
  std::unique_ptr<std::uint32_t[]> indices_;
  std::unique_ptr<double[]> values_;
};

}  // namespace geodescent
