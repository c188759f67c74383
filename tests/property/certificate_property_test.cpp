// Proofs are true: on thousands of random problems the interval [lower bound, value] contains the
// minimum and the value of the model, both computed in 113 bits. No corruption makes a verification
// claim more than is true.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>

#include "geodescent/certificate.hpp"
#include "geodescent/error.hpp"
#include "support/certificate_problems.hpp"
#include "support/reference/quad_risk.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

constexpr int shards = 10;
constexpr int problems_in_a_shard = 1000;
constexpr int corruptions_in_a_shard = 300;

/// The minimiser moved by a random part of its size, from 0 to a large distance.
LinearModel near(const LinearModel& minimum, Random& random) {
  LinearModel model = minimum;
  if (random.chance(0.2)) return model;
  const double part = random.log_uniform(1e-16, 1);
  const double distance = random.chance(0.3) ? random.log_uniform(1e-12, 10) : 0;
  for (double& w : model.weights) w += part * w * random.normal() + distance * random.normal();
  for (double& b : model.bias_weights) b += part * b * random.normal() + distance * random.normal();
  return model;
}

Vector random_slopes(std::size_t rows, Random& random) {
  Vector slopes(rows);
  const double scale = random.log_uniform(1e-6, 10);
  for (double& s : slopes) s = random.chance(0.1) ? -1 : scale * random.normal();
  return slopes;
}

/// The distance of the regularised coefficients, 0 if it is within the rounding of the minimiser.
double distance(const LinearModel& a, const LinearModel& b) {
  double sum = 0, size = 0;
  const auto add = [&](double x, double y) {
    sum += (x - y) * (x - y);
    size += y * y;
  };
  for (std::size_t j = 0; j < a.weights.size(); ++j) add(a.weights[j], b.weights[j]);
  if (a.risk.bias == Bias::regularized) add(a.bias_weight(), b.bias_weight());
  return std::max(0.0, std::sqrt(sum) - 1e-15 * std::sqrt(size));
}

class CertificateProperty : public ::testing::TestWithParam<int> {
 protected:
  Random random{static_cast<std::uint64_t>(GetParam()) + 1};
};

TEST_P(CertificateProperty, IntervalContainsTheTruth) {
  int sharp = 0, solved = 0;
  for (int k = 0; k < problems_in_a_shard; ++k) {
    const CertificateProblem problem = random_certificate_problem(random);
    const QuadRisk truth(problem.data, problem.risk);
    const LinearModel model = near(truth.minimiser(), random);
    const Vector slopes =
        random.chance(0.75) ? slopes_at(problem.data, model) : random_slopes(problem.data.targets.size(), random);
    const int bytes = 1 + static_cast<int>(random.below(8));
    const DualPoint dual = rounded_dual(problem.data, problem.risk, slopes, bytes);
    const ProvenGap proven = prove(problem.data, model, dual);
    const std::string what =
        problem.risk.loss + " " + std::string(to_string(problem.risk.bias)) + " number " + std::to_string(k);
    ASSERT_GE(proven.value, truth.value(model)) << what;
    ASSERT_LE(proven.lower_bound, truth.minimum()) << what;
    ASSERT_LE(proven.lower_bound, std::max(truth.dual_value(dual), Quad(0))) << what;
    ASSERT_GE(proven.gap(), truth.value(model) - truth.minimum()) << what;

    LinearModel without = model;
    std::fill(without.weights.begin(), without.weights.end(), 0.0);
    if (problem.risk.bias == Bias::regularized) without.bias_weights = {0};
    ASSERT_LE(proven.reference, truth.value(without)) << what;
    if (problem.risk.bias != Bias::free && truth.value(without) > truth.minimum()) {
      const Quad relative = (truth.value(model) - truth.minimum()) / (truth.value(without) - truth.minimum());
      ASSERT_GE(proven.relative_gap(), relative * (1 - 1e-12)) << what;
    }
    ASSERT_GE(proven.distance_bound() * (1 + 1e-9), distance(model, truth.minimiser()) * (1 - 1e-9)) << what;

    // The reference must be sharp for the test to be meaningful, and the bound good where it can
    // be.
    const ProvenGap best =
        prove(problem.data, truth.minimiser(),
              rounded_dual(problem.data, problem.risk, slopes_at(problem.data, truth.minimiser()), 8));
    solved += truth.residual() * truth.residual() < 1e-25 * truth.minimum() ? 1 : 0;
    sharp += best.gap() <= 1e-9 * best.value ? 1 : 0;
  }
  EXPECT_GT(solved, 0.9 * problems_in_a_shard);
  EXPECT_GT(sharp, 0.8 * problems_in_a_shard);
}

// ------------------------------------------------------------------------------------------------

/// A modifiable copy of the data.
struct OpenData {
  std::vector<Vector> rows;
  Vector targets, weights;

  explicit OpenData(const Dataset& data) : targets(data.targets), weights(data.weights) {
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      rows.emplace_back(data.rows->columns(), 0.0);
      data.rows->copy_row(i, indices, values);
      for (std::size_t k = 0; k < indices.size(); ++k) rows.back()[indices[k]] = values[k];
    }
  }
  Dataset closed() const { return dataset_of(rows, targets, weights); }
};

struct Evidence {
  Dataset data;
  LinearModel model;
  Certificate certificate;
};

using Corruption = std::function<void(Evidence&, Random&)>;

void spoil(double& number, Random& random) {
  if (random.chance(0.5)) {
    number = random.chance(0.5) ? -number : number * random.log_uniform(1e-3, 1e3) + 1e-300;
  } else {
    number = std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) ^ (std::uint64_t{1} << random.below(62)));
  }
}

/// Corruptions that a verification must detect.
const std::map<std::string, Corruption>& fatal_corruptions() {
  static const std::map<std::string, Corruption> all{
      {"l2 of the model", [](Evidence& e, Random& random) { spoil(e.model.risk.l2, random); }},
      {"l2 of the certificate", [](Evidence& e, Random& random) { spoil(e.certificate.risk.l2, random); }},
      {"loss", [](Evidence& e, Random&) { e.model.risk.loss = e.model.risk.loss == "squared" ? "huber" : "squared"; }},
      {"bias",
       [](Evidence& e, Random&) { e.model.risk.bias = e.model.risk.bias == Bias::none ? Bias::free : Bias::none; }},
      {"class weights",
       [](Evidence& e, Random&) {
         e.certificate.class_weights = {{1, 2}};
       }},
      {"target",
       [](Evidence& e, Random& random) {
         OpenData open(e.data);
         open.targets[random.below(open.targets.size())] += 1;
         e.data = open.closed();
       }},
      {"entry",
       [](Evidence& e, Random& random) {
         OpenData open(e.data);
         Vector& row = open.rows[random.below(open.rows.size())];
         row[random.below(row.size())] += 1e-3;
         e.data = open.closed();
       }},
      {"removed row",
       [](Evidence& e, Random& random) {
         OpenData open(e.data);
         const auto i = static_cast<std::ptrdiff_t>(random.below(open.rows.size()));
         open.rows.erase(open.rows.begin() + i);
         open.targets.erase(open.targets.begin() + i);
         if (!open.weights.empty()) open.weights.erase(open.weights.begin() + i);
         e.data = open.closed();
       }},
      {"weight of a row",
       [](Evidence& e, Random& random) {
         OpenData open(e.data);
         if (open.weights.empty()) open.weights.assign(open.rows.size(), 1);
         open.weights[random.below(open.weights.size())] *= 1.0001;
         e.data = open.closed();
       }},
  };
  return all;
}

/// Corruptions that may leave a claim true.
const std::map<std::string, Corruption>& other_corruptions() {
  static const std::map<std::string, Corruption> all{
      {"weight",
       [](Evidence& e, Random& random) { spoil(e.model.weights[random.below(e.model.weights.size())], random); }},
      {"intercept",
       [](Evidence& e, Random& random) {
         e.model.bias_weights.resize(1);  // empty for a model without an intercept
         spoil(e.model.bias_weights[0], random);
       }},
      {"claimed value", [](Evidence& e, Random& random) { spoil(e.certificate.value, random); }},
      {"claimed bound", [](Evidence& e, Random& random) { spoil(e.certificate.lower_bound, random); }},
      {"claimed gap", [](Evidence& e, Random& random) { spoil(e.certificate.relative_gap, random); }},
      {"dual value",
       [](Evidence& e, Random& random) {
         std::int64_t& step = e.certificate.dual.steps[random.below(e.certificate.rows)];
         step ^= std::int64_t{1} << random.below(62);
       }},
      {"exponent",
       [](Evidence& e, Random& random) { e.certificate.dual.exponent += static_cast<int>(random.below(7)) - 3; }},
      {"all dual values",
       [](Evidence& e, Random& random) {
         for (std::int64_t& step : e.certificate.dual.steps) step = step * static_cast<int>(random.below(3)) / 2;
       }},
  };
  return all;
}

Evidence random_evidence(Random& random) {
  Evidence e;
  CertificateProblem problem = random_certificate_problem(random);
  const QuadRisk truth(problem.data, problem.risk);
  e.data = problem.data;
  e.model = near(truth.minimiser(), random);
  e.certificate = certify(e.data, e.model, {});
  return e;
}

/// The verification either refuses, or its claims are true for the current data and model.
void expect_no_lie(const Evidence& e, const std::string& what) {
  const Verification found = verify(e.data, e.model, e.certificate);
  EXPECT_EQ(found.holds, found.reason.empty()) << what;
  if (std::isinf(found.proven.value)) return;
  const QuadRisk truth(e.data, e.model.risk);
  const Quad gap = truth.value(e.model) - truth.minimum();
  EXPECT_GE(found.proven.gap(), gap) << what;
  if (!found.holds) return;
  EXPECT_GE(Quad(e.certificate.value) - e.certificate.lower_bound, gap) << what;
}

TEST_P(CertificateProperty, HonestCertificatesHold) {
  for (int k = 0; k < 100; ++k) {
    const Evidence e = random_evidence(random);
    const Verification found = verify(e.data, e.model, e.certificate);
    ASSERT_TRUE(found.holds) << found.reason;
  }
}

TEST_P(CertificateProperty, CorruptionsNeverProveTooMuch) {
  for (int k = 0; k < corruptions_in_a_shard; ++k) {
    const Evidence honest = random_evidence(random);
    for (const auto& [name, corrupt] : fatal_corruptions()) {
      if (!random.chance(0.25)) continue;
      Evidence e = honest;
      corrupt(e, random);
      EXPECT_FALSE(verify(e.data, e.model, e.certificate).holds) << name;
    }
    for (const auto& [name, corrupt] : other_corruptions()) {
      if (!random.chance(0.25)) continue;
      Evidence e = honest;
      corrupt(e, random);
      expect_no_lie(e, name);
    }
  }
}

TEST_P(CertificateProperty, EveryChangedByteOfTheFileIsNoticed) {
  const TemporaryFolder folder;
  for (int k = 0; k < 10; ++k) {
    const Evidence e = random_evidence(random);
    write_certificate(e.certificate, folder / "c");
    const std::string bytes = contents(folder / "c");
    EXPECT_TRUE(verify(e.data, e.model, parse_certificate(bytes, "c")).holds);
    for (int flip = 0; flip < 30; ++flip) {
      std::string changed = bytes;
      changed[random.below(changed.size())] ^= static_cast<char>(1 << random.below(8));
      EXPECT_THROW((void)parse_certificate(changed, "c"), InputError);
      EXPECT_THROW((void)parse_certificate(bytes.substr(0, random.below(bytes.size())), "c"), InputError);
    }
    EXPECT_THROW((void)parse_certificate(bytes + "x", "c"), InputError);
  }
}

INSTANTIATE_TEST_SUITE_P(Shard, CertificateProperty, ::testing::Range(0, shards));

}  // namespace
}  // namespace geodescent::testing
