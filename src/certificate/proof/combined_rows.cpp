// The backward pass of a proof: sums of multiples of rows, one for each column, and the sum of
// their squares.
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <functional>

#include "certificate/proof/problem.hpp"
#include "certificate/rows/row_sums.hpp"

namespace geodescent::proof {
namespace {

/// Parts of the columns that have threads of their own.
constexpr std::size_t most_parts = 8;
constexpr std::size_t entries_of_part = 1 << 14;
constexpr std::size_t sampled_rows = 256;

/// The first column of each part, so that the parts have about equally many entries.
std::vector<std::size_t> first_columns(const RowMatrix& matrix, std::size_t parts) {
  std::vector<std::uint32_t> sample, indices;
  Vector values;
  const std::size_t rows = std::min(matrix.rows(), sampled_rows);
  for (std::size_t k = 0; k < rows; ++k) {
    matrix.copy_row(k * matrix.rows() / rows, indices, values);
    sample.insert(sample.end(), indices.begin(), indices.end());
  }
  std::vector<std::size_t> first{0};
  for (std::size_t part = 1; part < parts; ++part) {
    const auto at = sample.begin() + static_cast<std::ptrdiff_t>(part * sample.size() / parts);
    std::nth_element(sample.begin(), at, sample.end());
    first.push_back(at == sample.end() ? 0 : *at);
  }
  return first;
}

/// The sum of a column as it travels from rank to rank.
struct TravellingSum {
  static constexpr std::size_t numbers = 4;

  ProductSum sum;
  double occurs = 0;  ///< not 0: the sum has terms, or counts without them

  static TravellingSum from(const double* n) { return {{n[0], n[1], n[2]}, n[3]}; }
  void put(double* n) const {
    n[0] = sum.high();
    n[1] = sum.low();
    n[2] = sum.magnitude();
    n[3] = occurs;
  }
};

/// The sum of the squares of columns whose sums travel through the ranks. add(begin, end, sums)
/// adds the rows of this rank to the sums of some columns, TravellingSum::numbers for each, and is
/// called in `pieces` pieces, so that all ranks work at the same time. `terms` as in
/// RowSum::add_square.
Bounded sum_of_squares(const AllRows& rows, std::size_t columns, std::size_t pieces, std::size_t terms,
                       const std::function<void(std::size_t begin, std::size_t end, std::span<double> sums)>& add) {
  constexpr std::size_t numbers = TravellingSum::numbers;
  const parallel::Blocks blocks = sum_blocks(columns);
  const std::size_t blocks_of_piece = (blocks.count + pieces - 1) / pieces;
  Communicator& ranks = rows.ranks();
  const bool is_last = ranks.rank() + 1 == ranks.ranks();
  std::vector<double> of_blocks(is_last ? 3 * blocks.count : 0), sums;
  std::exception_ptr error;
  for (std::size_t first = 0; first < blocks.count; first += blocks_of_piece) {
    const std::size_t last = std::min(blocks.count, first + blocks_of_piece);
    const std::size_t begin = blocks.begin(first), end = blocks.end(last - 1);
    sums.assign((end - begin) * numbers, 0.0);
    ranks.pass_on(sums, [&] {
      try {
        add(begin, end, sums);
      } catch (...) {  // the other ranks wait for the sums
        error = std::current_exception();
      }
    });
    if (!is_last) continue;
    for_each_block(parallel::Blocks{last - first, 1, last - first}, [&](std::size_t k, std::size_t, std::size_t) {
      RowSum squares;
      for (std::size_t j = blocks.begin(first + k); j < blocks.end(first + k); ++j) {
        const TravellingSum column = TravellingSum::from(sums.data() + (j - begin) * numbers);
        if (column.occurs != 0) squares.add_square(column.sum, terms);
      }
      const Bounded of_block = squares.result();
      double* const to = of_blocks.data() + 3 * (first + k);
      to[0] = of_block.value.high;
      to[1] = of_block.value.low;
      to[2] = of_block.error;
    });
  }
  rows.together([&] {
    if (error) std::rethrow_exception(error);
  });
  std::vector<std::size_t> sizes(ranks.ranks());
  sizes.back() = 3 * blocks.count;
  std::vector<double> all(sizes.back());
  ranks.gather(of_blocks, sizes, all);
  BoundedSum total;
  for (std::size_t k = 0; k < all.size(); k += 3) total.add({{all[k], all[k + 1]}, all[k + 2]});
  return total.result();
}

/// Enough that ranks seldom wait for one another, and few, as each may read all rows.
std::size_t pieces_for(const Communicator& ranks) { return std::min<std::size_t>(2 * ranks.ranks(), 16); }

}  // namespace

/// For wide rows: each thread takes all rows, but only some of the columns. A sum adds its products
/// in the order of the rows, so the bits do not depend on the number of parts.
Bounded ProblemData::wide_squared_sums(const RowFactors& factors_of) const {
  const std::size_t useful = std::min(most_parts, data_.rows->nonzeros() / entries_of_part + 1);
  const std::size_t parts = std::min(useful, static_cast<std::size_t>(threads()));
  const std::vector<std::size_t> first = first_columns(matrix(), parts);
  std::vector<ColumnSums> sums;
  for (std::size_t part = 0; part < parts; ++part)
    sums.emplace_back(first[part], part + 1 < parts ? first[part + 1] : columns(), matrix());
  for_each_block({parts, 1, parts}, [&](std::size_t part, std::size_t, std::size_t) {
    RowBatch batch(matrix());
    Vector factors;
    for (std::size_t i = 0; i < rows(); i = batch.end()) {
      read(batch, i, rows());
      factors.resize(batch.size());
      factors_of(i, factors);
      sums[part].add_multiples(factors, batch);
    }
  });
  return sum_over<RowSum>(columns(), [&](std::size_t begin, std::size_t end, RowSum& squares) {
    auto part = sums.begin();
    for (std::size_t j = begin; j < end; ++j) {
      while (j >= part->end()) ++part;
      if (const ProductSum* const column = part->of(j)) squares.add_square(*column, rows());
    }
  });
}

/// The same where each rank continues the sums of the ranks before it.
Bounded ProblemData::wide_squared_sums_of_ranks(const RowFactors& factors_of) const {
  const RowRange share = all_.share();
  const bool all_count = !ColumnSums::finds_places(all_.nonzeros(), columns());
  const auto add = [&](std::size_t first, std::size_t last, std::span<double> sums) {
    const parallel::Blocks parts = parallel::cut(last - first, 1024, static_cast<std::size_t>(threads()));
    for_each_block(parts, [&](std::size_t, std::size_t begin, std::size_t end) {
      double* const numbers = sums.data() + begin * TravellingSum::numbers;
      std::vector<TravellingSum> columns_of_part(end - begin);
      for (std::size_t k = 0; k < columns_of_part.size(); ++k) {
        columns_of_part[k] = TravellingSum::from(numbers + k * TravellingSum::numbers);
        if (all_count) columns_of_part[k].occurs = 1;
      }
      RowBatch batch(matrix());
      Vector factors;
      for (std::size_t i = share.begin; i < share.end; i = batch.end()) {
        read(batch, i, share.end);
        factors.resize(batch.size());
        factors_of(i, factors);
        for (std::size_t r = 0; r < batch.size(); ++r) {
          if (factors[r] == 0) continue;
          const std::span<const std::uint32_t> indices = batch.indices(i + r);
          const double* const values = batch.values(i + r).data();
          auto k = static_cast<std::size_t>(std::ranges::lower_bound(indices, first + begin) - indices.begin());
          for (; k < indices.size() && indices[k] < first + end; ++k) {
            TravellingSum& column = columns_of_part[indices[k] - first - begin];
            column.sum.add(factors[r], values[k]);
            column.occurs = 1;
          }
        }
      }
      for (std::size_t k = 0; k < columns_of_part.size(); ++k)
        columns_of_part[k].put(numbers + k * TravellingSum::numbers);
    });
  };
  return sum_of_squares(all_, columns(), pieces_for(all_.ranks()), all_.size(), add);
}

namespace {

void start(ProductSums& sums, std::size_t columns) { sums.start(columns); }
void start(std::vector<ProductSum>& sums, std::size_t columns) { sums.resize(columns); }

void set(ProductSums& sums, std::size_t k, const ProductSum& to) {
  sums.high[k] = to.high();
  sums.low[k] = to.low();
  sums.magnitude[k] = to.magnitude();
}
void set(std::vector<ProductSum>& sums, std::size_t k, const ProductSum& to) { sums[k] = to; }

/// The sums of the columns in the blocks that end among the rows of this rank. A rank goes on with
/// the sums of a block that another one has begun.
template <class Sums, class Add>
std::vector<Sums> sums_of_blocks(const AllRows& rows, const parallel::Blocks& of_all, std::size_t columns,
                                 const Add& add) {
  const std::vector<AllRows::Segment> parts = rows.segments(of_all);
  std::vector<Sums> sums(parts.size());
  std::exception_ptr error;
  const auto try_to_add = [&](std::size_t first, std::size_t count) {
    try {
      for_each_block(parallel::Blocks{first + count, 1, count, first}, [&](std::size_t, std::size_t k, std::size_t) {
        if (parts[k].begins) start(sums[k], columns);
        add(parts[k].begin, parts[k].end, sums[k]);
      });
    } catch (...) {  // other ranks wait for the sums
      error = std::current_exception();
    }
  };
  const bool goes_on = !parts.empty() && !parts.front().begins, is_open = !parts.empty() && !parts.back().ends;
  try_to_add(goes_on ? 1 : 0, parts.size() - (goes_on ? 1 : 0));
  constexpr std::size_t numbers = 3;  // of a sum
  std::vector<double> travelling(goes_on || is_open ? numbers * columns : 0);
  if (goes_on) {
    rows.ranks().receive(travelling, rows.rank_before());
    start(sums.front(), columns);
    for (std::size_t j = 0; j < columns; ++j) {
      const double* const n = travelling.data() + numbers * j;
      set(sums.front(), j, {n[0], n[1], n[2]});
    }
    try_to_add(0, 1);
  }
  if (is_open) {
    if (!error)
      for (std::size_t j = 0; j < columns; ++j) {
        const ProductSum sum = sums.back()[j];
        std::ranges::copy(std::array{sum.high(), sum.low(), sum.magnitude()}, travelling.data() + numbers * j);
      }
    rows.ranks().send(travelling, rows.rank_after());
    sums.pop_back();
  }
  rows.together([&] {
    if (error) std::rethrow_exception(error);
  });
  return sums;
}

}  // namespace

/// The sum of the squares of the columns. add(begin, end, sums) adds rows to the sums of a block,
/// one for each column.
template <class Sums, class Add>
Bounded ProblemData::squared_sums(const Add& add) const {
  const parallel::Blocks blocks = column_sum_blocks(all_.size(), all_.nonzeros(), columns());
  const std::size_t terms = blocks.length + blocks.count;
  const std::vector<Sums> sums = sums_of_blocks<Sums>(all_, blocks, columns(), add);
  if (all_.alone())
    return sum_over<RowSum>(columns(), [&](std::size_t begin, std::size_t end, RowSum& squares) {
      for (std::size_t j = begin; j < end; ++j) {
        ProductSum column = sums[0][j];
        for (std::size_t block = 1; block < blocks.count; ++block) column.add(sums[block][j]);
        squares.add_square(column, terms);
      }
    });
  return sum_of_squares(all_, columns(), pieces_for(all_.ranks()), terms,
                        [&](std::size_t first, std::size_t last, std::span<double> numbers) {
                          for (std::size_t j = first; j < last; ++j) {
                            double* const to = numbers.data() + (j - first) * TravellingSum::numbers;
                            TravellingSum column = TravellingSum::from(to);
                            for (const Sums& of_block : sums) {
                              if (column.occurs != 0)
                                column.sum.add(of_block[j]);
                              else
                                column = {of_block[j], 1};
                            }
                            column.put(to);
                          }
                        });
}

Bounded ProblemData::combined_rows_squared(const RowFactors& factors_of) const {
  if (dense_ != nullptr) {
    return squared_sums<ProductSums>([&](std::size_t begin, std::size_t end, ProductSums& sums) {
      Vector factors;
      for (std::size_t i = begin; i < end;) {
        const std::size_t next = next_dense_rows(i, end);
        factors.resize(next - i);
        factors_of(i, factors);
        add_multiples(*dense_, i, next, factors, sums);
        i = next;
      }
    });
  }
  if (is_wide(all_.nonzeros(), columns()))
    return all_.alone() ? wide_squared_sums(factors_of) : wide_squared_sums_of_ranks(factors_of);
  return squared_sums<std::vector<ProductSum>>([&](std::size_t begin, std::size_t end, std::vector<ProductSum>& sums) {
    RowBatch batch(matrix());
    Vector factors;
    for (std::size_t i = begin; i < end; i = batch.end()) {
      read(batch, i, end);
      factors.resize(batch.size());
      factors_of(i, factors);
      add_multiples(factors, batch, sums);
    }
  });
}

}  // namespace geodescent::proof
