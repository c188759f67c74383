#include "matrix/row_sums.hpp"

#include <algorithm>

#include "base/column_products.hpp"

namespace geodescent {

void RowSums::add(const RowSpace& entries, const parallel::Blocks& of_all, const double* ours, std::size_t stride,
                  std::span<double> sums) {
  const std::size_t blocks = entries.here(of_all).count;
  if (entries.alone()) {
    for (std::size_t b = 0; b < blocks; ++b)
      for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += ours[b * stride + s];
    return;
  }
  for (std::size_t b = 0; b < blocks; ++b)
    message_.insert(message_.end(), ours + b * stride, ours + b * stride + sums.size());
  waiting_.push_back({entries, of_all, sums});
}

void RowSums::column_products(const RowSpace& entries, std::span<const double> columns, std::span<const double> x,
                              std::span<double> out) {
  if (entries.alone()) return geodescent::column_products(columns, x, out);
  const parallel::Blocks of_all = column_product_blocks(entries.rows()), blocks = entries.here(of_all);
  std::vector<double> products(blocks.count * out.size());
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    const std::span<double> of_block = std::span(products).subspan(blocks.index(begin) * out.size(), out.size());
    add_column_products(columns, x, begin, end, of_block);
  });
  std::fill(out.begin(), out.end(), 0.0);
  add(entries, of_all, products.data(), out.size(), out);
}

// A rank's message has its blocks of the first sum, then those of the second, and so on.
void RowSums::exchange() {
  if (rows_.alone()) return;
  const std::size_t ranks = rows_.ranks()->ranks();
  std::vector<std::size_t> sizes(ranks);
  for (const Sum& sum : waiting_)
    for (std::size_t r = 0; r < ranks; ++r) sizes[r] += sum.entries.blocks_of(sum.of_all, r) * sum.sums.size();
  std::size_t size = 0;
  std::vector<std::size_t> at(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    at[r] = size;
    size += sizes[r];
  }
  std::vector<double> all(size);
  if (size > 0) rows_.ranks()->gather(message_, sizes, all);
  for (const Sum& sum : waiting_)
    for (std::size_t r = 0; r < ranks; ++r)
      for (std::size_t b = sum.entries.blocks_of(sum.of_all, r); b > 0; --b)
        for (double& s : sum.sums) s += all[at[r]++];
  waiting_.clear();
  message_.clear();
}

}  // namespace geodescent
