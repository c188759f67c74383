// From data to a model of proven quality, as the command line does it.
#include <cstdio>

#include "geodescent/generate.hpp"
#include "geodescent/geodescent.hpp"

int main() {
  using namespace geodescent;

  // A file would be read by read_dataset("data.svm.xz"). Here: 2000 rows of 50 features, 5 % wrong labels.
  LibsvmData text = generate({.rows = 2000, .features = 50, .density = 0.3, .label_noise = 0.05, .seed = 7});
  const std::size_t nonzeros = text.rows.nonzeros();
  const Dataset data{"generated", in_best_form(std::move(text.rows)), std::move(text.targets), nonzeros};

  const auto f = make_risk("logistic", data, 1e-4);
  const Result r = minimize(*f, "geod", {}, {.gap_tolerance = 1e-6});
  std::printf("%s: %s\n", to_string(r.status).data(), r.message.c_str());

  Vector prediction(data.rows->rows());
  data.rows->forward(0, data.rows->rows(), r.x, prediction);
  std::size_t correct = 0;
  for (std::size_t i = 0; i < prediction.size(); ++i) correct += (prediction[i] > 0) == (data.targets[i] > 0);
  std::printf("%zu of %zu rows classified as labelled\n", correct, prediction.size());
  return r.status == Status::converged ? 0 : 1;
}
