// Constant arrays with shared ownership: of a vector, or of a file mapped into memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace geodescent {

/// A constant array with shared ownership.
template <class T>
class SharedArray {
 public:
  /// An empty array.
  SharedArray() = default;
  /// Takes ownership of the numbers.
  explicit SharedArray(std::vector<T> numbers) {
    const auto kept = std::make_shared<const std::vector<T>>(std::move(numbers));
    numbers_ = *kept;
    owner_ = kept;
  }
  /// `owner` keeps the numbers alive.
  SharedArray(std::span<const T> numbers, std::shared_ptr<const void> owner)
      : numbers_(numbers), owner_(std::move(owner)) {}

  std::size_t size() const { return numbers_.size(); }              ///< number of elements
  const T* data() const { return numbers_.data(); }                 ///< the first element
  const T& operator[](std::size_t i) const { return numbers_[i]; }  ///< element i
  std::span<const T> span() const { return numbers_; }              ///< all elements

 private:
  std::span<const T> numbers_;
  std::shared_ptr<const void> owner_;
};

}  // namespace geodescent
