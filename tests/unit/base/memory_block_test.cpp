// Memory of the reader: blocks, and parts of them.
#include "base/machine/memory_block.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace geodescent {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

TEST(MemoryBlock, EveryByteOfEverySizeCanBeWritten) {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{40000}, 2 * megabyte, 2 * megabyte + 1, 5 * megabyte - 7}) {
    const MemoryBlock block(size);
    EXPECT_EQ(block.size(), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % alignof(std::max_align_t), 0U);
    std::fill_n(block.data(), size, std::byte{7});
    EXPECT_EQ(block.data()[size - 1], std::byte{7});
  }
}

TEST(BlockSupply, PartsAreAlignedAndTheirOwn) {
  BlockSupply supply;
  std::vector<std::shared_ptr<std::byte>> parts;
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < 60; ++i) {
    sizes.push_back(i == 30 ? 3 * megabyte : 1 + 4999 * i);  // one is larger than any block
    parts.push_back(supply.take(sizes.back()));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(parts.back().get()) % alignof(std::max_align_t), 0U);
    std::fill_n(parts.back().get(), sizes.back(), static_cast<std::byte>(i));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_TRUE(std::all_of(parts[i].get(), parts[i].get() + sizes[i], [&](std::byte b) {
      return b == static_cast<std::byte>(i);
    })) << i;
  }
}

TEST(BlockSupply, APartOutlivesTheSupply) {
  std::shared_ptr<std::byte> part;
  {
    BlockSupply supply;
    part = supply.take(1000);
    std::fill_n(part.get(), 1000, std::byte{5});
    supply.take(4 * megabyte);
  }
  EXPECT_EQ(part.get()[999], std::byte{5});
}

}  // namespace
}  // namespace geodescent
