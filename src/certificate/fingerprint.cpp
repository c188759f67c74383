// What a data set says, as bytes: the same for every way of writing or storing it. Blocks of rows are hashed on several
// threads, and the fingerprint is the hash of their hashes.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "certificate/row_sums.hpp"
#include "certificate/sha256.hpp"
#include "geodescent/certificate.hpp"

namespace geodescent {
namespace {

constexpr std::size_t rows_of_block = 256;
/// Added to the number of entries of a row whose values are all 1 and are left out: much data is of this kind.
constexpr std::uint64_t all_ones = std::uint64_t{1} << 63;

/// Collects little-endian numbers.
class Bytes {
 public:
  void clear() { bytes_.clear(); }
  std::string_view all() const { return bytes_; }

  template <class Number>
  void add(std::span<const Number> numbers) {
    if constexpr (std::endian::native == std::endian::little) {
      bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    } else {
      for (const Number& number : numbers) {
        std::array<char, sizeof(Number)> bytes;
        std::memcpy(bytes.data(), &number, sizeof number);
        bytes_.append(bytes.rbegin(), bytes.rend());
      }
    }
  }

 private:
  std::string bytes_;
};

std::uint64_t bits(std::uint64_t number) { return number; }
/// -0 and 0 are the same number.
std::uint64_t bits(double number) { return std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number); }

/// Has what it needs to hash one block after the other.
class BlockHash {
 public:
  explicit BlockHash(const Dataset& data) : data_(data) {}

  std::array<char, 32> of_rows(std::size_t begin, std::size_t end) {
    bytes_.clear();
    for (std::size_t i = begin; i < end; ++i) add_row(i);
    Sha256 hash;
    hash.update(bytes_.all());
    return hash.digest();
  }

 private:
  void add_row(std::size_t i) {
    data_.rows->copy_row(i, indices_, values_);
    const bool ones = std::ranges::all_of(values_, [](double x) { return x == 1; });
    const std::array<std::uint64_t, 3> head{bits(data_.targets[i]),
                                            bits(data_.weights.empty() ? 1.0 : data_.weights[i]),
                                            indices_.size() + (ones ? all_ones : 0)};
    bytes_.add(std::span<const std::uint64_t>(head));
    bytes_.add(std::span<const std::uint32_t>(indices_));
    if (!ones) bytes_.add(std::span<const double>(values_));
  }

  const Dataset& data_;
  Bytes bytes_;
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

}  // namespace

std::string fingerprint(const Dataset& data) {
  const std::size_t rows = data.targets.size();
  std::vector<std::array<char, 32>> hashes((rows + rows_of_block - 1) / rows_of_block);
  const parallel::Blocks tasks = parallel::cut(hashes.size(), 1);
  proof::for_each_block(tasks, [&](std::size_t, std::size_t begin, std::size_t end) {
    BlockHash hash(data);
    for (std::size_t k = begin; k < end; ++k)
      hashes[k] = hash.of_rows(k * rows_of_block, std::min(rows, (k + 1) * rows_of_block));
  });
  Bytes size;
  size.add(std::span<const std::uint64_t>(std::array{bits(std::uint64_t{rows}), bits(data.rows->columns())}));
  Sha256 hash;
  hash.update(size.all());
  for (const std::array<char, 32>& of_block : hashes) hash.update({of_block.data(), of_block.size()});
  return "sha256:" + hash.hex_digest();
}

}  // namespace geodescent
