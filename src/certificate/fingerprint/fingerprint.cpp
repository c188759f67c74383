// What a data set says, as bytes: the same for every way of writing or storing it. Blocks of rows are hashed on several
// threads, two at a time on each, and the fingerprint is the hash of their hashes.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "certificate/fingerprint/sha256.hpp"
#include "certificate/proof/row_batch.hpp"
#include "certificate/proof/row_sums.hpp"
#include "geodescent/certificate.hpp"

namespace geodescent {
namespace {

constexpr std::size_t rows_of_block = 256;
/// Added to the number of entries of a row whose values are all 1 and are left out: much data is of this kind.
constexpr std::uint64_t all_ones = std::uint64_t{1} << 63;

/// Collects little-endian numbers.
class Bytes {
 public:
  /// Forgets what it held; at most `most` bytes will be added.
  void start(std::size_t most) {
    size_ = 0;
    if (bytes_.size() < most) bytes_.resize(most);
  }
  std::string_view all() const { return {bytes_.data(), size_}; }

  template <class Number>
  void add(std::span<const Number> numbers) {
    if (numbers.empty()) return;  // there may be no memory behind it, which memcpy must not be given
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(bytes_.data() + size_, numbers.data(), numbers.size_bytes());
    } else {
      char* out = bytes_.data() + size_;
      for (const Number& number : numbers) {
        std::array<char, sizeof(Number)> bytes;
        std::memcpy(bytes.data(), &number, sizeof number);
        out = std::copy(bytes.rbegin(), bytes.rend(), out);
      }
    }
    size_ += numbers.size_bytes();
  }

 private:
  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

std::uint64_t bits(std::uint64_t number) { return number; }
/// -0 and 0 are the same number.
std::uint64_t bits(double number) { return std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number); }

using RowHead = std::array<std::uint64_t, 3>;

/// The bytes of a block of rows, batch by batch, and their hash.
class BlockHash {
 public:
  explicit BlockHash(const Dataset& data) : data_(data), batch_(*data.rows) {}

  void start(std::size_t block) {
    hash_ = Sha256();
    next_ = std::min(data_.targets.size(), block * rows_of_block);
    end_ = std::min(data_.targets.size(), next_ + rows_of_block);
  }
  bool is_at_end() const { return next_ == end_; }

  /// The next of its bytes; none at the end.
  std::string_view next() {
    if (is_at_end()) return {};
    batch_.read(next_, end_);
    bytes_.start(batch_.size() * sizeof(RowHead) + batch_.entries() * (sizeof(std::uint32_t) + sizeof(double)));
    for (std::size_t i = batch_.begin(); i < batch_.end(); ++i) add_row(i);
    next_ = batch_.end();
    return bytes_.all();
  }

  Sha256& hash() { return hash_; }

 private:
  void add_row(std::size_t i) {
    const std::span<const std::uint32_t> indices = batch_.indices(i);
    const std::span<const double> values = batch_.values(i);
    const bool ones = std::ranges::all_of(values, [](double x) { return x == 1; });
    const RowHead head{bits(data_.targets[i]), bits(data_.weights.empty() ? 1.0 : data_.weights[i]),
                       indices.size() + (ones ? all_ones : 0)};
    bytes_.add(std::span<const std::uint64_t>(head));
    bytes_.add(indices);
    if (!ones) bytes_.add(values);
  }

  const Dataset& data_;
  proof::RowBatch batch_;
  Bytes bytes_;
  Sha256 hash_;
  std::size_t next_ = 0, end_ = 0;
};

}  // namespace

std::string fingerprint(const Dataset& data) {
  const std::size_t rows = data.targets.size();
  std::vector<std::array<char, 32>> hashes((rows + rows_of_block - 1) / rows_of_block);
  const parallel::Blocks pairs = parallel::cut((hashes.size() + 1) / 2, 1);
  proof::for_each_block(pairs, [&](std::size_t, std::size_t begin, std::size_t end) {
    BlockHash first(data), second(data);
    for (std::size_t block = 2 * begin; block < std::min(2 * end, hashes.size()); block += 2) {
      first.start(block);
      second.start(block + 1);
      while (!first.is_at_end() || !second.is_at_end())
        update_both(first.hash(), first.next(), second.hash(), second.next());
      hashes[block] = first.hash().digest();
      if (block + 1 < hashes.size()) hashes[block + 1] = second.hash().digest();
    }
  });
  Bytes size;
  size.start(2 * sizeof(std::uint64_t));
  size.add(std::span<const std::uint64_t>(std::array{bits(std::uint64_t{rows}), bits(data.rows->columns())}));
  Sha256 hash;
  hash.update(size.all());
  for (const std::array<char, 32>& of_block : hashes) hash.update({of_block.data(), of_block.size()});
  return "sha256:" + hash.hex_digest();
}

}  // namespace geodescent
