#include "learn/ranks/moved_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace geodescent {
namespace {

/// Where rows are written down: for each its target, its weight if it has one, and its stored
/// entries.
class RowPacker {
 public:
  explicit RowPacker(const Dataset& data)
      : data_(data),
        sparse_(dynamic_cast<const SparseRows*>(data.rows.get())),
        dense_(dynamic_cast<const DenseRows*>(data.rows.get())) {}

  void add(std::size_t row, std::vector<double>& message) const {
    message.push_back(data_.targets[row]);
    if (!data_.weights.empty()) message.push_back(data_.weights[row]);
    if (dense_) return add_entries(dense_->row(row), dense_->arrays().columns, message);
    const std::vector<std::uint32_t> indices = sparse_->indices(row);
    const std::size_t stored = indices.size() - (sparse_->arrays().constant != 0 ? 1 : 0);
    message.push_back(static_cast<double>(stored));
    message.insert(message.end(), indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(stored));
    add_entries(sparse_->values(row), stored, message);
  }

 private:
  static void add_entries(const Vector& entries, std::size_t stored, std::vector<double>& message) {
    message.insert(message.end(), entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(stored));
  }

  const Dataset& data_;
  const SparseRows* sparse_;
  const DenseRows* dense_;
};

/// Makes a data set of such messages.
class RowBuilder {
 public:
  RowBuilder(const Dataset& like, const RowForm& form)
      : like_(like),
        form_(form),
        sparse_(dynamic_cast<const SparseRows*>(like.rows.get())),
        dense_(dynamic_cast<const DenseRows*>(like.rows.get())) {}

  void add(std::span<const double> message) {
    std::size_t at = 0;
    const auto next = [&] { return message[at++]; };
    const auto copy = [&](auto& to, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k)
        to.push_back(static_cast<typename std::decay_t<decltype(to)>::value_type>(next()));
    };
    while (at < message.size()) {
      targets_.push_back(next());
      if (form_.weighted) weights_.push_back(next());
      if (dense_) {
        copy(values_, dense_->arrays().columns);
        continue;
      }
      const auto stored = static_cast<std::size_t>(next());
      copy(indices_, stored);
      copy(values_, stored);
      offsets_.push_back(indices_.size());
    }
  }

  Dataset built() && {
    Dataset data = like_;
    data.rows = matrix();
    data.nonzeros = data.rows->nonzeros();
    data.targets = std::move(targets_);
    data.weights = std::move(weights_);
    return data;
  }

 private:
  std::shared_ptr<const RowMatrix> matrix() {
    if (dense_) {
      const std::size_t columns = dense_->arrays().columns;
      return std::make_shared<DenseRows>(DenseArrays{DenseArray(SharedArray(std::move(values_))), targets_.size(),
                                                     columns, columns, 1, dense_->arrays().constant});
    }
    SparseArrays arrays = sparse_->arrays();
    arrays.offsets = SharedArray(std::move(offsets_));
    arrays.indices = SharedArray(std::move(indices_));
    if (form_.repeated)
      arrays.values = *form_.repeated;
    else
      arrays.values = SharedArray(std::move(values_));
    return std::make_shared<SparseRows>(std::move(arrays), false);
  }

  const Dataset& like_;
  RowForm form_;
  const SparseRows* sparse_;
  const DenseRows* dense_;
  Vector targets_, weights_;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

constexpr std::size_t rows_at_once = 4096;  // in a message

void send_message(Communicator& ranks, const std::vector<double>& message, std::size_t to) {
  const double size = static_cast<double>(message.size());
  ranks.send({&size, 1}, to);
  ranks.send(message, to);
}

std::vector<double> received(Communicator& ranks, std::size_t from) {
  double size = 0;
  ranks.receive({&size, 1}, from);
  std::vector<double> message(static_cast<std::size_t>(size));
  ranks.receive(message, from);
  return message;
}

RowRange common(const RowRange& a, const RowRange& b) {
  const std::size_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

}  // namespace

Dataset exchanged(const Dataset& rows_of_rank, const RowForm& form, std::span<const RowRange> brought,
                  std::span<const RowRange> held, Communicator& ranks) {
  const std::size_t rank = ranks.rank();
  const RowPacker packer(rows_of_rank);
  RowBuilder builder(rows_of_rank, form);
  const auto packed = [&](const RowRange& rows) {
    std::vector<double> message;
    for (std::size_t i = rows.begin; i < rows.end; ++i) packer.add(i - brought[rank].begin, message);
    return message;
  };
  // All ranks go through the messages in the same order, so that none waits for one that waits for
  // it. The rows of a rank arrive in their order.
  for (std::size_t from = 0; from < brought.size(); ++from)
    for (std::size_t to = 0; to < held.size(); ++to) {
      if (rank != from && rank != to) continue;
      const RowRange all = common(brought[from], held[to]);
      for (std::size_t begin = all.begin; begin < all.end; begin += rows_at_once) {
        const RowRange rows{begin, std::min(all.end, begin + rows_at_once)};
        if (from == to)
          builder.add(packed(rows));
        else if (rank == from)
          send_message(ranks, packed(rows), to);
        else
          builder.add(received(ranks, from));
      }
    }
  return std::move(builder).built();
}

}  // namespace geodescent
