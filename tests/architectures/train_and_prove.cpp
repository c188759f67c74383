// For scripts/architectures: the same trainings and proofs on different processors. Data are made
// of whole numbers, so that they are the same everywhere.
// Usage: train_and_prove train FOLDER           writes models
//        train_and_prove prove FOLDER TO        proves them anew, from their weights alone
//        train_and_prove verify FOLDER
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "geodescent/geodescent.hpp"

namespace {

using namespace geodescent;

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2 + 1) {}
  /// One of -4, -3.99, ..., 4: not a double to the last digit, but the same one everywhere.
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>((state_ >> 33) % 801) - 400) / 100;
  }

 private:
  std::uint64_t state_;
};

/// 0 to classes - 1.
double class_of(double sum, std::size_t classes) {
  const double middle = static_cast<double>(classes / 2), last = static_cast<double>(classes - 1);
  return std::clamp(std::floor(sum / 3) + middle, 0.0, last);
}

struct Case {
  Risk risk;
  Dataset data;
};

Case case_of(std::size_t k) {
  Numbers numbers(k + 1);
  const LossInfo& loss = losses()[k % losses().size()];
  Case made;
  made.risk = {.loss = std::string(loss.name), .l2 = k % 2 == 0 ? 0.01 : 1e-4};
  if (loss.parameter) made.risk.loss_parameter = loss.parameter->default_value;
  constexpr Bias biases[] = {Bias::none, Bias::free, Bias::regularized};
  made.risk.bias = biases[k / losses().size() % 3];
  const std::size_t rows = 20 + 13 * (k % 5), columns = 2 + k % 4;
  const std::size_t rounds = k / losses().size() / 3, classes = 2 + rounds % 3;
  Vector entries;
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = numbers.next();
    for (std::size_t j = 0; j < columns; ++j) sum += entries.emplace_back(numbers.next());
    made.data.targets.push_back(loss.task == Task::classification ? class_of(sum, classes) : sum);
    if (k % 3 == 0) made.data.weights.push_back(4.5 + numbers.next());
  }
  made.data.rows = std::make_shared<DenseRows>(std::move(entries), columns);
  made.data.name = "case " + std::to_string(k);
  return made;
}

std::string path_of(const std::string& folder, std::size_t k) { return folder + "/" + std::to_string(k) + ".model"; }

constexpr std::size_t cases = 120;

int train_all(const std::string& folder) {
  for (std::size_t k = 0; k < cases; ++k) {
    const Case c = case_of(k);
    TrainOptions options;
    options.minimize.gap_tolerance = 1e-9;
    const TrainResult trained = train(c.data, c.risk, options);
    if (trained.run.status != Status::converged || !trained.certificate) {
      std::printf("case %zu: %s\n", k, trained.run.message.c_str());
      return 1;
    }
    write_model(trained.model, *trained.certificate, path_of(folder, k));
  }
  std::printf("%zu models written\n", cases);
  return 0;
}

int prove_all(const std::string& folder, const std::string& to) {
  for (std::size_t k = 0; k < cases; ++k) {
    const LinearModel model = read_model(path_of(folder, k));
    write_model(model, certify(case_of(k).data, model, {}), path_of(to, k));
  }
  std::printf("%zu models proven\n", cases);
  return 0;
}

int verify_all(const std::string& folder) {
  for (std::size_t k = 0; k < cases; ++k) {
    const CertifiedModel read = read_certified_model(path_of(folder, k));
    const Verification found = verify(case_of(k).data, read.model, *read.certificate);
    if (found.holds) continue;
    std::printf("case %zu does not hold: %s\n", k, found.reason.c_str());
    return 1;
  }
  std::printf("%zu models verified\n", cases);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  try {
    if (arguments.size() == 2 && arguments[0] == "train") return train_all(arguments[1]);
    if (arguments.size() == 3 && arguments[0] == "prove") return prove_all(arguments[1], arguments[2]);
    if (arguments.size() == 2 && arguments[0] == "verify") return verify_all(arguments[1]);
    return 2;
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
