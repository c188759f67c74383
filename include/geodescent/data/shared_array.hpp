// Numbers that do not change any more, wherever they live: in a vector given away, or in a file mapped into memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace geodescent {

template <class T>
class SharedArray {
 public:
  SharedArray() = default;
  explicit SharedArray(std::vector<T> numbers) {
    const auto kept = std::make_shared<const std::vector<T>>(std::move(numbers));
    numbers_ = *kept;
    owner_ = kept;
  }
  /// `owner` keeps the numbers alive.
  SharedArray(std::span<const T> numbers, std::shared_ptr<const void> owner)
      : numbers_(numbers), owner_(std::move(owner)) {}

  std::size_t size() const { return numbers_.size(); }
  const T* data() const { return numbers_.data(); }
  const T& operator[](std::size_t i) const { return numbers_[i]; }
  std::span<const T> span() const { return numbers_; }

 private:
  std::span<const T> numbers_;
  std::shared_ptr<const void> owner_;
};

}  // namespace geodescent
