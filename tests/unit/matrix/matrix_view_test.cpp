// Matrices in the caller's memory: the same bits as the library's own forms of the same numbers, no
// copy, and every fault refused with its place.
#include "geodescent/data/matrix_view.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "support/instruction_sets.hpp"
#include "support/numbers.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

/// Everything that a matrix says of itself, and its products over several ranges of rows.
Vector all_of(const RowMatrix& a) {
  Random random(77);
  const std::size_t n = a.rows(), d = a.columns();
  Vector all{static_cast<double>(n),
             static_cast<double>(d),
             static_cast<double>(a.nonzeros()),
             static_cast<double>(a.longest_row()),
             a.squared_norm(),
             a.largest_row_sum(),
             a.gram_products(),
             static_cast<double>(a.gram_scratch())};
  const auto append = [&](const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
  const Vector x = random.normal_vector(d);
  for (const auto& [begin, end] : {std::pair{std::size_t{0}, n}, std::pair{n / 3, n}, std::pair{n / 3, n / 2}}) {
    Vector image(end - begin), w = random.normal_vector(end - begin), sum = random.normal_vector(d), gram(d * d, 1),
                               scratch(a.gram_scratch());
    a.forward(begin, end, x, image);
    a.backward(begin, end, w, sum);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = i % 5 == 0 ? 0 : std::abs(w[i]);
    a.add_gram(begin, end, w, gram, scratch);
    append(image), append(sum), append(gram);
  }
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    a.copy_row(i, indices, values);
    append(indices), append(values);
  }
  return all;
}

void expect_same(const RowMatrix& view, const RowMatrix& own, const std::string& what) {
  for (const InstructionSet set : instruction_sets()) {
    const UsedInstructions used(set);
    ASSERT_EQ(all_of(view), all_of(own)) << what << ", " << to_string(set);
  }
}

/// The same matrix with a last column that is stored.
DenseRows appended(const DenseRows& a, double constant) {
  Vector entries;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    const Vector row = a.row(i);
    entries.insert(entries.end(), row.begin(), row.end());
    entries.push_back(constant);
  }
  return {entries, a.columns() + 1};
}

template <class T>
void expect_same_bits_with_any_strides(std::size_t rows, std::size_t columns) {
  Random random(rows * 1000 + columns);
  Vector entries = random.normal_vector(rows * columns);
  for (double& e : entries) e = random.chance(0.2) ? 0 : static_cast<double>(static_cast<T>(e));
  const DenseRows own(entries, columns);
  struct Strides {
    std::size_t row, column;
  };
  for (const auto& [row, column] : {Strides{columns, 1}, Strides{columns + 3, 1}, Strides{1, rows},
                                    Strides{1, rows + 5}, Strides{2, 2 * rows + 1}, Strides{3 * columns, 3}}) {
    std::vector<T> memory(rows * row + columns * column, std::numeric_limits<T>::quiet_NaN());
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) memory[i * row + j * column] = static_cast<T>(entries[i * columns + j]);
    const auto view = dense_view(memory.data(), rows, columns, row, column);
    const std::string what = fmt::format("{} x {}, strides {} and {}", rows, columns, row, column);
    expect_same(*view, own, what);
    for (const double constant : {1.0, 0.3})
      expect_same(*view->with_constant(constant), appended(own, constant), what + " and a constant");
  }
}

TEST(DenseView, HasTheBitsOfPackedRowsWithAnyStrides) {
  for (const std::size_t columns : {1u, 3u, 6u, 7u, 8u, 9u, 15u, 22u})
    for (const std::size_t rows : {1u, 7u, 64u, 150u}) {
      expect_same_bits_with_any_strides<double>(rows, columns);
      expect_same_bits_with_any_strides<float>(rows, columns);
    }
}

TEST(DenseView, TakesMapsOfEigen) {
  Random random(4);
  const Vector entries = random.normal_vector(12 * 5);
  using Map = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  const Map map(entries.data(), 10, 5, Eigen::OuterStride<>(12));
  const auto at = [](Eigen::Index i) { return static_cast<std::size_t>(i); };
  const auto view = dense_view(map.data(), at(map.rows()), at(map.cols()), at(map.rowStride()), at(map.colStride()));
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (Eigen::Index i = 0; i < map.rows(); ++i) {
    view->copy_row(at(i), indices, values);
    for (Eigen::Index j = 0; j < map.cols(); ++j) EXPECT_EQ(values[at(j)], map(i, j));
  }
}

struct Csr {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  Vector values;
  std::size_t columns = 40;

  std::size_t rows() const { return offsets.size() - 1; }
  SparseRows own() const { return {offsets, indices, values, columns}; }
};

/// Rows of different lengths, some of them empty.
Csr random_csr(std::size_t rows, const auto& value) {
  Random random(rows);
  Csr csr;
  for (std::size_t i = 0; i < rows; ++i) {
    const double part = i % 7 == 0 ? 0 : 0.4 * random.uniform();
    for (std::uint32_t j = 0; j < csr.columns; ++j)
      if (random.chance(part)) {
        csr.indices.push_back(j);
        csr.values.push_back(value(random));
      }
    csr.offsets.push_back(csr.indices.size());
  }
  return csr;
}

template <class To>
std::vector<To> as(const auto& numbers) {
  std::vector<To> result;
  for (const auto number : numbers) result.push_back(static_cast<To>(number));
  return result;
}

SparseRows appended(const Csr& csr, double constant) {
  Csr longer;
  for (std::size_t i = 0; i < csr.rows(); ++i) {
    for (std::size_t k = csr.offsets[i]; k < csr.offsets[i + 1]; ++k) {
      longer.indices.push_back(csr.indices[k]);
      longer.values.push_back(csr.values[k]);
    }
    longer.indices.push_back(static_cast<std::uint32_t>(csr.columns));
    longer.values.push_back(constant);
    longer.offsets.push_back(longer.indices.size());
  }
  return {longer.offsets, longer.indices, longer.values, csr.columns + 1};
}

template <class Offset, class Index, class Value>
void expect_same_bits(const Csr& csr) {
  const auto offsets = as<Offset>(csr.offsets);
  const auto indices = as<Index>(csr.indices);
  const auto values = as<Value>(csr.values);
  const auto view = csr_view(csr.rows(), csr.columns, offsets.data(), indices.data(), values.data());
  const std::string what =
      fmt::format("{} rows, types of {}, {} and {} bytes", csr.rows(), sizeof(Offset), sizeof(Index), sizeof(Value));
  expect_same(*view, csr.own(), what);
  expect_same(*view->with_constant(1), appended(csr, 1), what + " and a constant");
  expect_same(*view->with_constant(0.3), appended(csr, 0.3), what + " and another constant");
}

TEST(CsrView, HasTheSameBitsWithOffsetsAndIndicesOf32And64Bits) {
  for (const std::size_t rows : {1u, 40u, 1100u})
    for (const Csr& csr :
         {random_csr(rows, [](Random& r) { return static_cast<double>(static_cast<float>(r.normal())); }),
          random_csr(rows, [](Random&) { return 1.0; })}) {
      expect_same_bits<std::int32_t, std::int32_t, double>(csr);
      expect_same_bits<std::uint32_t, std::uint32_t, float>(csr);
      expect_same_bits<std::int64_t, std::int64_t, float>(csr);
      expect_same_bits<std::uint64_t, std::uint64_t, double>(csr);
      expect_same_bits<std::int64_t, std::int32_t, double>(csr);
    }
}

TEST(CsrView, BestFormOf64BitIndicesIsThatOf32) {
  const Csr csr = random_csr(60, [](Random& r) { return r.normal(); });
  const auto wide = as<std::int64_t>(csr.indices);
  const auto view = csr_view(csr.rows(), csr.columns, csr.offsets.data(), wide.data(), csr.values.data());
  const auto best = in_best_form(dynamic_cast<const SparseRows&>(*view));
  EXPECT_EQ(best->bytes(), in_best_form(csr.own())->bytes());
  expect_same(*best, csr.own(), "best form");
}

TEST(MatrixView, ReadsTheMemoryOfTheCallerAndKeepsItsOwner) {
  const auto entries = std::make_shared<Vector>(Vector{1, 2, 3, 4});
  const std::weak_ptr<Vector> watched = entries;
  auto view = dense_view(entries->data(), 2, 2, entries);
  (*entries)[0] = 7;
  Vector image(2);
  view->forward(0, 2, Vector{1, 1}, image);
  EXPECT_EQ(image, Vector({9, 7}));
  auto* const raw = entries.get();
  EXPECT_EQ(watched.use_count(), 2);
  auto more = view->with_constant(1);
  view.reset();
  more->forward(0, 2, Vector{1, 1, 1}, image);
  EXPECT_EQ(image, Vector({10, 8}));
  EXPECT_EQ((*raw)[0], 7);
  more.reset();
  EXPECT_EQ(watched.use_count(), 1);
}

TEST(MatrixView, MayBeEmpty) {
  const std::vector<int> none, offsets{0, 0, 0};
  const Vector nothing;
  const auto no_entries = csr_view(2, 5, offsets.data(), none.data(), nothing.data());
  EXPECT_EQ(no_entries->rows(), 2U);
  EXPECT_EQ(no_entries->nonzeros(), 0U);
  EXPECT_EQ(csr_view(2, 0, offsets.data(), none.data(), nothing.data())->columns(), 0U);
  EXPECT_EQ(csr_view(0, 3, offsets.data(), none.data(), nothing.data())->rows(), 0U);
  EXPECT_EQ(dense_view(nothing.data(), 0, 3)->columns(), 3U);
  const auto no_columns = dense_view(nothing.data(), 3, 0);
  EXPECT_EQ(no_columns->rows(), 3U);
  Vector image(3, 5);
  no_columns->forward(0, 3, {}, image);
  EXPECT_EQ(image, Vector({0, 0, 0}));
  no_columns->with_constant(2)->forward(0, 3, Vector{0.5}, image);
  EXPECT_EQ(image, Vector({1, 1, 1}));
}

void expect_view_refused(const auto& make, const std::string& why) {
  try {
    make();
    ADD_FAILURE() << "taken, but: " << why;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(CsrView, RefusesWhatIsWrongWithItsPlace) {
  const Vector good{1, 2, 3};
  const auto view = [](std::vector<int> offsets, std::vector<int> indices, Vector values) {
    return [=] { (void)csr_view(offsets.size() - 1, 4, offsets.data(), indices.data(), values.data()); };
  };
  expect_view_refused(view({0, 1, 3}, {0, 2, 2}, good), "row 1, column 2: the indices of a sparse row must increase");
  expect_view_refused(view({0, 1, 3}, {0, 2, 1}, good), "row 1, column 1: the indices of a sparse row must increase");
  expect_view_refused(view({0, 1, 3}, {0, 2, 4}, good),
                      "row 1, column 4: the index is beyond the number of columns, 4");
  expect_view_refused(view({0, 1, 3}, {-1, 2, 3}, good), "row 0, column -1: the index is negative");
  expect_view_refused(view({0, 1, 3}, {0, -1, 2}, good), "row 1, column -1: the index is negative");
  const std::vector<std::int64_t> long_offsets{0, 1}, long_index{-7};
  expect_view_refused([&] { (void)csr_view(1, 4, long_offsets.data(), long_index.data(), good.data()); },
                      "row 0, column -7: the index is negative");
  expect_view_refused(view({0, 1, 3}, {0, 2, 3}, {1, infinity, 3}), "row 1, column 2: the value inf is not finite");
  expect_view_refused(view({0, 1, 3}, {0, 2, 3}, {1, 2, std::nan("")}), "row 1, column 3: the value nan is not finite");
  expect_view_refused(view({0, 1, 3}, {0, 2, 3}, Vector(3, infinity)), "row 0, column 0: the value inf is not finite");
  expect_view_refused(view({0, 2, 1, 3}, {0, 2, 3}, good),
                      "offset 2 is 1; offsets must begin at 0 and must not decrease");
  expect_view_refused(view({1, 2, 3}, {0, 2, 3}, good), "offset 0 is 1");
  expect_view_refused(view({0, -1}, {0, 2, 3}, good), "offset 1 is -1");
  const std::vector<std::int64_t> wide{0, -1};
  expect_view_refused([&] { (void)csr_view(1, 4, wide.data(), wide.data(), good.data()); }, "offset 1 is -1");
  const std::vector<int> offsets{0, 1}, index{0};
  expect_view_refused([&] { (void)csr_view(1, std::size_t{1} << 33, offsets.data(), index.data(), good.data()); },
                      "columns");
  EXPECT_NO_THROW(view({0, 1, 3}, {0, 2, 3}, {1e200, -1e200, 0})()) << "squares overflow, values do not";
}

TEST(DenseView, RefusesWhatIsWrongWithItsPlace) {
  Vector entries{1, 2, 3, 4, 5, 6};
  expect_view_refused([&] { (void)dense_view(entries.data(), 2, 3, 0, 1); },
                      "strides of a dense matrix must be positive");
  expect_view_refused([] { (void)dense_view(static_cast<const double*>(nullptr), 2, 3); },
                      "the pointer to the entries is null");
  constexpr std::size_t huge = std::size_t{1} << 62, negative = static_cast<std::size_t>(-3);
  using Shape = std::array<std::size_t, 4>;  // rows, columns, strides of both
  for (const Shape& of : {Shape{2, 3, 2 * huge, 1}, Shape{2, 3, negative, 1}, Shape{4, 3, 3, negative},
                          Shape{huge, 1, 4, 1}, Shape{negative, 3, 3, 1}})
    expect_view_refused([&] { (void)dense_view(entries.data(), of[0], of[1], of[2], of[3]); },
                        "exceed the address space");
  entries[5] = -infinity;
  expect_view_refused([&] { (void)dense_view(entries.data(), 2, 3); }, "row 1, column 2: the value -inf is not finite");
  expect_view_refused([&] { (void)dense_view(entries.data(), 3, 2, 1, 3); },
                      "row 2, column 1: the value -inf is not finite");
  entries[5] = 1e200;
  EXPECT_NO_THROW((void)dense_view(entries.data(), 2, 3));
}

TEST(MatrixView, HasOneConstantColumnAtMost) {
  const Vector entries{1, 2};
  const auto view = dense_view(entries.data(), 1, 2)->with_constant(1);
  expect_view_refused([&] { (void)view->with_constant(1); }, "constant column already");
  expect_view_refused([&] { (void)dense_view(entries.data(), 1, 2)->with_constant(0); }, "finite and not 0");
  expect_view_refused([&] { (void)dense_view(entries.data(), 1, 2)->with_constant(infinity); }, "finite and not 0");
}

}  // namespace
}  // namespace geodescent::testing
