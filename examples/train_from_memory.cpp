// Training on numbers that are in memory already: no file, and no copy of the matrix.
#include <cstdio>
#include <vector>

#include "geodescent/geodescent.hpp"

int main() {
  using namespace geodescent;

  // Six rows of three columns, stored column by column (Fortran order): entry j of row i is
  // numbers[i + 6 j].
  const std::vector<float> numbers{2, 1, 3, -1, -2, -1, 0, 1, -1, 1, 0, 2, 1, 1, 0, 1, -1, 0};
  const Vector y{1, 1, 1, 0, 0, 0};
  const auto dense = dense_view(numbers.data(), 6, 3, 1, 6);
  const TrainResult trained = train(dataset(dense, y), {.loss = "logistic", .l2 = 1e-2, .bias = Bias::regularized});
  std::printf("%s\n", trained.run.message.c_str());

  // Two more rows, compressed as SciPy and Eigen store them: {0: 1.5, 2: 1} and {0: -2}.
  const std::vector<int> offsets{0, 2, 3}, columns{0, 2, 0};
  const std::vector<double> values{1.5, 1, -2};
  const auto sparse = csr_view(2, 3, offsets.data(), columns.data(), values.data());
  const Vector labels = predict_labels(trained.model, *sparse);
  const Vector probabilities = predict_probabilities(trained.model, *sparse);
  for (std::size_t i = 0; i < labels.size(); ++i)
    std::printf("row %zu: label %g, probability of 1: %.3f\n", i, labels[i], probabilities[i]);
  return trained.run.status == Status::converged && labels == Vector{1, 0} ? 0 : 1;
}
