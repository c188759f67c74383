// Judging, and the race with peers that do as they are told.
#include "peers/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "comparison/infinity.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/regularization.hpp"
#include "geodescent/learn/train.hpp"
#include "peers/judge.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::lab {
namespace {

/// Two features, not separable, more negative rows than positive ones, the first row negative.
constexpr const char* text =
    "-1 1:1 2:0.5\n+1 1:-1 2:2\n-1 1:0.3\n-1 2:1\n+1 1:-0.2 2:0.1\n-1 1:-0.5 2:-1\n+1 2:0.7\n-1 1:2 2:1\n";

class Peers : public ::testing::Test {
 protected:
  Peers() { testing::put(file, text); }

  PeerData data() const { return prepare_data("data", file, scratch, {}); }

  const testing::TemporaryFolder folder;
  const std::string file = folder / "data.svm";
  const ScratchFolder scratch;
};

Vector minimiser(const PeerTask& task, double tolerance) {
  TrainOptions options;
  options.minimize.gap_tolerance = tolerance;
  return train(task.data->data, Risk{.loss = task.loss, .l2 = task.l2, .bias = Bias::none}, options).model.weights;
}

TEST_F(Peers, TheJudgeKnowsTheObjective) {
  const PeerData d = data();
  const PeerTask task{&d, "logistic", 0.1};
  const Judge judge(task, 60, {});
  EXPECT_NEAR(judge.value(Vector{0, 0}), std::log(2), 1e-15);
  EXPECT_DOUBLE_EQ(judge.accuracy(Vector{0, 0}), 1);
  EXPECT_LE(judge.reference().relative_gap(), 1e-11);
  // -1 (1, 0.5): the margin of the first row at w = (1, 1) is -1.5, and so on.
  double sum = 0;
  for (const double margin : {-1.5, 1.0, -0.3, -1.0, -0.1, 1.5, 0.7, -3.0}) sum += std::log1p(std::exp(-margin));
  EXPECT_NEAR(judge.value(Vector{1, 1}), sum / 8 + 0.1 / 2 * 2, 1e-14);
  EXPECT_NEAR(judge.value(Vector{1}), judge.value(Vector{1, 0}), 1e-15) << "weights that are missing are 0";
  EXPECT_THROW(judge.value(Vector{1, 1, 1}), InputError);
  EXPECT_EQ(judge.accuracy(Vector{std::nan(""), 0}), infinity);
}

TEST_F(Peers, TheSignOfTheWeightsMatters) {
  const PeerData d = data();
  for (const char* loss : {"logistic", "smoothed-hinge", "squared-hinge"}) {
    const PeerTask task{&d, loss, 0.1};
    const Judge judge(task, 60, {});
    Vector weights = minimiser(task, 1e-9);
    EXPECT_LE(judge.accuracy(weights), 1e-9) << loss;
    for (double& w : weights) w = -w;
    EXPECT_GT(judge.accuracy(weights), 1) << loss << ": worse than nothing at all";
  }
}

/// A peer with two solvers: weights as good as the tolerance of the first, and a tenth of that of
/// the second.
class Told final : public Peer {
 public:
  std::string name() const override { return "told"; }
  std::string version() const override { return "1"; }
  std::vector<Ladder> ladders(const PeerTask& task) const override {
    const std::vector<double> tolerances = powers_of_ten(1e-1, 1e-12);
    if (task.loss == "logistic") return {{"first", tolerances}, {"second", tolerances}, {"third", tolerances}};
    return {};
  }
  Attempt run(const PeerTask& task, const PeerSetting& setting, const Patience& patience) override {
    if (patience.waiting) patience.waiting();
    ++runs;
    if (setting.solver == "third") return {.seconds = 0.25, .trouble = "it cannot"};
    const bool first = setting.solver == "first";
    if (!first && limit_of_second == 0) limit_of_second = patience.seconds;
    return {.seconds = first ? 1.0 : 1.5, .weights = minimiser(task, setting.tolerance / (first ? 1 : 10))};
  }
  std::optional<Attempt> load(const PeerData&, const Patience&) override { return Attempt{.seconds = 0.25}; }

  int runs = 0;
  double limit_of_second = 0;
};

/// Ours, with made-up seconds that get fewer.
class FakeOurs final : public Peer {
 public:
  std::string name() const override { return our_name; }
  std::string version() const override { return "1"; }
  std::vector<Ladder> ladders(const PeerTask&) const override { return {{"train", {1e-1}}}; }
  Attempt run(const PeerTask& task, const PeerSetting& setting, const Patience&) override {
    seconds *= 0.5;  // the least counts, whenever it was
    return {.seconds = seconds, .load = 0.01, .train = 0.02, .weights = minimiser(task, setting.tolerance)};
  }
  std::optional<Attempt> load(const PeerData&, const Patience&) override { return std::nullopt; }

  double seconds = 8;
};

TEST_F(Peers, TheRace) {
  PeersOptions o;
  o.losses = {"logistic", "smoothed-hinge"};
  o.lambdas = {0.1};
  o.repeats = 2;
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(std::make_unique<FakeOurs>());
  auto told = std::make_unique<Told>();
  Told& seen = *told;
  peers.push_back(std::move(told));
  std::size_t watched = 0;
  const PeersResults results = run_peers(o, {{"data", file}}, peers, scratch, [&](const PeersState& state) {
    ++watched;
    EXPECT_EQ(state.total, 2u);
  });
  EXPECT_GT(watched, 0u);
  ASSERT_EQ(results.tasks.size(), 2u);
  EXPECT_EQ(results.tasks[1].peers.size(), 1u) << "the peer has no smoothed hinge";

  const PeerOutcome& ours = results.tasks[0].peers[0];
  ASSERT_EQ(ours.timings.size(), o.accuracies.size());
  EXPECT_DOUBLE_EQ(ours.timings[0].total, 8 * std::pow(0.5, 21)) << "the first run of the sixth round";
  EXPECT_EQ(ours.timings[0].load, 0.01);
  EXPECT_EQ(ours.timings[0].train, 0.02);
  EXPECT_TRUE(ours.trials.empty());

  const PeerOutcome& them = results.tasks[0].peers[1];
  EXPECT_EQ(them.trials.back().setting.solver, "third");
  EXPECT_EQ(them.trials.back().trouble, "it cannot");
  for (const double accuracy : o.accuracies) {
    const Timing* const best = best_qualifying(them.timings, accuracy, Clocked::total);
    ASSERT_NE(best, nullptr) << accuracy;
    EXPECT_EQ(best->setting.solver, "first");
    EXPECT_EQ(best->total, 1);
    EXPECT_EQ(best->load, 0.25);
    EXPECT_EQ(best->train, 0.75) << "what reading does not explain";
    EXPECT_LE(best->accuracy, accuracy);
  }
  EXPECT_EQ(seen.limit_of_second, 2.5) << "whoever takes longer than twice the first is the best at nothing";
  EXPECT_EQ(results.data[0].load.at("told"), 0.25);
  EXPECT_EQ(static_cast<std::size_t>(seen.runs), std::ranges::count(results.records, "told", &PeerRecord::peer));
}

/// Ours, always as slow.
class SlowOurs final : public Peer {
 public:
  explicit SlowOurs(double seconds) : seconds_(seconds) {}
  std::string name() const override { return our_name; }
  std::string version() const override { return "1"; }
  std::vector<Ladder> ladders(const PeerTask&) const override { return {{"train", {1e-1}}}; }
  Attempt run(const PeerTask&, const PeerSetting&, const Patience&) override {
    return {.seconds = seconds_, .weights = Vector{0, 0}};
  }
  std::optional<Attempt> load(const PeerData&, const Patience&) override { return Attempt{.seconds = seconds_}; }

 private:
  double seconds_;
};

TEST_F(Peers, CheapRoundsAreMore) {
  PeersOptions o;
  o.losses = {"logistic"};
  o.lambdas = {0.1};
  o.accuracies = {1e-4};
  o.repeats = 2;
  const auto rounds = [&](double seconds) {
    std::vector<std::unique_ptr<Peer>> peers;
    peers.push_back(std::make_unique<SlowOurs>(seconds));
    const PeersResults results = run_peers(o, {{"data", file}}, peers, scratch, {});
    EXPECT_EQ(results.records.back().round, results.tasks[0].rounds);
    return results.tasks[0].rounds;
  };
  EXPECT_EQ(rounds(0.01), 6);
  EXPECT_EQ(rounds(100), 2) << "what was asked for";
  EXPECT_EQ(rounds(cheap_rounds / 2 / 3.5), 4) << "until they have cost too much: two runs a round";
}

/// A second for each run, and what is said for reading and for the start.
class Divided final : public Peer {
 public:
  Divided(double load, bool run_reads, double start) : load_(load), run_reads_(run_reads), start_(start) {}
  std::string name() const override { return "divided"; }
  std::string version() const override { return "1"; }
  std::vector<Ladder> ladders(const PeerTask&) const override { return {{"only", {0}}}; }
  Attempt run(const PeerTask& task, const PeerSetting&, const Patience&) override {
    return {.seconds = 1, .weights = minimiser(task, 1e-9)};
  }
  std::optional<Attempt> load(const PeerData&, const Patience&) override { return Attempt{.seconds = load_}; }
  bool run_reads_file() const override { return run_reads_; }
  double start_seconds() const override { return start_; }

 private:
  double load_;
  bool run_reads_;
  double start_;
};

TEST_F(Peers, LoadAndTrainApart) {
  PeersOptions o;
  o.losses = {"logistic"};
  o.lambdas = {0.1};
  o.repeats = 1;
  const auto timing = [&](double load, bool run_reads, double start) {
    std::vector<std::unique_ptr<Peer>> peers;
    peers.push_back(std::make_unique<FakeOurs>());
    peers.push_back(std::make_unique<Divided>(load, run_reads, start));
    return run_peers(o, {{"data", file}}, peers, scratch, {}).tasks[0].peers[1].timings.at(0);
  };
  EXPECT_EQ(timing(0.75, true, 0).train, 0.25);
  EXPECT_TRUE(std::isnan(timing(0.97, true, 0).train)) << "lost in noise";
  EXPECT_TRUE(std::isnan(timing(1.5, true, 0).train));
  EXPECT_EQ(timing(1.5, true, 0).total, 1);
  EXPECT_EQ(timing(0.25, false, 2).train, 1);
  EXPECT_EQ(timing(0.25, false, 2).total, 3.25) << "start, load and train";
}

TEST_F(Peers, WatchingMayThrow) {
  struct Stop {};
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(std::make_unique<FakeOurs>());
  EXPECT_THROW(run_peers({}, {{"data", file}}, peers, scratch, [](const PeersState&) { throw Stop{}; }), Stop);
}

TEST_F(Peers, LiblinearMinimisesOurObjective) {
  PeerSearch search = find_liblinear(scratch.path());
  if (!search.peer) GTEST_SKIP() << search.missing;
  // Its models name the label that came first; -1 comes first here, and +1 in the other file.
  for (const char* first : {"", "+1 1:-1 2:1\n"}) {
    testing::put(file, first + std::string(text));
    const PeerData d = data();
    for (const auto& [loss, solvers] :
         {std::pair{"logistic", std::vector{"-s 0", "-s 7"}}, std::pair{"squared-hinge", std::vector{"-s 2", "-s 1"}},
          std::pair{"squared", std::vector{"-s 11", "-s 12"}}})
      for (const double l2 : {1.0, 0.1}) {  // weaker ones are beyond the iterations of its dual solvers
        const PeerTask task{&d, loss, l2};
        const Judge judge(task, 60, {});
        for (const char* solver : solvers) {
          const Attempt attempt = search.peer->run(task, {solver, 1e-10}, {});
          EXPECT_EQ(attempt.trouble, "");
          EXPECT_LE(judge.accuracy(attempt.weights), 1e-8) << loss << " " << solver << " " << l2;
        }
      }
    EXPECT_TRUE(search.peer->load(d, {})) << "it refuses a C of 0 after it has read the data";
  }
  EXPECT_TRUE(search.peer->ladders({nullptr, "smoothed-hinge", 1}).empty());
}

/// Three classes, not separable.
constexpr const char* text_of_classes =
    "3 1:1 2:0.5\n1 1:-1 2:2\n2 1:0.3\n3 2:1\n1 1:-0.2 2:0.1\n2 1:-0.5 2:-1\n1 2:0.7\n3 1:2 2:1\n2 1:1 2:-2\n";

TEST_F(Peers, TheJudgeKnowsSeveralClasses) {
  testing::put(file, text_of_classes);
  const PeerData d = prepare_data("data", file, scratch, {.classes = true});
  const double rows = 9;
  const PeerTask softmax{&d, "softmax", 0.1}, rest{&d, "logistic", 0.1};
  const Judge joint(softmax, 60, {}), sums(rest, 60, {});
  EXPECT_NEAR(joint.value(Vector(6)), std::log(3), 1e-15);
  EXPECT_NEAR(sums.value(Vector(6)), 3 * std::log(2), 1e-15);
  // The first feature, for the class 3: the margins of its column are the entries.
  const Vector w{0, 0, 1};
  double of_joint = 0, of_sums = 2 * rows * std::log(2);
  for (const auto& [entry, of_class] : std::vector<std::pair<double, bool>>{{1, true},
                                                                            {-1, false},
                                                                            {0.3, false},
                                                                            {0, true},
                                                                            {-0.2, false},
                                                                            {-0.5, false},
                                                                            {0, false},
                                                                            {2, true},
                                                                            {1, false}}) {
    of_joint += std::log(2 + std::exp(entry)) - (of_class ? entry : 0);
    of_sums += std::log1p(std::exp(of_class ? -entry : entry));
  }
  EXPECT_NEAR(joint.value(w), of_joint / rows + 0.05, 1e-14);
  EXPECT_NEAR(sums.value(w), of_sums / rows + 0.05, 1e-14);
  EXPECT_DOUBLE_EQ(joint.accuracy(Vector(6)), 1);
  for (const PeerTask& task : {softmax, rest}) {
    const Judge judge(task, 60, {});
    EXPECT_LE(judge.reference().relative_gap(), 1e-10);
    EXPECT_LE(judge.accuracy(minimiser(task, 1e-9)), 2e-9);
  }
}

TEST_F(Peers, PeersMinimiseOurObjectiveOfSeveralClasses) {
  testing::put(file, text_of_classes);
  const PeerData d = prepare_data("data", file, scratch, {.classes = true});
  PeerSearch searches[] = {find_liblinear(scratch.path()), find_sklearn("", 1, scratch.path())};
  for (PeerSearch& search : searches) {
    if (!search.peer) continue;
    for (const char* loss : {"softmax", "logistic", "squared-hinge"}) {
      const PeerTask task{&d, loss, 0.1};
      const Judge judge(task, 60, {});
      for (const Ladder& ladder : search.peer->ladders(task)) {
        const Attempt attempt = search.peer->run(task, {ladder.solver, 1e-7}, {});
        EXPECT_EQ(attempt.trouble, "") << ladder.solver;
        EXPECT_LE(judge.accuracy(attempt.weights), 1e-5) << loss << " " << ladder.solver;
      }
    }
  }
}

TEST_F(Peers, SklearnMinimisesOurObjective) {
  PeerSearch search = find_sklearn("", 1, scratch.path());
  if (!search.peer) GTEST_SKIP() << search.missing;
  const PeerData d = data();
  for (const char* loss : {"logistic", "squared-hinge", "squared"}) {
    const PeerTask task{&d, loss, 0.1};
    const Judge judge(task, 60, {});
    for (const Ladder& ladder : search.peer->ladders(task)) {
      const Attempt attempt = search.peer->run(task, {ladder.solver, std::min(1e-6, ladder.tolerances.front())}, {});
      EXPECT_EQ(attempt.trouble, "") << ladder.solver;
      EXPECT_LE(judge.accuracy(attempt.weights), 1e-5) << loss << " " << ladder.solver;
    }
  }
  EXPECT_NE(search.peer->run({&d, "logistic", 0.1}, {"no such solver", 1e-3}, {}).trouble, "");
  EXPECT_EQ(search.peer->run({&d, "logistic", 0.1}, {"lbfgs", 1e-3}, {}).trouble, "") << "an error ends nothing";
  EXPECT_TRUE(search.peer->load(d, {}));
}

TEST_F(Peers, VwMinimisesOurObjective) {
  PeerSearch search = find_vw(scratch.path());
  if (!search.peer) GTEST_SKIP() << search.missing;
  for (const bool regression : {false, true}) {
    if (regression) testing::put(file, "-3 1:1 2:0.5\n40 1:-1 2:2\n0.5 1:0.3\n-7 2:1\n12 1:-0.2 2:0.1\n");
    const PeerData d = prepare_data("data", file, scratch, {.regression = regression, .vw = true});
    for (const char* loss : {"logistic", "squared"}) {
      const PeerTask task{&d, loss, 0.1};
      if (regression != is_regression(loss)) continue;
      const Judge judge(task, 60, {});
      const Attempt attempt = search.peer->run(task, {"--bfgs", 1e-8}, {});
      EXPECT_EQ(attempt.trouble, "") << loss;
      EXPECT_LE(judge.accuracy(attempt.weights), 1e-4) << loss << ", regression " << regression;
    }
  }
}

TEST_F(Peers, TheJudgeKnowsLeastSquares) {
  testing::put(file, "2 1:1\n-1 1:1 2:2\n");
  const PeerData d = prepare_data("data", file, scratch, {.regression = true});
  const PeerTask task{&d, "squared", 0.5};
  const Judge judge(task, 60, {});
  EXPECT_NEAR(judge.value(Vector{0, 0}), (2 * 2 + 1 * 1) / 4.0, 1e-15);
  // Predictions 1 and 3, residuals -1 and 4.
  EXPECT_NEAR(judge.value(Vector{1, 1}), (1 + 16) / 4.0 + 0.5 / 2 * 2, 1e-14);
  EXPECT_LE(judge.accuracy(minimiser(task, 1e-9)), 1e-9);
}

TEST_F(Peers, CostsAreThoseOfLiblinear) {
  PeersOptions o;
  o.losses = {"logistic", "squared"};
  o.costs = {0.5, 2};
  o.accuracies = {1e-4};
  o.repeats = 1;
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(std::make_unique<FakeOurs>());
  const PeersResults results =
      run_peers(o, {{"data", file}}, peers, scratch, [](const PeersState& state) { EXPECT_EQ(state.total, 4u); });
  ASSERT_EQ(results.tasks.size(), 4u);
  EXPECT_DOUBLE_EQ(results.tasks[0].l2, 1 / (0.5 * 8)) << "8 rows";
  EXPECT_DOUBLE_EQ(results.tasks[1].l2, 1 / (2.0 * 8));
  EXPECT_DOUBLE_EQ(results.tasks[2].l2, 1 / (2 * 0.5 * 8)) << "LIBLINEAR writes the squared losses without 1/2";
  for (std::size_t k = 0; k < 4; ++k) EXPECT_DOUBLE_EQ(results.tasks[k].cost, o.costs[k % 2]);
}

TEST(PeersMissing, AreNamedWithTheRemedy) {
  const PeerSearch search = find_sklearn("/nowhere/python3", 1, "/tmp");
  EXPECT_EQ(search.peer, nullptr);
  EXPECT_NE(search.missing.find("/nowhere/python3"), std::string::npos) << search.missing;
  EXPECT_NE(search.missing.find("scripts/peers"), std::string::npos) << search.missing;
}

}  // namespace
}  // namespace geodescent::lab
