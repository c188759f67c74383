// Checksums detect accidental changes. Against deliberate changes, every index and every number is
// checked, too.
#include "data/binary/binary_reader.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "base/crc32c.hpp"
#include "base/parallel.hpp"
#include "data/binary/binary_layout.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

constexpr const char* again = "copy the file again, or convert the text again";

class Reader {
 public:
  Reader(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name)
      : bytes_(bytes), owner_(std::move(owner)), name_(name) {}

  BinaryData read() {
    read_header();
    check_blocks();
    BinaryData data;
    const auto targets = array<double>(layout_.targets, header_.rows).span();
    data.targets.assign(targets.begin(), targets.end());
    data.nonzeros = header_.nonzeros;
    data.zero_based = header_.zero_based == 1;
    try {
      if (header_.dense == 1)
        data.matrix = std::make_shared<const DenseRows>(dense(), header_.columns);
      else
        data.matrix = std::make_shared<const SparseRows>(sparse());
    } catch (const std::invalid_argument& error) {
      fail(fmt::format("no valid matrix: {}", error.what()), "convert the text again");
    }
    check_numbers(data);
    return data;
  }

 private:
  [[noreturn]] void fail(const std::string& reason, const char* remedy) const {
    throw InputError(fmt::format("{}: {}; {}", name_, reason, remedy));
  }

  void read_header() {
    if (bytes_.size() < sizeof header_) fail("binary data that ends within its header", again);
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    if (!bytes_.starts_with(binary_magic)) fail("binary data that was changed, perhaps by a transfer as text", again);
    if (header_.byte_order != byte_order_mark) {
      if (header_.byte_order == __builtin_bswap32(byte_order_mark))
        fail("binary data with another byte order", "convert the text on this machine");
      fail("binary data with a damaged header", again);
    }
    if (header_.version != binary_version)
      fail(fmt::format("binary data of version {}, but this program supports version {}", header_.version,
                       binary_version),
           "convert the text with this program");
    const auto layout = layout_of(header_);
    if (header_.checksum != checksum_of(header_) || !layout) fail("binary data with a damaged header", again);
    if (bytes_.size() != layout->size)
      fail(fmt::format("binary data of {} bytes instead of {}", bytes_.size(), layout->size), again);
    layout_ = *layout;
  }

  std::span<const std::byte> part(std::uint64_t begin, std::uint64_t end) const {
    return std::as_bytes(std::span(bytes_.data() + begin, end - begin));
  }

  void check_blocks() const {
    const char* const table = bytes_.data() + layout_.checksums;
    std::uint32_t of_table = 0;
    std::memcpy(&of_table, bytes_.data() + bytes_.size() - sizeof of_table, sizeof of_table);
    if (of_table != crc32c(part(layout_.checksums, layout_.size - sizeof of_table)))
      fail("the binary data is damaged (at its end)", again);
    std::atomic<std::uint64_t> bad = layout_.blocks;
    parallel::for_each(parallel::cut(layout_.blocks, 1), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t b = begin; b < end; ++b) {
        std::uint32_t expected = 0;
        std::memcpy(&expected, table + sizeof expected * b, sizeof expected);
        const std::uint64_t stop = std::min((b + 1) * checksum_block, layout_.checksums);
        if (crc32c(part(b * checksum_block, stop)) == expected) continue;
        // The first bad block is reported, whichever thread finds one first.
        for (std::uint64_t first = bad; b < first && !bad.compare_exchange_weak(first, b);) continue;
      }
    });
    if (bad < layout_.blocks)
      fail(fmt::format("the binary data is damaged (between the bytes {} and {})", bad * checksum_block,
                       std::min((bad + 1) * checksum_block, layout_.checksums)),
           again);
  }

  template <class T>
  SharedArray<T> array(std::uint64_t offset, std::uint64_t count) const {
    return SharedArray<T>({reinterpret_cast<const T*>(bytes_.data() + offset), count}, owner_);
  }

  SparseArrays sparse() const {
    SparseArrays arrays;
    arrays.offsets = array<std::uint64_t>(layout_.offsets, header_.rows + 1);
    arrays.columns = header_.columns;
    if (header_.index_bytes == 2)
      arrays.indices = array<std::uint16_t>(layout_.indices, header_.entries);
    else
      arrays.indices = array<std::uint32_t>(layout_.indices, header_.entries);
    if (header_.value_bytes == 8)
      arrays.values = array<double>(layout_.values, header_.entries);
    else if (header_.value_bytes == 4)
      arrays.values = array<float>(layout_.values, header_.entries);
    else
      arrays.values = header_.repeated;
    return arrays;
  }

  DenseArray dense() const {
    if (header_.value_bytes == 8) return array<double>(layout_.values, header_.entries);
    return array<float>(layout_.values, header_.entries);
  }

  /// Checks the numbers that the matrix does not check.
  void check_numbers(const BinaryData& data) const {
    const bool finite = std::ranges::all_of(data.targets, [](double target) { return std::isfinite(target); });
    if (!finite || !std::isfinite(header_.repeated))
      fail("the binary data has a number that is not finite", "convert the text again");
  }

  std::string_view bytes_;
  std::shared_ptr<const void> owner_;
  const std::string& name_;
  BinaryHeader header_;
  BinaryLayout layout_;
};

}  // namespace

bool is_binary(std::string_view start) { return start.starts_with(binary_start); }

BinaryData read_binary(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name) {
  return Reader(bytes, std::move(owner), name).read();
}

}  // namespace geodescent
