// Checksums detect accidental changes. Against deliberate changes, every index and every number is
// checked, too.
#include "data/binary/binary_reader.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <utility>
#include <vector>

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

  BinaryShape shape() {
    read_header();
    return {header_.rows, header_.columns};
  }

  BinaryData read() {
    read_header();
    check_blocks({{0, layout_.checksums}});
    return rows(0, header_.rows, array<std::uint64_t>(layout_.offsets, header_.dense == 1 ? 0 : header_.rows + 1), 0,
                header_.entries);
  }

  BinaryData read_rows(std::uint64_t begin, std::uint64_t end) {
    read_header();
    end = std::min(end, header_.rows);
    begin = std::min(begin, end);
    if (begin == 0 && end == header_.rows) return read();
    check_blocks({{0, sizeof header_}, bytes_of(layout_.targets, begin, end, sizeof(double))});
    if (header_.dense == 1) {
      const std::uint64_t first = begin * header_.columns, last = end * header_.columns;
      check_blocks({bytes_of(layout_.values, first, last, header_.value_bytes)});
      return rows(begin, end, {}, first, last);
    }
    check_blocks({bytes_of(layout_.offsets, begin, end + 1, sizeof(std::uint64_t))});
    const auto in_file = array<std::uint64_t>(layout_.offsets + begin * sizeof(std::uint64_t), end - begin + 1).span();
    const std::uint64_t first = in_file.front(), last = in_file.back();
    if (first > last || last > header_.entries)
      fail("no valid matrix: offsets of rows decrease", "convert the text again");
    check_blocks({bytes_of(layout_.indices, first, last, header_.index_bytes),
                  bytes_of(layout_.values, first, last, header_.value_bytes)});
    std::vector<std::uint64_t> offsets(in_file.begin(), in_file.end());
    for (std::uint64_t& offset : offsets) offset -= first;
    return rows(begin, end, SharedArray<std::uint64_t>(std::move(offsets)), first, last);
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

  struct Part {
    std::uint64_t begin = 0, end = 0;  ///< bytes
  };
  static Part bytes_of(std::uint64_t section, std::uint64_t first, std::uint64_t last, std::uint64_t size) {
    return {section + first * size, section + last * size};
  }

  /// The rows from begin to end, with the entries from first to last.
  BinaryData rows(std::uint64_t begin, std::uint64_t end, SharedArray<std::uint64_t> offsets, std::uint64_t first,
                  std::uint64_t last) const {
    BinaryData data;
    const auto targets = array<double>(layout_.targets + begin * sizeof(double), end - begin).span();
    data.targets.assign(targets.begin(), targets.end());
    data.zero_based = header_.zero_based == 1;
    try {
      if (header_.dense == 1)
        data.matrix = std::make_shared<const DenseRows>(dense(first, last), header_.columns);
      else
        data.matrix = std::make_shared<const SparseRows>(sparse(std::move(offsets), first, last));
    } catch (const std::invalid_argument& error) {
      fail(fmt::format("no valid matrix: {}", error.what()), "convert the text again");
    }
    // Of a part of dense rows it is unknown which zeros the text had.
    const auto nonzeros_before = [&](std::uint64_t row) {
      const double share = static_cast<double>(row) / static_cast<double>(header_.rows);
      return static_cast<std::size_t>(static_cast<double>(header_.nonzeros) * share);
    };
    const bool is_part = end - begin < header_.rows;
    data.nonzeros = !is_part             ? header_.nonzeros
                    : header_.dense == 1 ? nonzeros_before(end) - nonzeros_before(begin)
                                         : last - first;
    check_numbers(data);
    return data;
  }

  /// Checks the blocks of checksums that these bytes are in.
  void check_blocks(std::initializer_list<Part> parts) const {
    for (const Part& part : parts)
      if (part.end > part.begin) check_blocks(part.begin / checksum_block, (part.end - 1) / checksum_block + 1);
  }

  void check_blocks(std::uint64_t first_block, std::uint64_t last_block) const {
    const char* const table = bytes_.data() + layout_.checksums;
    std::uint32_t of_table = 0;
    std::memcpy(&of_table, bytes_.data() + bytes_.size() - sizeof of_table, sizeof of_table);
    if (of_table != crc32c(part(layout_.checksums, layout_.size - sizeof of_table)))
      fail("the binary data is damaged (at its end)", again);
    std::atomic<std::uint64_t> bad = layout_.blocks;
    parallel::for_each(parallel::cut(last_block - first_block, 1), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t b = first_block + begin; b < first_block + end; ++b) {
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

  /// The numbers from first to last of a section.
  template <class T>
  SharedArray<T> part(std::uint64_t section, std::uint64_t first, std::uint64_t last) const {
    return array<T>(section + first * sizeof(T), last - first);
  }

  SparseArrays sparse(SharedArray<std::uint64_t> offsets, std::uint64_t first, std::uint64_t last) const {
    SparseArrays arrays;
    arrays.offsets = std::move(offsets);
    arrays.columns = header_.columns;
    if (header_.index_bytes == 2)
      arrays.indices = part<std::uint16_t>(layout_.indices, first, last);
    else
      arrays.indices = part<std::uint32_t>(layout_.indices, first, last);
    if (header_.value_bytes == 8)
      arrays.values = part<double>(layout_.values, first, last);
    else if (header_.value_bytes == 4)
      arrays.values = part<float>(layout_.values, first, last);
    else
      arrays.values = header_.repeated;
    return arrays;
  }

  DenseArray dense(std::uint64_t first, std::uint64_t last) const {
    if (header_.value_bytes == 8) return part<double>(layout_.values, first, last);
    return part<float>(layout_.values, first, last);
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

BinaryShape binary_shape(std::string_view bytes, const std::string& name) {
  return Reader(bytes, nullptr, name).shape();
}

BinaryData read_binary_rows(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name,
                            std::uint64_t begin, std::uint64_t end) {
  return Reader(bytes, std::move(owner), name).read_rows(begin, end);
}

BinaryData read_binary(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name) {
  return Reader(bytes, std::move(owner), name).read();
}

}  // namespace geodescent
