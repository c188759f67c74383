// Proofs about models of several classes are true: intervals contain the minimum and the value of
// the model, computed in long double and 113 bits, and no corruption makes a verification claim
// more than is true. GEODESCENT_CLASS_PROBLEMS is the number of problems and of corruptions of each
// test (default 150).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>

#include "geodescent/certificate.hpp"
#include "geodescent/error.hpp"
#include "support/certificate_problems.hpp"
#include "support/class_problems.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

int class_problems() {
  const char* const given = std::getenv("GEODESCENT_CLASS_PROBLEMS");
  return given == nullptr ? 150 : std::atoi(given);
}

struct ClassEvidence {
  ClassProblem problem;
  LinearModel model;
  Certificate certificate;

  Verification verified() const { return verify(problem.data, model, certificate); }
};

/// The minimiser, in half of the cases moved by a random distance, with the certificate that its
/// coefficients make.
ClassEvidence random_class_evidence(Random& random) {
  ClassEvidence e{random_class_problem(random), {}, {}};
  e.model = ClassTruth(e.problem).minimiser();
  const double distance = random.chance(0.5) ? 0 : random.log_uniform(1e-9, 1);
  for (double& w : e.model.weights) w += distance * random.normal();
  for (double& b : e.model.bias_weights) b += distance * random.normal();
  e.certificate = certify(e.problem.data, e.model, {});
  return e;
}

TEST(CertificateOfClasses, IntervalContainsTheTruth) {
  Random random(2401);
  int sharp = 0, joint = 0;
  for (int k = 0; k < class_problems(); ++k) {
    const ClassEvidence e = random_class_evidence(random);
    const ClassTruth truth(e.problem);
    const Verification found = e.verified();
    ASSERT_TRUE(found.holds) << k << " " << found.reason;
    const Quad value = truth.value(e.model), minimum = truth.minimum();
    ASSERT_GE(found.proven.value, value) << k;
    ASSERT_LE(found.proven.lower_bound, minimum) << k;
    ASSERT_GE(e.certificate.value, found.proven.value) << k;
    ASSERT_LE(e.certificate.lower_bound, found.proven.lower_bound) << k;
    ASSERT_GE(found.proven.gap(), value - minimum) << k;
    const Verification best = judge(e.problem.data, truth.minimiser());
    ASSERT_LE(best.proven.lower_bound, minimum) << k;
    sharp += best.proven.gap() <= 1e-11 * best.proven.value ? 1 : 0;
    joint += e.certificate.claims.empty() ? 1 : 0;
  }
  EXPECT_GT(sharp, 0.8 * class_problems()) << "the intervals must be short for this test to say much";
  EXPECT_GT(joint, 0);
  EXPECT_LT(joint, class_problems());
}

TEST(CertificateOfClasses, SurvivesItsFile) {
  const TemporaryFolder folder;
  Random random(2402);
  for (int k = 0; k < 20; ++k) {
    const ClassEvidence e = random_class_evidence(random);
    write_model(e.model, e.certificate, folder / "m");
    const CertifiedModel read = read_certified_model(folder / "m");
    ASSERT_TRUE(read.certificate);
    const Verification found = verify(e.problem.data, read.model, *read.certificate);
    EXPECT_TRUE(found.holds) << found.reason;
    // The file has the difference of two columns, which loses what they have in common and rounds
    // the rest.
    if (e.model.outputs() == 2)
      EXPECT_LE(found.proven.value, e.certificate.value);
    else
      EXPECT_EQ(found.proven.value, e.verified().proven.value);
  }
}

using ClassCorruption = std::function<void(ClassEvidence&, Random&)>;

std::vector<DualPoint*> duals_of(Certificate& certificate) {
  std::vector<DualPoint*> all;
  for (Claim& claim : certificate.claims) all.push_back(&claim.dual);
  if (all.empty()) all.push_back(&certificate.dual);
  return all;
}

DualPoint& random_dual(ClassEvidence& e, Random& random) {
  const auto all = duals_of(e.certificate);
  return *all[random.below(all.size())];
}

double& random_claim(ClassEvidence& e, double Claim::*of_class, double Certificate::*of_all, Random& random) {
  if (e.certificate.claims.empty() || random.chance(0.5)) return e.certificate.*of_all;
  return e.certificate.claims[random.below(e.certificate.claims.size())].*of_class;
}

/// Corruptions that a verification must detect.
const std::map<std::string, ClassCorruption>& fatal_class_corruptions() {
  static const std::map<std::string, ClassCorruption> all{
      {"l2", [](ClassEvidence& e, Random&) { e.model.risk.l2 *= 1.01; }},
      {"loss", [](ClassEvidence& e,
                  Random&) { e.model.risk.loss = e.model.risk.loss == "logistic" ? "squared-hinge" : "logistic"; }},
      {"label of the model",
       [](ClassEvidence& e, Random& random) { e.model.classes[random.below(e.model.classes.size())].label += 0.25; }},
      {"rows of a label",
       [](ClassEvidence& e, Random& random) { e.model.classes[random.below(e.model.classes.size())].rows += 1; }},
      {"number of classes", [](ClassEvidence& e, Random&) { e.certificate.classes += 1; }},
      {"target",
       [](ClassEvidence& e, Random& random) {
         double& target = e.problem.data.targets[random.below(e.problem.data.targets.size())];
         target = target == e.problem.classes[0].label ? e.problem.classes[1].label : e.problem.classes[0].label;
       }},
      {"order of rows",
       [](ClassEvidence& e, Random&) { std::swap(e.problem.data.targets.front(), e.problem.data.targets[1]); }},
      {"missing dual value", [](ClassEvidence& e, Random& random) { random_dual(e, random).steps.pop_back(); }},
      {"surplus dual value", [](ClassEvidence& e, Random& random) { random_dual(e, random).steps.push_back(0); }},
      {"sign of a dual value",
       [](ClassEvidence& e, Random&) {
         if (e.certificate.claims.empty())
           e.certificate.dual.steps[0] += 1;  // the row no longer adds up to 0
         else
           e.certificate.claims[0].dual.steps[0] = std::int64_t{1} << 60;
       }},
  };
  return all;
}

/// Corruptions that may leave a claim true.
const std::map<std::string, ClassCorruption>& other_class_corruptions() {
  static const std::map<std::string, ClassCorruption> all{
      {"weight",
       [](ClassEvidence& e, Random& random) {
         e.model.weights[random.below(e.model.weights.size())] += random.normal() * random.log_uniform(1e-12, 10);
       }},
      {"exchanged columns", [](ClassEvidence& e, Random&) { std::swap(e.model.weights[0], e.model.weights[1]); }},
      {"claimed value",
       [](ClassEvidence& e, Random& random) {
         random_claim(e, &Claim::value, &Certificate::value, random) *= random.log_uniform(0.1, 10);
       }},
      {"claimed bound",
       [](ClassEvidence& e, Random& random) {
         random_claim(e, &Claim::lower_bound, &Certificate::lower_bound, random) *= random.log_uniform(0.1, 10);
       }},
      {"claimed gap",
       [](ClassEvidence& e, Random& random) {
         random_claim(e, &Claim::relative_gap, &Certificate::relative_gap, random) *= random.log_uniform(0.1, 10);
       }},
      {"exponent",
       [](ClassEvidence& e, Random& random) { random_dual(e, random).exponent += random.chance(0.5) ? 1 : -1; }},
      {"dual value",
       [](ClassEvidence& e, Random& random) {
         DualPoint& dual = random_dual(e, random);
         dual.steps[random.below(dual.steps.size())] ^= std::int64_t{1} << random.below(40);
       }},
      {"exchanged dual values",
       [](ClassEvidence& e, Random& random) {
         DualPoint& dual = random_dual(e, random);
         std::swap(dual.steps.front(), dual.steps[random.below(dual.steps.size())]);
       }},
      {"another dual point",
       [](ClassEvidence& e, Random& random) {
         for (std::int64_t& step : random_dual(e, random).steps) step = step * static_cast<int>(random.below(3)) / 2;
       }},
  };
  return all;
}

TEST(CertificateOfClasses, CorruptionsNeverProveTooMuch) {
  Random random(2403);
  int tried = 0, accepted = 0;
  while (tried < 10 * class_problems()) {
    const ClassEvidence honest = random_class_evidence(random);
    for (const auto& [name, corrupt] : fatal_class_corruptions()) {
      ClassEvidence e = honest;
      corrupt(e, random);
      if (name == "order of rows" && e.problem.data.targets == honest.problem.data.targets) continue;
      ++tried;
      EXPECT_FALSE(e.verified().holds) << name;
    }
    for (const auto& [name, corrupt] : other_class_corruptions()) {
      ClassEvidence e = honest;
      corrupt(e, random);
      ++tried;
      const Verification found = e.verified();
      EXPECT_EQ(found.holds, found.reason.empty()) << name;
      if (std::isinf(found.proven.value)) continue;
      const ClassTruth truth(e.problem);
      EXPECT_GE(found.proven.value, truth.value(e.model)) << name;
      EXPECT_LE(found.proven.lower_bound, truth.minimum()) << name;
      if (!found.holds) continue;
      ++accepted;
      EXPECT_GE(e.certificate.value, truth.value(e.model)) << name;
      EXPECT_LE(e.certificate.lower_bound, truth.minimum()) << name;
    }
  }
  EXPECT_GT(accepted, 0) << "weaker claims are true, so some must be accepted";
  EXPECT_LT(accepted, tried / 4);
}

}  // namespace
}  // namespace geodescent::testing
