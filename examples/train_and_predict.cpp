// From data to a model with its proof, as the command line does it.
#include <cstdio>

#include "geodescent/data/generate.hpp"
#include "geodescent/geodescent.hpp"

int main() {
  using namespace geodescent;

  // A file would be read by read_dataset("data.svm.xz"). Here: 2000 rows of 50 features, 5 % wrong
  // labels.
  const Dataset data =
      dataset_of(generate({.rows = 2000, .features = 50, .density = 0.3, .label_noise = 0.05, .seed = 7}), "generated");

  const TrainResult trained = train(data, {.loss = "logistic", .l2 = 1e-4, .bias = Bias::free});
  std::printf("%s: %s\n", to_string(trained.run.status).data(), trained.run.message.c_str());

  // Anybody with the data can check the proof. It trusts nothing that the training computed.
  const Verification checked = verify(data, trained.model, *trained.certificate);
  std::printf("the proof %s\n", checked.holds ? "holds" : checked.reason.c_str());

  Scorer scorer(trained.model);
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  Vector decisions(trained.model.outputs());
  for (std::size_t i = 0; i < data.rows->rows(); ++i) {
    data.rows->copy_row(i, indices, values);
    const Ignored ignored = decide(trained.model, indices, values, decisions);
    scorer.add(data.targets[i], decisions, ignored);
  }
  std::printf("accuracy %.3f\n", *scorer.score().accuracy);
  return checked.holds ? 0 : 1;
}
