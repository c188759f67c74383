#include "data/assemble/chunk_matrix.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/machine/fresh_array.hpp"
#include "base/parallel.hpp"

namespace geodescent {
namespace {

constexpr std::size_t columns_of_16_bits = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;

/// The first row and the first entry of a chunk in the matrix.
struct Place {
  std::size_t row;
  std::size_t entry;
};

std::vector<Place> places_of(const std::vector<RowChunk>& chunks) {
  std::vector<Place> places;
  Place next{0, 0};
  for (const RowChunk& chunk : chunks) {
    places.push_back(next);
    next.row += chunk.shape().rows;
    next.entry += chunk.shape().entries;
  }
  return places;
}

/// body(chunk, place) for every chunk, in parallel. A chunk is freed after that and after its
/// targets are copied.
template <class Body>
void consume(std::vector<RowChunk>& chunks, Vector& targets, const Body& body) {
  const std::vector<Place> places = places_of(chunks);
  // Targets are appended chunk by chunk by one thread, beside the others. A vector that all threads
  // write would first have to be filled with zeros.
  auto copy_targets = [&targets, mine = chunks]() mutable {
    for (RowChunk& next : mine) {
      const RowChunk chunk = std::exchange(next, {});
      targets.insert(targets.end(), chunk.targets().begin(), chunk.targets().end());
    }
  };
  parallel::for_each(parallel::cut(1 + chunks.size(), 1), [&](std::size_t begin, std::size_t end) {
    for (std::size_t part = begin; part < end; ++part) {
      if (part == 0) {
        copy_targets();
        continue;
      }
      const RowChunk chunk = std::exchange(chunks[part - 1], {});
      body(chunk, places[part - 1]);
    }
  });
}

template <class Index, class Value>
SparseArrays sparse(ChunkedRows rows, Vector& targets, bool repeated) {
  const std::size_t entries = rows.form.entries();
  const FreshArray<std::uint64_t> offsets(rows.form.rows() + 1);
  const FreshArray<Index> indices(entries);
  const FreshArray<Value> values(repeated ? 0 : entries);
  offsets.data()[0] = 0;
  consume(rows.chunks, targets, [&](const RowChunk& chunk, const Place& at) {
    std::uint64_t end = at.entry;
    std::uint64_t* offset = offsets.data() + at.row;
    for (const std::uint32_t length : chunk.lengths()) *++offset = end += length;
    copy_indices(chunk, 0, chunk.shape().entries, rows.zero_based ? 0 : 1, indices.data() + at.entry);
    if (!repeated) copy_values(chunk, 0, chunk.shape().entries, values.data() + at.entry);
  });
  SparseArrays arrays{offsets.shared(), indices.shared(), rows.form.repeated(), rows.columns};
  if (!repeated) arrays.values = values.shared();
  return arrays;
}

template <class Index>
SparseArrays sparse(ChunkedRows rows, Vector& targets) {
  const std::uint32_t bytes = rows.form.value_bytes();
  if (bytes == 8) return sparse<Index, double>(std::move(rows), targets, false);
  return sparse<Index, float>(std::move(rows), targets, bytes == 0);
}

template <class Value>
DenseArray dense(ChunkedRows rows, Vector& targets) {
  const FreshArray<Value> entries(rows.form.rows() * rows.columns);
  consume(rows.chunks, targets, [&](const RowChunk& chunk, const Place& at) {
    std::size_t k = 0;
    Value* row = entries.data() + at.row * rows.columns;
    for (const std::uint32_t length : chunk.lengths()) {
      copy_dense_row(chunk, k, length, rows.zero_based ? 0 : 1, std::span(row, rows.columns));
      k += length;
      row += rows.columns;
    }
  });
  return entries.shared();
}

}  // namespace

void FormOfChunks::add(const RowChunk& chunk) {
  const RowChunk::Shape& shape = chunk.shape();
  rows_ += shape.rows;
  if (shape.entries == 0) return;
  if (entries_ == 0) first_ = chunk.first_value();
  entries_ += shape.entries;
  all_equal_ = all_equal_ && shape.all_equal && chunk.first_value() == first_;
  doubles_ = doubles_ || shape.value_bytes == 8 || (shape.value_bytes == 0 && !fits_float(shape.repeated));
}

Vector ChunkedRows::targets() const {
  Vector all;
  all.reserve(form.rows());
  for (const RowChunk& chunk : chunks) all.insert(all.end(), chunk.targets().begin(), chunk.targets().end());
  return all;
}

bool FormOfChunks::is_dense(std::size_t rows, std::size_t entries, std::size_t columns) {
  return columns > 0 && rows > 0 && 2 * entries / rows >= columns;
}

std::uint32_t FormOfChunks::index_bytes(std::size_t columns) const { return columns <= columns_of_16_bits ? 2 : 4; }

std::uint32_t FormOfChunks::value_bytes() const {
  if (entries_ > 0 && all_equal_) return 0;
  return doubles_ ? 8 : 4;
}

SparseArrays sparse_arrays(ChunkedRows rows, Vector& targets) {
  targets.reserve(rows.form.rows());
  if (rows.form.index_bytes(rows.columns) == 2) return sparse<std::uint16_t>(std::move(rows), targets);
  return sparse<std::uint32_t>(std::move(rows), targets);
}

std::shared_ptr<const RowMatrix> matrix_of(ChunkedRows rows, Vector& targets) {
  const std::size_t columns = rows.columns;
  if (!rows.dense.value_or(rows.form.is_dense(columns)))
    return std::make_shared<const SparseRows>(sparse_arrays(std::move(rows), targets));
  targets.reserve(rows.form.rows());
  DenseArray entries = rows.form.dense_value_bytes() == 8 ? dense<double>(std::move(rows), targets)
                                                          : dense<float>(std::move(rows), targets);
  return std::make_shared<const DenseRows>(std::move(entries), columns);
}

Dataset dataset_of(ChunkedRows rows, const std::string& name) {
  const std::size_t nonzeros = rows.nonzeros.value_or(rows.form.entries());
  const bool zero_based = rows.zero_based;
  Vector targets;
  auto matrix = matrix_of(std::move(rows), targets);
  return {name, std::move(matrix), std::move(targets), nonzeros, {}, zero_based};
}

}  // namespace geodescent
