// The matrix of a risk with the rows of all ranks, and the blocks of rows that sums are made of.
#pragma once

#include <cstddef>
#include <vector>

#include "base/parallel.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/data/row_matrix.hpp"
#include "matrix/row_space.hpp"

namespace geodescent {

struct SharedRows;

/// Known facts about the matrix of all rows, which may be on several ranks.
struct WholeMatrix {
  std::size_t rows = 0;
  std::size_t nonzeros = 0;
  std::size_t longest_row = 0;
  double gram_products = 0;
  double squared_norm = 0;  ///< the sum of all squared entries
  double total_weight = 0;  ///< of the rows
  double row_norm = 0;      ///< sqrt of the (weighted) mean of |a_i|^2

  /// On ranks three rounds.
  static WholeMatrix of(const Dataset& data);
  /// The first four members.
  static WholeMatrix of(const SharedRows& all);
};
/// Where the rows of the data are.
RowSpace row_space_of(const Dataset& data);
/// The sum of weight_i |a_i|^2 over a block of rows.
double weighted_squares(const Dataset& data, std::size_t begin, std::size_t end);

/// Of the rows here, for a forward pass.
parallel::Blocks cut_forward(const RowMatrix& here, const WholeMatrix& matrix, std::size_t outputs);
/// Of all rows, for a backward pass.
inline constexpr std::size_t most_backward_blocks = 64;
parallel::Blocks cut_backward(const WholeMatrix& matrix, std::size_t columns, std::size_t outputs);
/// Of all rows, for the Hessian of one output.
parallel::Blocks cut_hessian(const WholeMatrix& matrix, std::size_t columns);

/// Whether so many ranks can share these blocks. With few large ones a rank would need the rows of
/// many others.
bool enough_blocks(const parallel::Blocks& of_all, const WholeMatrix& matrix, std::size_t ranks);
/// The same for the blocks of a Hessian of one output. With fewer rows than columns ranks have
/// none, so that no rank needs all of few but very long rows.
bool shares_hessian(const WholeMatrix& matrix, std::size_t columns, std::size_t ranks);
/// The divisions into blocks that sums over the rows of a risk use, on so many ranks.
std::vector<parallel::Blocks> divisions_of_rows(const WholeMatrix& matrix, std::size_t columns, bool is_dense,
                                                std::size_t outputs, std::size_t ranks);

}  // namespace geodescent
