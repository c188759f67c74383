// Some rows of a data set, as one rank brings them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "geodescent/data/dataset.hpp"

namespace geodescent::testing {

/// The rows begin <= i < end.
inline Dataset rows_between(const Dataset& data, std::size_t begin, std::size_t end) {
  const auto part = [&](const auto& numbers) {
    return std::decay_t<decltype(numbers)>(numbers.begin() + static_cast<std::ptrdiff_t>(begin),
                                           numbers.begin() + static_cast<std::ptrdiff_t>(end));
  };
  Dataset some;
  some.name = data.name;
  some.zero_based = data.zero_based;
  some.constant = data.constant;
  some.class_weights = data.class_weights;
  some.targets = part(data.targets);
  if (!data.weights.empty()) some.weights = part(data.weights);
  if (const auto* dense = dynamic_cast<const DenseRows*>(data.rows.get())) {
    Vector entries;
    for (std::size_t i = begin; i < end; ++i)
      for (const double e : dense->row(i)) entries.push_back(e);
    some.rows = std::make_shared<DenseRows>(
        DenseArrays{DenseArray(SharedArray(std::move(entries))), end - begin, dense->columns(), dense->columns()});
  } else {
    const auto& sparse = dynamic_cast<const SparseRows&>(*data.rows);
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> indices;
    Vector values;
    for (std::size_t i = begin; i < end; ++i) {
      for (const std::uint32_t j : sparse.indices(i)) indices.push_back(j);
      for (const double v : sparse.values(i)) values.push_back(v);
      offsets.push_back(indices.size());
    }
    some.rows =
        std::make_shared<SparseRows>(std::move(offsets), std::move(indices), std::move(values), data.rows->columns());
  }
  some.nonzeros = some.rows->nonzeros();
  return some;
}

/// The rows of a rank: more for later ranks, and none for the second of many.
inline Dataset rows_of_rank(const Dataset& data, std::size_t rank, std::size_t ranks) {
  const std::size_t rows = data.targets.size();
  const auto border = [&](std::size_t r) {
    if (r == 2 && ranks > 3) r = 1;
    return rows * r * (r + 1) / (ranks * (ranks + 1));
  };
  return rows_between(data, border(rank), border(rank + 1));
}

}  // namespace geodescent::testing
