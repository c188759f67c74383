#include "learn/ranks/rank_rows.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/column_products.hpp"
#include "base/exact_sum.hpp"
#include "data/assemble/checked.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/risk.hpp"
#include "learn/ranks/rank_messages.hpp"
#include "matrix/row_totals.hpp"
#include "optimize/search/reduced.hpp"

namespace geodescent {
namespace {

constexpr double sparse = 0, dense = 1, unknown = 2;  // forms of matrices

/// What a rank tells the others about its rows.
struct RowsOfRank {
  double usable = 0;  ///< 0: it has thrown an exception
  double rows = 0, columns = 0, nonzeros = 0, longest_row = 0, gram_products = 0;
  double form = unknown;
  double weighted = 0;
  double constant = 0;               ///< of the last column, if it is stored as one number
  double repeats = 0, repeated = 0;  ///< whether all entries are stored as one number, and the number
};
constexpr std::size_t facts_of_a_rank = sizeof(RowsOfRank) / sizeof(double);

RowsOfRank describe(const Dataset& data) {
  const RowMatrix& m = *data.rows;
  RowsOfRank r{.usable = 1,
               .rows = static_cast<double>(m.rows()),
               .columns = static_cast<double>(m.columns()),
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

/// The rows of all ranks. `error` is that of this rank. Throws on all ranks if one has an error.
std::vector<RowsOfRank> gathered(const RowsOfRank& ours, const std::exception_ptr& error, Communicator& ranks) {
  std::vector<RowsOfRank> all(ranks.ranks());
  const std::vector<std::size_t> sizes(all.size(), facts_of_a_rank);
  static_assert(sizeof(RowsOfRank) == facts_of_a_rank * sizeof(double));
  std::vector<double> numbers(all.size() * facts_of_a_rank);
  ranks.gather({&ours.usable, facts_of_a_rank}, sizes, numbers);
  for (std::size_t r = 0; r < all.size(); ++r)
    std::copy_n(numbers.data() + r * facts_of_a_rank, facts_of_a_rank, &all[r].usable);
  if (error) std::rethrow_exception(error);
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].usable == 0) throw InputError(fmt::format("rank {} cannot use its rows; its message has the reason", r));
  return all;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

/// Throws where rows of different ranks do not fit each other, or there is no way yet to sum over them.
void check(const std::vector<RowsOfRank>& all, const WholeMatrix& whole) {
  const RowsOfRank& first = all.front();
  for (const RowsOfRank& r : all) {
    require(r.form != unknown, "ranks need rows in SparseRows or DenseRows");
    require(r.form == first.form, "the rows of all ranks must be sparse, or all must be dense");
    require(r.columns == first.columns, "the rows of all ranks must have the same number of columns");
    require(r.constant == first.constant, "the constant column must be the same on all ranks");
  }
  const auto has_rows = [](const RowsOfRank& r) { return r.rows > 0; };
  const auto is_weighted = [&](const RowsOfRank& r) { return !has_rows(r) || r.weighted != 0; };
  const auto is_plain = [&](const RowsOfRank& r) { return !has_rows(r) || r.weighted == 0; };
  require(std::ranges::all_of(all, is_weighted) || std::ranges::all_of(all, is_plain),
          "either all ranks have sample weights or none");
  require(std::ranges::any_of(all, has_rows), "a risk needs at least one row");
  const auto columns = static_cast<std::size_t>(first.columns);
  require(whole.rows >= columns, "ranks need at least as many rows as columns; use one process for fewer rows");
  require(first.form == dense || !ColumnParts::are_faster(whole.nonzeros, columns),
          "ranks need 128 or more entries per column, or fewer than 2^20 entries; use one process for sparser columns");
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

WholeMatrix whole_of(const std::vector<RowsOfRank>& all) {
  WholeMatrix whole;
  for (const RowsOfRank& r : all) {
    whole.rows += static_cast<std::size_t>(r.rows);
    whole.nonzeros += static_cast<std::size_t>(r.nonzeros);
    whole.longest_row = std::max(whole.longest_row, static_cast<std::size_t>(r.longest_row));
    whole.gram_products += r.gram_products;
  }
  return whole;
}

std::vector<parallel::Blocks> all_divisions(const WholeMatrix& whole, std::size_t columns, bool is_dense,
                                            std::size_t ranks) {
  std::vector<parallel::Blocks> divisions = divisions_of_rows(whole, columns, ranks);
  divisions.push_back(column_product_blocks(whole.rows));
  divisions.push_back(reduced_blocks(whole.rows));
  divisions.push_back(is_dense ? dense_total_blocks(whole.rows, columns)
                               : sparse_total_blocks(whole.rows, whole.nonzeros));
  return divisions;
}

RowTotals totals_of(const RowMatrix& rows, std::size_t begin, std::size_t end) {
  if (const auto* of = dynamic_cast<const SparseRows*>(&rows)) return totals_of(*of, begin, end);
  return totals_of(dynamic_cast<const DenseRows&>(rows), begin, end);
}

double total_weight(const Dataset& data, const RowSpace& space) {
  if (data.weights.empty()) return static_cast<double>(space.rows());
  const RowRange share = space.share();
  const std::vector<double> parts = exact_parts(std::span(data.weights).subspan(share.begin, share.size()));
  return exact_sum(gather_all(*space.ranks(), parts));
}

}  // namespace

RankRows RankRows::of(const Dataset& rows_of_rank, const std::shared_ptr<Communicator>& ranks) {
  RowsOfRank ours;
  std::exception_ptr error;
  try {
    ours = describe(checked(rows_of_rank));
  } catch (const std::exception&) {
    error = std::current_exception();
  }
  const std::vector<RowsOfRank> all = gathered(ours, error, *ranks);
  WholeMatrix whole = whole_of(all);
  check(all, whole);
  if (all.size() == 1) return {rows_of_rank, RowSpace(whole.rows), WholeMatrix::of(rows_of_rank)};

  const bool is_dense = all.front().form == dense;
  const auto columns = static_cast<std::size_t>(all.front().columns);
  std::vector<RowRange> brought(all.size()), held(all.size());
  const std::vector<parallel::Blocks> divisions = all_divisions(whole, columns, is_dense, all.size());
  for (std::size_t r = 0, begin = 0; r < all.size(); ++r) {
    brought[r] = {begin, begin + static_cast<std::size_t>(all[r].rows)};
    begin = brought[r].end;
    held[r] = RowShares{whole.rows, all.size()}.held(divisions, r);
  }
  Dataset data = exchanged(rows_of_rank, form_of(all), brought, held, *ranks);
  const RowSpace space(ranks, whole.rows, held[ranks->rank()]);

  const auto totals = space.sum<2>(divisions.back(), [&](std::size_t begin, std::size_t end) {
    const RowTotals of_block = totals_of(*data.rows, begin, end);
    return parallel::Sums<2>{{of_block.squares, static_cast<double>(of_block.changes_of_length)}};
  });
  if (!is_dense) {
    const bool by_length = pays_to_order(whole.rows, whole.nonzeros, static_cast<std::uint64_t>(totals[1]));
    data.rows = std::make_shared<SparseRows>(dynamic_cast<const SparseRows&>(*data.rows).arrays(), by_length);
  }
  whole.total_weight = total_weight(data, space);
  double squares = totals[0];
  if (!data.weights.empty())
    squares = space.sum<1>(
        [&](std::size_t begin, std::size_t end) { return parallel::Sums<1>{{weighted_squares(data, begin, end)}}; })[0];
  whole.row_norm = std::sqrt(squares / whole.total_weight);
  return {std::move(data), space, whole};
}

std::vector<std::int8_t> RankRows::signs_of_classes() const {
  if (space.alone()) return geodescent::signs_of_classes(data);
  std::vector<double> labels;
  constexpr std::size_t enough = 8;  // more than a message shows
  const auto add = [&](std::span<const double> more) {
    for (const double label : more)
      if (labels.size() < enough && std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
  };
  add(std::span(data.targets).subspan(space.share().begin, space.share().size()));
  const std::vector<double> of_all = gather_all(*space.ranks(), labels);
  labels.clear();
  add(of_all);
  if (labels.size() == 1)
    throw InputError(fmt::format("{}: only one class (label {} in all {} rows); a binary loss needs two", data.name,
                                 labels[0], space.rows()));
  Dataset one_of_each;
  one_of_each.name = data.name;
  one_of_each.targets = std::move(labels);
  const BinaryLabels two = binary_labels(one_of_each);
  std::vector<std::int8_t> signs(data.targets.size());
  for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = data.targets[i] == two.positive ? 1 : -1;
  return signs;
}

}  // namespace geodescent
