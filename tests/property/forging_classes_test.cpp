// As forging_test, for several classes: whatever still verifies after a word was changed is true,
// of each class as well.
#include <gtest/gtest.h>

#include <string>

#include "geodescent/certificate.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/train.hpp"
#include "support/class_problems.hpp"
#include "support/forgeries.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

class ForgingOfClasses : public ::testing::Test {
 protected:
  /// The file of a training, and what is true about it.
  struct Honest {
    ClassProblem problem;  ///< with class weights
    Dataset rows;          ///< without them
    CertifiedModel file;
  };

  Honest honest(Random& random, bool softmax, bool weighted) const {
    Honest made{random_class_problem(random), {}, {}};
    while ((made.problem.risk.loss == "softmax") != softmax) made.problem = random_class_problem(random);
    made.rows = made.problem.data;
    std::vector<ClassWeight> of_classes;
    if (weighted) of_classes.push_back({made.problem.classes[1].label, 2.5});
    made.problem.data = with_class_weights(made.rows, of_classes);
    const TrainResult trained = train(made.problem.data, made.problem.risk);
    write_model(trained.model, trained.certificate.value(), folder / "honest");
    made.file = read_certified_model(folder / "honest");
    return made;
  }

  /// Whether it verifies; then checks that every claim is true.
  bool holds(const Forgery& forgery, const Honest& is, const ClassTruth& truth) const {
    put(folder / "forged", forgery.text);
    CertifiedModel forged;
    try {
      forged = read_certified_model(folder / "forged");
      if (!forged.certificate) return false;
      const Dataset data = with_class_weights(is.rows, forged.certificate->class_weights);
      if (!verify(data, forged.model, *forged.certificate).holds) return false;
    } catch (const InputError&) {
      return false;
    }
    const LinearModel &m = forged.model, &was = is.file.model;
    const Certificate& c = *forged.certificate;
    const Quad value = truth.value(m);
    EXPECT_GE(Quad(c.value), value) << forgery.what;
    EXPECT_GE(Quad(m.value), value) << forgery.what;
    EXPECT_LE(Quad(c.lower_bound), truth.minimum()) << forgery.what;
    EXPECT_LE(Quad(m.lower_bound), truth.minimum()) << forgery.what;
    EXPECT_EQ(c.claims.size(), is.file.certificate->claims.size()) << forgery.what;
    for (std::size_t k = 0; k < c.claims.size(); ++k) {
      EXPECT_GE(Quad(c.claims[k].value), truth.value_of_class(m, k)) << forgery.what;
      EXPECT_LE(Quad(c.claims[k].lower_bound), truth.minima_of_classes()[k]) << forgery.what;
    }
    EXPECT_EQ(m.risk.l2, was.risk.l2) << forgery.what;
    EXPECT_EQ(m.risk.loss, was.risk.loss) << forgery.what;
    EXPECT_EQ(m.risk.bias, was.risk.bias) << forgery.what;
    EXPECT_EQ(m.classes, was.classes) << forgery.what;
    EXPECT_EQ(m.weights.size(), was.weights.size()) << forgery.what;
    EXPECT_EQ(c.rows, is.file.certificate->rows) << forgery.what;
    EXPECT_EQ(c.class_weights, is.file.certificate->class_weights) << forgery.what;
    EXPECT_EQ(c.total_weight, is.file.certificate->total_weight) << forgery.what;
    return true;
  }

  const TemporaryFolder folder;
};

TEST_F(ForgingOfClasses, NoLineCanBeMadeFalse) {
  Random random(2501);
  int accepted = 0, tried = 0;
  for (const bool softmax : {true, false})
    for (const bool weighted : {false, true}) {
      const Honest is = honest(random, softmax, weighted);
      ASSERT_TRUE(verify(is.problem.data, is.file.model, *is.file.certificate).holds);
      const ClassTruth truth(is.problem);
      for (const Forgery& forgery : forgeries(contents(folder / "honest"))) {
        ++tried;
        accepted += holds(forgery, is, truth) ? 1 : 0;
      }
    }
  EXPECT_GT(tried, 2000);
  EXPECT_GT(accepted, 0) << "weaker claims are true, so some must be accepted";
}

}  // namespace
}  // namespace geodescent::testing
