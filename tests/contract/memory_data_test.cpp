// The source of the numbers does not matter: a file, views of the caller's memory, a constant
// column that is stored or added. Models and certificates have the same bytes.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "geodescent/data/generate.hpp"
#include "geodescent/geodescent.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

std::string bytes_of(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// The bytes of the model and of its certificate.
std::string trained_on(const Dataset& data, const Risk& risk, const TemporaryFolder& folder) {
  const TrainResult trained = train(data, risk);
  EXPECT_EQ(trained.run.status, Status::converged) << trained.run.message;
  const Verification checked = verify(data, trained.model, *trained.certificate);
  EXPECT_TRUE(checked.holds) << checked.reason;
  write_model(trained.model, folder / "model");
  write_certificate(*trained.certificate, folder / "certificate");
  return bytes_of(folder / "model") + bytes_of(folder / "certificate");
}

struct Rows {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> indices;
  Vector values, targets;
  std::size_t columns;
  std::string text;

  explicit Rows(const GenerateOptions& options) : columns(options.features) {
    generate_rows(options, [&](double target, std::span<const std::uint32_t> row, std::span<const double> entries) {
      append_libsvm_row(text, target, row, entries);
      for (const std::uint32_t index : row) indices.push_back(static_cast<std::int32_t>(index));
      values.insert(values.end(), entries.begin(), entries.end());
      offsets.push_back(static_cast<std::int64_t>(indices.size()));
      targets.push_back(target);
    });
  }
  std::size_t rows() const { return targets.size(); }
  std::size_t length(std::size_t i) const { return static_cast<std::size_t>(offsets[i + 1] - offsets[i]); }

  /// The entries column by column, or row by row with gaps.
  Vector dense(std::size_t row_stride, std::size_t column_stride) const {
    Vector numbers(rows() * row_stride + columns * column_stride);
    for (std::size_t i = 0, k = 0; i < rows(); ++i)
      for (std::size_t e = 0; e < length(i); ++e, ++k)
        numbers[i * row_stride + static_cast<std::size_t>(indices[k]) * column_stride] = values[k];
    return numbers;
  }
  /// The data with the constant as a stored last column.
  Dataset with_stored_constant() const {
    std::string longer;
    for (std::size_t i = 0, k = 0; i < rows(); ++i) {
      std::vector<std::uint32_t> row;
      Vector entries;
      for (std::size_t e = 0; e < length(i); ++e, ++k) {
        row.push_back(static_cast<std::uint32_t>(indices[k]));
        entries.push_back(values[k]);
      }
      row.push_back(static_cast<std::uint32_t>(columns));
      entries.push_back(1);
      append_libsvm_row(longer, targets[i], row, entries);
    }
    Dataset data = dataset_of(parse_libsvm(longer, "text"), "text");
    data.constant = 1;
    return data;
  }
};

constexpr Bias every_bias[] = {Bias::none, Bias::free, Bias::regularized};

class DataFromMemory : public ::testing::TestWithParam<const char*> {
 protected:
  Risk risk(Bias bias) const {
    return {
        .loss = GetParam(), .loss_parameter = GetParam() == std::string("huber") ? 1.0 : 0, .l2 = 1e-3, .bias = bias};
  }
  Rows rows(double density, std::size_t features) const {
    const bool regression = GetParam() == std::string("huber") || GetParam() == std::string("squared");
    return Rows({.rows = 700, .features = features, .density = density, .label_noise = 0.1, .regression = regression});
  }
  TemporaryFolder folder;
};

TEST_P(DataFromMemory, SparseRowsTrainAsTheirFileDoes) {
  const Rows all = rows(0.2, 30);
  std::ofstream(folder / "data.svm") << all.text;
  const auto view = csr_view(all.rows(), all.columns, all.offsets.data(), all.indices.data(), all.values.data());
  for (const Bias bias : every_bias) {
    const std::string expected = trained_on(read_dataset(folder / "data.svm"), risk(bias), folder);
    EXPECT_TRUE(trained_on(dataset(view, all.targets), risk(bias), folder) == expected) << to_string(bias);
    if (bias == Bias::regularized) {
      EXPECT_TRUE(trained_on(all.with_stored_constant(), risk(bias), folder) == expected);
    }
  }
}

TEST_P(DataFromMemory, DenseNumbersTrainAsTheirFileDoes) {
  for (const std::size_t features : {15u, 20u}) {  // with 15 the constant completes the eight lanes
    const Rows all = rows(0.9, features);
    std::ofstream(folder / "data.svm") << all.text;
    const std::size_t n = all.rows();
    const Vector columns = all.dense(1, n + 3), with_gaps = all.dense(all.columns + 2, 1);
    for (const Bias bias : every_bias) {
      const std::string expected = trained_on(read_dataset(folder / "data.svm"), risk(bias), folder);
      const auto bytes = [&](const Vector& numbers, std::size_t row_stride, std::size_t column_stride) {
        const auto view = dense_view(numbers.data(), n, all.columns, row_stride, column_stride);
        return trained_on(dataset(view, all.targets), risk(bias), folder);
      };
      EXPECT_TRUE(bytes(columns, 1, n + 3) == expected) << to_string(bias);
      EXPECT_TRUE(bytes(with_gaps, all.columns + 2, 1) == expected) << to_string(bias);
      if (bias == Bias::regularized) {
        EXPECT_TRUE(trained_on(all.with_stored_constant(), risk(bias), folder) == expected);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Losses, DataFromMemory, ::testing::Values("logistic", "squared", "huber"),
                         [](const auto& test) { return std::string(test.param); });

TEST(DataFromMemory, PathsAndFoldsAddTheConstantColumnOnce) {
  const Rows all({.rows = 300, .features = 12, .density = 0.3, .label_noise = 0.1});
  const auto view = csr_view(all.rows(), all.columns, all.offsets.data(), all.indices.data(), all.values.data());
  const Dataset without = dataset(view, all.targets), with = with_constant(without, 1);
  const Risk risk{.loss = "logistic", .bias = Bias::regularized};
  const Vector l2 = path_values(1e-3, 1e-1, 3);
  const auto path = [&](const Dataset& data) {
    std::vector<Vector> models;
    train_path(data, risk, l2, {}, [&](TrainResult&& trained) {
      EXPECT_TRUE(verify(without, trained.model, *trained.certificate).holds);
      models.push_back(trained.model.weights);
      return true;
    });
    return models;
  };
  EXPECT_EQ(path(without), path(with));
  const CrossValidation a = cross_validate(without, risk, l2, 3, 1), b = cross_validate(with, risk, l2, 3, 1);
  for (std::size_t k = 0; k < l2.size(); ++k) EXPECT_EQ(a.values[k].loss, b.values[k].loss);
}

}  // namespace
}  // namespace geodescent::testing
