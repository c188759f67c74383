// How ranks agree about their rows, and who holds which.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/column_products.hpp"
#include "certificate/rows/divisions.hpp"
#include "data/assemble/checked.hpp"
#include "data/ranks/rank_messages.hpp"
#include "data/ranks/shared_rows.hpp"
#include "geodescent/ranks.hpp"
#include "learn/linear/risk_operator.hpp"
#include "learn/ranks/moved_rows.hpp"
#include "learn/softmax/softmax_problem.hpp"
#include "learn/softmax/softmax_rows.hpp"
#include "matrix/row_totals.hpp"
#include "matrix/used_columns.hpp"
#include "optimize/search/reduced.hpp"

namespace geodescent {
namespace {

constexpr double sparse = 0, dense = 1, unknown = 2;  // forms of matrices

/// What a rank tells the others about its rows.
struct RowsOfRank {
  double rows = 0, columns = 0, entries = 0, nonzeros = 0, longest_row = 0, gram_products = 0;
  double form = unknown;
  double weighted = 0;
  double constant = 0;               ///< of the last column, if it is stored as one number
  double repeats = 0, repeated = 0;  ///< whether all entries are stored as one number, and the number
};
/// The same as numbers, for a message.
using NumbersOfRank = std::array<double, sizeof(RowsOfRank) / sizeof(double)>;

RowsOfRank describe(const Dataset& data) {
  require_one_process(data, "on_ranks");
  const RowMatrix& m = *checked(data).rows;
  RowsOfRank r{.rows = static_cast<double>(m.rows()),
               .columns = static_cast<double>(m.columns()),
               .entries = static_cast<double>(data.nonzeros),
               .nonzeros = static_cast<double>(m.nonzeros()),
               .longest_row = static_cast<double>(m.longest_row()),
               .gram_products = m.gram_products(),
               .weighted = data.weights.empty() ? 0.0 : 1.0};
  if (const auto* of = dynamic_cast<const SparseRows*>(&m)) {
    r.form = sparse;
    r.constant = of->arrays().constant;
    if (const double* number = std::get_if<double>(&of->arrays().values)) {
      r.repeats = 1;
      r.repeated = *number;
    }
  } else if (const auto* of_dense = dynamic_cast<const DenseRows*>(&m)) {
    r.form = dense;
    r.constant = of_dense->arrays().constant;
  }
  return r;
}

/// What all ranks tell. Throws on all of them if one cannot use its rows.
std::vector<RowsOfRank> rows_of_ranks(const Dataset& rows_of_rank, Communicator& ranks) {
  RowsOfRank ours;
  on_all_ranks(
      ranks, [&] { ours = describe(rows_of_rank); }, ErrorPlace::rank);
  std::vector<RowsOfRank> all;
  auto numbers = std::bit_cast<NumbersOfRank>(ours);
  std::vector<double> of_all(ranks.ranks() * numbers.size());
  ranks.gather(numbers, std::vector<std::size_t>(ranks.ranks(), numbers.size()), of_all);
  for (auto next = of_all.begin(); next != of_all.end(); next += std::ssize(numbers)) {
    std::copy_n(next, numbers.size(), numbers.begin());
    all.push_back(std::bit_cast<RowsOfRank>(numbers));
  }
  return all;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

bool has_rows(const RowsOfRank& r) { return r.rows > 0; }

/// Throws where rows of different ranks do not fit each other.
void check(const std::vector<RowsOfRank>& all) {
  const RowsOfRank& first = all.front();
  for (const RowsOfRank& r : all) {
    require(r.form != unknown, "on_ranks needs rows in SparseRows or DenseRows");
    require(r.form == first.form, "the rows of all ranks must be sparse, or all must be dense");
    require(r.columns == first.columns, "the rows of all ranks must have the same number of columns");
    require(r.constant == first.constant, "the constant column must be the same on all ranks");
  }
  const auto is_weighted = [&](const RowsOfRank& r) { return !has_rows(r) || r.weighted != 0; };
  const auto is_plain = [&](const RowsOfRank& r) { return !has_rows(r) || r.weighted == 0; };
  require(std::ranges::all_of(all, is_weighted) || std::ranges::all_of(all, is_plain),
          "either all ranks have sample weights or none");
  require(std::ranges::any_of(all, has_rows), "a data set needs at least one row");
}

RowForm form_of(const std::vector<RowsOfRank>& all) {
  const auto shows = std::ranges::find_if(all, [](const RowsOfRank& r) { return r.nonzeros > 0; });
  RowForm form{.weighted = std::ranges::any_of(all, [](const RowsOfRank& r) { return r.weighted != 0; })};
  const auto repeats = [&](const RowsOfRank& r) {
    return r.nonzeros == 0 || (r.repeats != 0 && r.repeated == shows->repeated);
  };
  if (shows != all.end() && std::ranges::all_of(all, repeats)) form.repeated = shows->repeated;
  return form;
}

/// The rows of this process, with what is known about those of all.
struct RowsOnRanks final : SharedRows {
  Dataset with_constant(Dataset data, double constant) const override {
    auto with = std::make_shared<RowsOnRanks>(*this);
    // Each row of k entries has k (k + 1) / 2 products, and k + 1 more with the constant.
    with->gram_products += static_cast<double>(nonzeros + rows);
    with->nonzeros += rows;
    ++with->longest_row;
    data.rows = data.rows->with_constant(constant);
    data.nonzeros += rows;
    data.constant = constant;
    data.ranks = with;
    with->order_rows(data);
    return data;
  }

  void order_rows(Dataset& data) const override {
    const auto* const matrix = dynamic_cast<const SparseRows*>(data.rows.get());
    if (!matrix) return;
    const parallel::Blocks blocks = sparse_total_blocks(rows, nonzeros);
    const auto changes = row_space_of(data).sum<1>(blocks, [&](std::size_t begin, std::size_t end) {
      return parallel::Sums<1>{{static_cast<double>(totals_of(*matrix, begin, end).changes_of_length)}};
    });
    const bool by_length = pays_to_order(rows, nonzeros, static_cast<std::uint64_t>(changes[0]));
    data.rows = std::make_shared<SparseRows>(matrix->arrays(), by_length);
  }
};

std::shared_ptr<RowsOnRanks> shared_rows_of(const std::vector<RowsOfRank>& all) {
  auto shared = std::make_shared<RowsOnRanks>();
  for (const RowsOfRank& r : all) {
    shared->rows += static_cast<std::size_t>(r.rows);
    shared->nonzeros += static_cast<std::size_t>(r.nonzeros);
    shared->longest_row = std::max(shared->longest_row, static_cast<std::size_t>(r.longest_row));
    shared->gram_products += r.gram_products;
  }
  return shared;
}

/// The number of columns with entries, if a training leaves out the others (UsedData).
std::size_t used_columns_of(const RowMatrix& brought, const SharedRows& all) {
  const std::optional<UsedColumns> used = UsedColumns::of(brought, all.nonzeros, *all.ranks);
  return used ? used->count() : brought.columns();
}

/// The matrix that sums are over. With 1 or no constant column.
WholeMatrix matrix_of(const SharedRows& all, std::size_t constant) {
  WholeMatrix whole = WholeMatrix::of(all);
  whole.gram_products += static_cast<double>(constant * (all.nonzeros + all.rows));
  whole.nonzeros += constant * all.rows;
  return whole;
}

/// Numbers of columns that trainings work with.
struct Columns {
  std::size_t all = 0, used = 0;
};

/// Of all sums over these rows with one output: in proofs, and in trainings, which may leave out
/// columns. With and without a constant column.
std::vector<parallel::Blocks> all_divisions(const SharedRows& all, const Columns& columns, bool is_dense) {
  std::vector<parallel::Blocks> divisions{column_product_blocks(all.rows), reduced_blocks(all.rows)};
  const auto add = [&](const std::vector<parallel::Blocks>& more) {
    divisions.insert(divisions.end(), more.begin(), more.end());
  };
  add(proof::divisions_of_proofs(all.rows, all.held.size()));
  for (const std::size_t constant : {0, 1}) {
    const WholeMatrix whole = matrix_of(all, constant);
    for (const std::size_t worked_on : {columns.all, columns.used})
      add(divisions_of_rows(whole, worked_on + constant, is_dense, 1, all.held.size()));
    divisions.push_back(is_dense ? dense_total_blocks(all.rows, columns.all + constant)
                                 : sparse_total_blocks(all.rows, whole.nonzeros));
  }
  return divisions;
}

/// The number of different targets; 0 if they are too many for softmax.
std::size_t number_of_classes(const Vector& targets, Communicator& ranks) {
  constexpr std::size_t most = SoftmaxProblem::most_classes;
  std::set<double> of_all;
  const auto add = [&](std::span<const double> numbers) {
    for (std::size_t i = 0; i < numbers.size() && of_all.size() <= most; ++i) of_all.insert(numbers[i]);
  };
  add(targets);
  add(gather_all(ranks, std::vector<double>(of_all.begin(), of_all.end())));
  return of_all.size() <= most ? of_all.size() : 0;
}

/// The rows that a rank needs for sums over these rows, with and without a constant column, and for
/// softmax.
RowRange held_by(std::size_t rank, const SharedRows& all, const Columns& columns, bool is_dense, std::size_t classes) {
  const std::size_t ranks = all.held.size();
  RowRange held =
      RowShares{all.rows, ranks}.held(all_divisions(all, columns, is_dense), rank, RowShares::group(is_dense));
  if (classes < 2) return held;
  for (const std::size_t constant : {0, 1})
    for (const std::size_t worked_on : {columns.all, columns.used}) {
      const RowRange more =
          held_for_softmax(matrix_of(all, constant), worked_on + constant, is_dense, classes, rank, ranks);
      held = {std::min(held.begin, more.begin), std::max(held.end, more.end)};
    }
  return held;
}

}  // namespace

Dataset on_ranks(const Dataset& rows_of_rank, const std::shared_ptr<Communicator>& communicator) {
  if (!communicator) throw std::invalid_argument("on_ranks needs a communicator");
  const std::vector<RowsOfRank> all = rows_of_ranks(rows_of_rank, *communicator);
  check(all);
  if (all.size() == 1) return rows_of_rank;

  const std::shared_ptr<RowsOnRanks> shared = shared_rows_of(all);
  shared->ranks = communicator;
  shared->held.resize(all.size());
  std::vector<RowRange> brought(all.size());
  const std::size_t classes = number_of_classes(rows_of_rank.targets, *communicator);
  const Columns columns{static_cast<std::size_t>(all.front().columns), used_columns_of(*rows_of_rank.rows, *shared)};
  double entries = 0;
  for (std::size_t r = 0, begin = 0; r < all.size(); ++r) {
    brought[r] = {begin, begin + static_cast<std::size_t>(all[r].rows)};
    begin = brought[r].end;
    shared->held[r] = held_by(r, *shared, columns, all.front().form == dense, classes);
    shared->shares.push_back(RowShares{shared->rows, all.size()}.of(r));
    entries += all[r].entries;
  }
  Dataset data = exchanged(rows_of_rank, form_of(all), brought, shared->held, *communicator);
  data.nonzeros = static_cast<std::size_t>(entries);
  data.ranks = shared;
  shared->order_rows(data);
  return data;
}

}  // namespace geodescent
