// The contents of a data set as bytes that do not depend on files or storage. Blocks of rows are
// hashed on several threads, several at a time on each. The fingerprint is the hash of their
// hashes.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "certificate/fingerprint/sha256.hpp"
#include "certificate/rows/all_rows.hpp"
#include "certificate/rows/row_batch.hpp"
#include "certificate/rows/row_sums.hpp"
#include "geodescent/certificate.hpp"

namespace geodescent {
namespace {

constexpr std::size_t most_entries = 1024;  ///< of full rows that are taken at a time: the bytes of all lanes stay near
/// Added to the number of entries of a row whose values are all 1. These values are left out; much
/// data has such rows.
constexpr std::uint64_t all_ones = std::uint64_t{1} << 63;

/// Little-endian numbers and other bytes, which are added at the end and taken from the front.
class Bytes {
 public:
  void clear() { begin_ = end_ = 0; }
  std::size_t size() const { return end_ - begin_; }
  const unsigned char* data() const { return bytes_.data() + begin_; }
  void take(std::size_t count) { begin_ += count; }

  /// The caller adds at most `most` bytes before the next call.
  void make_room(std::size_t most) {
    std::memmove(bytes_.data(), data(), size());
    end_ = size();
    begin_ = 0;
    if (bytes_.size() < end_ + most) bytes_.resize(end_ + most);
  }

  template <class Number>
  void add(std::span<const Number> numbers) {
    if (numbers.empty()) return;  // an empty span may have no memory, which memcpy must not be given
    if constexpr (std::endian::native == std::endian::little || sizeof(Number) == 1) {
      std::memcpy(bytes_.data() + end_, numbers.data(), numbers.size_bytes());
    } else {
      unsigned char* out = bytes_.data() + end_;
      for (const Number& number : numbers) {
        std::array<unsigned char, sizeof(Number)> bytes;
        std::memcpy(bytes.data(), &number, sizeof number);
        out = std::copy(bytes.rbegin(), bytes.rend(), out);
      }
    }
    end_ += numbers.size_bytes();
  }

 private:
  std::vector<unsigned char> bytes_ = std::vector<unsigned char>(sha256::block_size);
  std::size_t begin_ = 0, end_ = 0;
};

std::uint64_t bits(std::uint64_t number) { return number; }
/// -0 and 0 are the same number.
std::uint64_t bits(double number) { return std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number); }

using RowHead = std::array<std::uint64_t, 3>;

/// Writes rows as bytes. Its memory serves all blocks of a thread.
class RowWriter {
 public:
  /// Blocks of rows begin at row `first`.
  RowWriter(const Dataset& data, std::size_t first) : data_(data), first_(first), batch_(*data.rows) {
    const auto* const dense = dynamic_cast<const DenseRows*>(data.rows.get());
    if (dense == nullptr || dense->arrays().constant != 0 || dense->arrays().column_stride != 1) return;
    const auto* const entries = std::get_if<SharedArray<double>>(&dense->arrays().entries);
    if (entries == nullptr) return;
    full_rows_ = entries->data();
    row_stride_ = dense->arrays().row_stride;
    all_columns_.resize(dense->columns());
    std::iota(all_columns_.begin(), all_columns_.end(), std::uint32_t{0});
  }

  std::size_t begin_of(std::size_t block) const { return first_ + block * proof::hashed_rows; }
  std::size_t end_of(std::size_t block) const { return std::min(data_.targets.size(), begin_of(block + 1)); }
  /// Adds some rows from `next` on, at least one, and returns which one comes after them.
  std::size_t add_rows(std::size_t next, std::size_t end, Bytes& bytes) {
    const std::size_t full = add_full_rows(next, end, bytes);
    return full > next ? full : add_batch(next, end, bytes);
  }

 private:
  /// Rows without zeros need no copy.
  std::size_t add_full_rows(std::size_t next, std::size_t end, Bytes& bytes) const {
    const std::size_t columns = all_columns_.size();
    if (columns == 0) return next;
    end = std::min(end, next + std::max<std::size_t>(1, most_entries / columns));
    bytes.make_room((end - next) * bytes_of_row(columns));
    for (; next < end; ++next) {
      const std::span<const double> values(full_rows_ + next * row_stride_, columns);
      if (!proof::has_no_zero(values.data(), columns)) break;
      add_row(next, all_columns_, values, bytes);
    }
    return next;
  }

  std::size_t add_batch(std::size_t next, std::size_t end, Bytes& bytes) {
    batch_.read(next, end);
    bytes.make_room(batch_.size() * bytes_of_row(0) + bytes_of_row(batch_.entries()));
    for (; next < batch_.end(); ++next) add_row(next, batch_.indices(next), batch_.values(next), bytes);
    return next;
  }

  static std::size_t bytes_of_row(std::size_t entries) {
    return sizeof(RowHead) + entries * (sizeof(std::uint32_t) + sizeof(double));
  }

  void add_row(std::size_t i, std::span<const std::uint32_t> indices, std::span<const double> values,
               Bytes& bytes) const {
    const bool ones = std::ranges::all_of(values, [](double x) { return x == 1; });
    const RowHead head{bits(data_.targets[i]), bits(data_.weights.empty() ? 1.0 : data_.weights[i]),
                       indices.size() + (ones ? all_ones : 0)};
    bytes.add(std::span<const std::uint64_t>(head));
    bytes.add(indices);
    if (!ones) bytes.add(values);
  }

  const Dataset& data_;
  std::size_t first_;
  proof::RowBatch batch_;
  // Where all rows are doubles one after the other.
  const double* full_rows_ = nullptr;
  std::size_t row_stride_ = 0;
  std::vector<std::uint32_t> all_columns_;  ///< 0, 1, ...
};

/// The bytes of a block of rows, some at a time, and their hash.
class BlockHash {
 public:
  explicit BlockHash(RowWriter& writer) : writer_(&writer) {}

  void start(std::size_t block) {
    block_ = block;
    state_ = sha256::first_state;
    bytes_.clear();
    length_ = 0;
    next_ = writer_->begin_of(block);
    end_ = writer_->end_of(block);
    padded_ = false;
  }
  std::size_t block() const { return block_; }
  std::array<char, 32> digest() const { return sha256::digest_of(state_); }

  /// How many of the blocks of SHA-256 are in memory; 0 if all have been taken.
  std::size_t ready() {
    while (bytes_.size() < sha256::block_size && !padded_) read();
    return bytes_.size() / sha256::block_size;
  }
  sha256::State& state() { return state_; }
  const unsigned char* data() const { return bytes_.data(); }
  void take(std::size_t count) { bytes_.take(count * sha256::block_size); }

 private:
  void read() {
    if (next_ == end_) {
      const sha256::Padding padding = sha256::padding_after(length_);
      bytes_.make_room(padding.size);
      bytes_.add(std::span<const unsigned char>(padding.bytes).first(padding.size));
      padded_ = true;
      return;
    }
    const std::size_t before = bytes_.size();
    next_ = writer_->add_rows(next_, end_, bytes_);
    length_ += bytes_.size() - before;
  }

  RowWriter* writer_;
  Bytes bytes_;
  std::size_t block_ = 0;
  sha256::State state_{};
  std::uint64_t length_ = 0;  ///< of the message, without what fills its last block
  std::size_t next_ = 0, end_ = 0;
  bool padded_ = false;
};

using Digest = std::array<char, 32>;

/// Hashes the blocks of rows begin to end, in as many lanes as the processor has.
class ManyHashes {
 public:
  ManyHashes(const RowWriter& writer, std::size_t begin, std::size_t end, std::vector<Digest>& digests)
      : writer_(writer), next_(begin), end_(end), digests_(digests) {
    const bool many = compress_lanes() != nullptr && end - begin >= enough_for_lanes;
    const std::size_t count = std::min(many ? sha256::lanes : 2, end - begin);
    hashes_.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
      hashes_.emplace_back(writer_).start(next_++);
      working_.push_back(&hashes_.back());
    }
  }

  void run() {
    while (has_work()) {
      if (working_.size() >= enough_for_lanes)
        advance_all();
      else
        advance_two();
    }
  }

 private:
  /// With fewer blocks, pairs are faster.
  static constexpr std::size_t enough_for_lanes = sha256::lanes / 2;

  static sha256::CompressLanes compress_lanes() {
    static const sha256::CompressLanes by_instructions = sha256::compress_lanes_by_instructions();
    return by_instructions;
  }

  /// Finishes the lanes whose blocks are complete and fills them with the next blocks.
  bool has_work() {
    for (std::size_t k = 0; k < working_.size();) {
      BlockHash& hash = *working_[k];
      if (hash.ready() > 0) {
        ++k;
        continue;
      }
      digests_[hash.block()] = hash.digest();
      if (next_ < end_)
        hash.start(next_++);
      else
        working_.erase(working_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return !working_.empty();
  }

  void advance_all() {
    std::array<sha256::State*, sha256::lanes> states;
    std::array<const unsigned char*, sha256::lanes> data;
    sha256::State unused{};
    states.fill(&unused);
    data.fill(working_.front()->data());
    std::size_t count = working_.front()->ready();
    for (std::size_t k = 0; k < working_.size(); ++k) {
      states[k] = &working_[k]->state();
      data[k] = working_[k]->data();
      count = std::min(count, working_[k]->ready());
    }
    compress_lanes()(states, data, count);
    for (BlockHash* hash : working_) hash->take(count);
  }

  void advance_two() {
    BlockHash& a = *working_.front();
    BlockHash& b = *working_.back();
    const std::size_t count = std::min(a.ready(), b.ready());
    if (&a == &b)
      sha256::compress(a.state(), a.data(), count);
    else
      sha256::compress_both(a.state(), a.data(), b.state(), b.data(), count);
    a.take(count);
    if (&a != &b) b.take(count);
  }

  RowWriter writer_;
  std::size_t next_, end_;
  std::vector<Digest>& digests_;
  std::vector<BlockHash> hashes_;
  std::vector<BlockHash*> working_;  ///< of these, the ones that are not complete
};

}  // namespace

std::string fingerprint(const Dataset& data) {
  const proof::AllRows rows(data);
  const parallel::Blocks blocks = rows.of_rank(proof::hashed_blocks(rows.size()));
  const RowWriter writer(data, blocks.first);
  std::vector<Digest> digests(blocks.count);
  // Whole sets of lanes, a part for each thread or several. The hashes do not depend on it.
  constexpr std::size_t most = 8 * sha256::lanes;
  const std::size_t share = blocks.count / static_cast<std::size_t>(threads()) / sha256::lanes + 1;
  const parallel::Blocks parts = parallel::cut(blocks.count, std::min(share * sha256::lanes, most));
  rows.together([&] {
    proof::for_each_block(
        parts, [&](std::size_t, std::size_t begin, std::size_t end) { ManyHashes(writer, begin, end, digests).run(); });
  });
  Sha256 hash;
  const auto text = [](const auto* bytes, std::size_t count) {
    return std::string_view(reinterpret_cast<const char*>(bytes), count);
  };
  const std::array<std::uint64_t, 2> size{bits(std::uint64_t{rows.size()}), bits(std::uint64_t{data.rows->columns()})};
  Bytes header;
  header.make_room(sizeof size);
  header.add(std::span<const std::uint64_t>(size));
  hash.update(text(header.data(), header.size()));
  const auto add_digests = [&] {
    for (const Digest& digest : digests) hash.update(text(digest.data(), digest.size()));
  };
  if (rows.alone()) {
    add_digests();
  } else {  // each rank goes on with the hash of the ranks before it
    std::vector<double> state = hash.numbers();
    rows.add_in_order(state, [&](std::size_t, std::size_t) {
      hash.take(state);
      add_digests();
      std::ranges::copy(hash.numbers(), state.begin());
    });
    hash.take(state);
  }
  return "sha256:" + hash.hex_digest();
}

}  // namespace geodescent
