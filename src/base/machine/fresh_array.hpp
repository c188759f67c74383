// Uninitialised arrays that are filled once and then shared. Internal to the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "base/machine/memory_block.hpp"
#include "geodescent/data/shared_array.hpp"

namespace geodescent {

/// Memory that is not touched before it is written. A vector would fill it with zeros first, which
/// makes it resident.
template <class T>
class FreshArray {
 public:
  explicit FreshArray(std::size_t size)
      : block_(std::make_shared<const MemoryBlock>(std::max<std::size_t>(size, 1) * sizeof(T))), size_(size) {}

  T* data() const { return reinterpret_cast<T*>(block_->data()); }
  SharedArray<T> shared() const { return SharedArray<T>({data(), size_}, block_); }

 private:
  std::shared_ptr<const MemoryBlock> block_;
  std::size_t size_;
};

}  // namespace geodescent
