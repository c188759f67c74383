// Numbers about to be written, then shared. Internal to the library.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "geodescent/shared_array.hpp"

namespace geodescent {

/// Memory that is not touched before it is written: what a vector would fill with zeros first counts from then on.
template <class T>
class FreshArray {
 public:
  explicit FreshArray(std::size_t size) : numbers_(new T[size]), size_(size) {}

  T* data() const { return numbers_.get(); }
  SharedArray<T> shared() const { return SharedArray<T>({numbers_.get(), size_}, numbers_); }

 private:
  std::shared_ptr<T[]> numbers_;
  std::size_t size_;
};

}  // namespace geodescent
