// With p_i the probabilities of row i and C_kl = 1/W A'diag(c_i p_ik p_il)A, the block of classes k
// and l is -C_kl, and that of k and k is the sum of C_kl over l != k, since the p_ik of a row add
// up to 1. So only the K (K - 1) / 2 matrices with k < l are computed. All their weights are
// positive, and nothing cancels. The matrix is read once for all of them.
//
// Where all images are 0, as at the start of most runs, every row has the same probabilities, and
// the C_kl are multiples of one matrix.
//
// With free intercepts the columns are those of A and a constant one, whose part is eliminated.
#include "learn/softmax/softmax_hessian.hpp"

#include <algorithm>
#include <array>

namespace geodescent {
namespace {

/// Each block has its matrices. The limits: much work for each number of them, and 64 MB for all.
constexpr double products_of_a_block = 1 << 18, most_numbers = 8e6;
constexpr std::size_t fewest_rows = 64, most_blocks = 8;
/// Number of rows whose weights are computed together.
constexpr std::size_t rows_together = gram_panel;
/// With fewer pairs of classes each pair has its own pass: products would take longer than sums.
constexpr std::size_t fewest_pairs = 8;

std::size_t pairs_of(std::size_t classes) { return classes * (classes - 1) / 2; }

parallel::Blocks blocks_of(const WholeMatrix& whole, std::size_t pairs, std::size_t most) {
  const double per_row = whole.gram_products * static_cast<double>(pairs) / static_cast<double>(whole.rows + 1);
  const auto grain = static_cast<std::size_t>(products_of_a_block / (per_row + 1)) + 1;
  return parallel::cut(whole.rows, std::max(grain, fewest_rows), most);
}

/// The positions and sizes of the numbers of a block.
struct Layout {
  explicit Layout(const SoftmaxProblem& risk)
      : classes(risk.classes),
        columns(risk.data.columns()),
        gram_scratch(risk.data.matrix().gram_scratch()),
        of_all(softmax_hessian_blocks(risk.data.whole(), columns, classes)[0]) {}

  /// The layout of one matrix, of which those of all pairs are multiples: (k, l) has p_k p_l. It
  /// needs no more memory.
  Layout of_one(const SoftmaxProblem& risk, std::span<const double> probabilities) const {
    Layout one = *this;
    one.multiples = probabilities;
    one.pairs = 1;
    one.together = false;
    one.grams = columns * columns;
    one.border = columns;
    one.numbers = one.grams + one.border + 1;
    one.of_all = softmax_hessian_blocks(risk.data.whole(), columns, classes)[1];
    return one;
  }

  std::size_t classes, columns, gram_scratch;
  parallel::Blocks of_all;  ///< blocks of all rows
  std::size_t pairs = pairs_of(classes);
  bool together = pairs >= fewest_pairs;
  /// The Gram matrices of a block: triangles with `pairs` neighbours, or squares one after the
  /// other.
  std::size_t grams = pairs * (together ? columns * (columns + 1) / 2 : columns * columns);
  /// Then the sums of weighted rows and of weights, with `pairs` neighbours.
  std::size_t border = pairs * columns, numbers = grams + border + pairs;
  std::size_t scratch = 2 * rows_together * pairs + gram_scratch;
  std::span<const double> multiples{};

  std::size_t pair(std::size_t k, std::size_t l) const {
    if (k > l) std::swap(k, l);
    return k * classes - k * (k + 1) / 2 + l - k - 1;
  }
  /// Entry (i, j), i >= j, of the matrix of a pair.
  std::size_t entry(std::size_t i, std::size_t j, std::size_t of_pair) const {
    if (!together) return (of_pair * columns + j) * columns + i;
    return (j * columns - j * (j + 1) / 2 + i) * pairs + of_pair;
  }
};

/// c p_k p_l of the rows of a chunk, for k < l.
void pair_weights(const SoftmaxChunk& rows, double* to) {
  std::array<double, SoftmaxProblem::most_classes> p;
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.curvatures(r, 1, p.data());
    const double c = rows.weight(r);
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const double part = p[k] / c;
      for (std::size_t l = k + 1; l < rows.outputs; ++l) *to++ = part * p[l];
    }
  }
}

void add_block(const SoftmaxProblem& risk, const Layout& layout, const SoftmaxImages& at, std::size_t begin,
               std::size_t end, std::span<double> sums, std::span<double> scratch) {
  const RowMatrix& matrix = risk.data.matrix();
  const std::size_t pairs = layout.pairs, size = layout.columns * layout.columns;
  const std::span<double> weights = scratch.first(rows_together * pairs), by_pair = scratch.subspan(weights.size()),
                          for_gram = scratch.subspan(2 * weights.size());
  const std::size_t at_a_time = RiskOperator::chunk / risk.classes;
  std::fill(sums.begin(), sums.end(), 0.0);
  for (std::size_t i = begin; i < end; i += rows_together) {
    const std::size_t stop = std::min(end, i + rows_together), count = stop - i;
    for (std::size_t r = i; !layout.multiples.empty() && r < stop; ++r) weights[r - i] = risk.weight(r);
    for (std::size_t from = i; layout.multiples.empty() && from < stop; from += at_a_time) {
      SoftmaxChunk rows(risk, from, std::min(at_a_time, stop - from));
      rows.evaluate(at, false);
      pair_weights(rows, weights.data() + (from - i) * pairs);
    }
    if (layout.together) {
      matrix.add_multi_gram(i, stop, pairs, weights, sums.first(layout.grams), for_gram);
    } else {
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        for (std::size_t r = 0; r < count; ++r) by_pair[r] = weights[r * pairs + pair];
        matrix.add_gram(i, stop, by_pair.first(count), sums.subspan(pair * size, size), for_gram);
      }
    }
    if (!risk.free_intercepts) continue;
    matrix.multi_backward(i, stop, pairs, weights, sums.subspan(layout.grams, layout.border));
    double* const totals = sums.data() + layout.grams + layout.border;
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t pair = 0; pair < pairs; ++pair) totals[pair] += weights[r * pairs + pair];
  }
}

/// sums = the sum of those of all blocks, which are one after the other. `sums` is the first of
/// them.
void add_up_blocks(const RowSpace& rows, const parallel::Blocks& blocks, std::span<const double> of_blocks,
                   std::span<double> sums) {
  const auto add = [&](std::span<double> to, std::size_t first_block, std::size_t begin, std::size_t end) {
    for (std::size_t b = first_block; b < blocks.count; ++b)
      for (std::size_t s = begin; s < end; ++s) to[s] += of_blocks[b * sums.size() + s];
  };
  if (rows.alone())
    return parallel::for_each(parallel::cut(sums.size()),
                              [&](std::size_t begin, std::size_t end) { add(sums, 1, begin, end); });
  std::vector<double> total(sums.size());
  rows.add_in_order(total, [&](std::size_t begin, std::size_t end) { add(total, 0, begin, end); });
  std::ranges::copy(total, sums.begin());
}

/// Whether all images are 0; then `p` gets the probabilities of each row.
bool are_alike(const SoftmaxProblem& risk, const SoftmaxImages& at, std::span<double> p) {
  const std::span<const double> z(at.z, risk.rows.local_rows() * risk.classes);
  const bool differ = at.d != nullptr || std::ranges::any_of(z, [](double e) { return e != 0; });
  if (risk.rows.any(differ ? 1 : 0) != 0) return false;
  // Those of the first of all rows: rounding depends on its class.
  SoftmaxChunk first(risk, 0, 1);
  first.evaluate(at, false);
  first.curvatures(0, 1 / first.weight(0), p.data());
  risk.rows.take_from_first(p.first(risk.classes));
  return true;
}

/// body(k, l, C) for all classes: the numbers C of the blocks of the matrix, from those of pairs.
template <class Body>
void for_classes(const Layout& layout, const double* sums, std::size_t stride, const Body& body) {
  for (std::size_t k = 0; k < layout.classes; ++k) {
    double diagonal = 0;
    for (std::size_t l = 0; l < layout.classes; ++l) {
      if (l == k) continue;
      const double e = layout.multiples.empty() ? sums[layout.pair(k, l) * stride]
                                                : layout.multiples[k] * layout.multiples[l] * *sums;
      diagonal += e;
      body(k, l, -e);
    }
    body(k, k, diagonal);
  }
}

/// Turns the Hessian of f(., b) into that of min_b f(V, b). Nothing changes along (1, ..., 1),
/// which gets a curvature of its own.
void eliminate_intercepts(const SoftmaxProblem& risk, const Layout& layout, const double* sums, Hessian& h) {
  const std::size_t classes = layout.classes, size = layout.columns * classes;
  const double w = risk.data.total_weight();
  double trace = 0;
  for_classes(layout, sums + layout.grams + layout.border, 1, [&](std::size_t k, std::size_t l, double e) {
    h.intercept_factor[k * classes + l] = e / w;
    trace += k == l ? e / w : 0;
  });
  for (double& e : h.intercept_factor) e += trace / static_cast<double>(classes * classes);
  h.has_intercepts = trace > 0 && h.intercept_cholesky.factorize(h.intercept_factor.data(), classes, classes);
  if (!h.has_intercepts) return;
  for (std::size_t j = 0; j < layout.columns; ++j)
    for_classes(layout, sums + layout.grams + j * layout.pairs, 1,
                [&](std::size_t k, std::size_t l, double e) { h.border[(j * classes + k) * classes + l] = e / w; });
  parallel::for_each(parallel::cut(size, 16), [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c)
      solve_lower(h.intercept_factor.data(), classes, classes, h.border.data() + c * classes);
  });
  parallel::for_each(parallel::cut(size, 16), [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c)
      for (std::size_t r = c; r < size; ++r)
        h.matrix[c * size + r] -= kernels().dot(h.border.data() + r * classes, h.border.data() + c * classes, classes);
  });
}

}  // namespace

std::array<parallel::Blocks, 2> softmax_hessian_blocks(const WholeMatrix& matrix, std::size_t columns,
                                                       std::size_t classes) {
  const std::size_t pairs = pairs_of(classes);
  const auto d = static_cast<double>(columns);
  const double grams = static_cast<double>(pairs) * (pairs >= fewest_pairs ? d * (d + 1) / 2 : d * d);
  const double most = std::min(most_numbers / (grams + 1), static_cast<double>(most_blocks));
  const parallel::Blocks of_pairs = blocks_of(matrix, pairs, static_cast<std::size_t>(std::max(most, 1.0)));
  return {of_pairs, blocks_of(matrix, 1, of_pairs.count)};
}

bool ranks_have_softmax_hessian(const WholeMatrix& matrix, std::size_t columns, std::size_t classes,
                                std::size_t ranks) {
  const auto divisions = softmax_hessian_blocks(matrix, columns, classes);
  return matrix.rows >= columns && std::ranges::all_of(divisions, [&](const parallel::Blocks& blocks) {
           return enough_blocks(blocks, matrix, ranks);
         });
}

void add_hessian_facts(const RiskOperator& data, Facts& facts) {
  const std::size_t pairs = pairs_of(data.outputs());
  if (!data.alone() &&
      !ranks_have_softmax_hessian(data.whole(), data.columns(), data.outputs(), data.space().ranks()->ranks()))
    return;
  facts.hessian_products = data.whole().gram_products * static_cast<double>(pairs);
  facts.hessian_is_dense = data.matrix().gram_scratch() > 0 || pairs >= fewest_pairs;
}

Hessian softmax_hessian_memory(const SoftmaxProblem& risk) {
  const Layout layout(risk);
  const std::size_t size = layout.columns * layout.classes;
  Hessian h;
  h.matrix.resize(size * size);
  const std::size_t blocks = risk.rows.here(layout.of_all).count;
  h.blocks.resize(std::max<std::size_t>(blocks, 1) * layout.numbers);
  const std::size_t more_if_alike = risk.rows.alone() ? 0 : 2;  // of the blocks of one matrix, which end elsewhere
  h.scratch.resize((blocks + more_if_alike) * layout.scratch);
  h.outputs = layout.classes;
  if (!risk.free_intercepts) return h;
  h.border.resize(size * layout.classes);
  h.intercept_factor.resize(layout.classes * layout.classes);
  h.intercept_cholesky = Cholesky(layout.classes);
  return h;
}

void softmax_hessian(const SoftmaxProblem& risk, const SoftmaxImages& at, Hessian& h) {
  std::array<double, SoftmaxProblem::most_classes> same;
  const Layout of_pairs(risk);
  const bool alike = are_alike(risk, at, same);
  const Layout layout = alike ? of_pairs.of_one(risk, std::span(same).first(risk.classes)) : of_pairs;
  const parallel::Blocks blocks = risk.rows.here(layout.of_all);
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    const std::size_t block = blocks.index(begin);
    add_block(risk, layout, at, begin, end, std::span(h.blocks).subspan(block * layout.numbers, layout.numbers),
              std::span(h.scratch).subspan(block * layout.scratch, layout.scratch));
  });
  const std::span<double> sums = std::span(h.blocks).first(layout.numbers);
  add_up_blocks(risk.rows, blocks, h.blocks, sums);

  const std::size_t classes = layout.classes, size = layout.columns * classes;
  const double w = risk.data.total_weight(), lambda = risk.regularizer.strong_convexity();
  parallel::for_each(parallel::cut(layout.columns, 1), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j)
      for (std::size_t i = j; i < layout.columns; ++i)
        for_classes(layout, sums.data() + layout.entry(i, j, 0), layout.entry(i, j, 1) - layout.entry(i, j, 0),
                    [&](std::size_t k, std::size_t l, double e) {
                      h.matrix[(j * classes + l) * size + i * classes + k] = e / w;
                    });
  });
  for (std::size_t c = 0; c < size; ++c) h.matrix[c * size + c] += lambda;
  if (risk.free_intercepts) eliminate_intercepts(risk, layout, sums.data(), h);
}

}  // namespace geodescent
