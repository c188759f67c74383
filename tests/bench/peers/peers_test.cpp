// The report of `bench peers`, on made-up seconds.
#include "peers/peers.hpp"
#include "comparison/infinity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace geodescent::lab {
namespace {

PeerOutcome ours(double total, double train) {
  PeerOutcome outcome{.peer = our_name};
  for (const double accuracy : {1e-3, 1e-4, 1e-6, 1e-9})
    outcome.timings.push_back({.setting = {"train", accuracy},
                               .load = 0.1,
                               .train = train,
                               .total = total,
                               .accuracy = std::isfinite(total) ? accuracy / 10 : infinity});
  return outcome;
}

/// Infinite seconds: a peer that did not get there in time.
PeerOutcome theirs(const char* peer, double total, double train) {
  PeerOutcome outcome{.peer = peer};
  const PeerSetting setting{"-s 0", 1e-3};
  if (std::isfinite(total)) {
    outcome.trials = {{setting, total, 1e-10}};
    outcome.timings = {{.setting = setting, .load = 0.9, .train = train, .total = total, .accuracy = 1e-10}};
  } else {
    outcome.trials = {{setting, 60, infinity, "not finished within 60 s", true}};
  }
  return outcome;
}

PeerOutcome broken(const char* peer) {
  return {.peer = peer, .trials = {{{"-s 0", 0.1}, 0, infinity, "exit code 1: no such file"}}};
}

TaskOutcome task(const std::string& data, const std::string& loss, std::vector<PeerOutcome> peers) {
  return {data,
          loss,
          1e-4,
          1000,
          {.start_value = 1, .value = 0.5, .lower_bound = 0.5, .iterations = 1, .solver = "made up"},
          std::move(peers)};
}

/// Logistic: ours takes 1 s (0.5 s train) on both sets, the peers what is said; smoothed hinge as
/// said.
struct Seconds {
  double liblinear_a = 4, liblinear_b = 4, sklearn_train = 1.5, hinge = 1, liblinear_load = 0.8, sklearn_load = 1.5;
};

PeersResults results_of(const Seconds& s) {
  PeersResults results;
  for (const char* name : {"a", "b"})
    results.data.push_back({.name = name,
                            .rows = 10,
                            .features = 2,
                            .nonzeros = 20,
                            .bytes = name[0] == 'b' ? 200u : 100u,
                            .load = {{our_name, 0.1},
                                     {liblinear_name, name[0] == 'b' ? s.liblinear_load : 0.0},
                                     {sklearn_name, name[0] == 'b' ? s.sklearn_load : 0.0}}});
  for (const char* name : {"a", "b"}) {
    results.tasks.push_back(
        task(name, "logistic",
             {ours(1, 0.5), theirs(liblinear_name, name[0] == 'a' ? s.liblinear_a : s.liblinear_b, 1),
              theirs(sklearn_name, 2, s.sklearn_train)}));
    results.tasks.push_back(task(name, "smoothed-hinge", {ours(s.hinge, 0.5)}));
  }
  results.records.push_back({"a", "logistic", liblinear_name, 1e-4, {"-s 7", 1e-3}, 0, 60, infinity, "too slow"});
  return results;
}

std::vector<Verdict> verdicts(const PeersResults& results) {
  std::vector<Verdict> all;
  for (const Claim& claim : peers_claims({}, results)) all.push_back(claim.verdict);
  return all;
}

TEST(PeersClaims, HoldAtTheirThresholds) { EXPECT_EQ(verdicts(results_of({})), std::vector(5, Verdict::holds)); }

TEST(PeersClaims, CanFail) {
  EXPECT_EQ(verdicts(results_of({.liblinear_a = 1.9, .liblinear_b = 9}))[0], Verdict::holds_in_part);
  EXPECT_EQ(verdicts(results_of({.liblinear_a = 3.9, .liblinear_b = 3.9}))[0], Verdict::holds_in_part);
  EXPECT_EQ(verdicts(results_of({.liblinear_a = 1, .liblinear_b = 1}))[0], Verdict::does_not_hold);
  EXPECT_EQ(verdicts(results_of({.sklearn_train = 0.4}))[1], Verdict::does_not_hold);
  EXPECT_EQ(verdicts(results_of({.sklearn_train = 1}))[1], Verdict::holds_in_part);
  EXPECT_EQ(verdicts(results_of({.sklearn_train = 0.4}))[4], Verdict::does_not_hold) << "one peer is enough";
  EXPECT_EQ(verdicts(results_of({.sklearn_train = 0.9}))[4], Verdict::holds_in_part);
  EXPECT_EQ(verdicts(results_of({.hinge = 1.6}))[2], Verdict::holds_in_part);
  EXPECT_EQ(verdicts(results_of({.hinge = infinity}))[2], Verdict::does_not_hold);
  EXPECT_EQ(verdicts(results_of({.liblinear_load = 0.7}))[3], Verdict::holds_in_part);
  EXPECT_EQ(verdicts(results_of({.liblinear_load = 0.7, .sklearn_load = 1}))[3], Verdict::does_not_hold);
}

TEST(PeersClaims, APeerThatIsTooSlowIsBeaten) {
  const PeersResults results = results_of({.liblinear_b = infinity});
  const Claim claim = peers_claims({}, results)[0];
  EXPECT_EQ(claim.verdict, Verdict::holds);
  EXPECT_NE(claim.measured.find("within the limit: b at 0.0001"), std::string::npos) << claim.measured;
}

TEST(PeersClaims, APeerThatFailsProvesNothing) {
  PeersResults results = results_of({});
  results.tasks[0].peers[1] = broken(liblinear_name);
  Claim claim = peers_claims({}, results)[0];
  EXPECT_EQ(claim.verdict, Verdict::holds_in_part) << "of what is left";
  EXPECT_NE(claim.measured.find("failed, which proves nothing: a at 0.0001"), std::string::npos) << claim.measured;
  results.tasks[2].peers[1] = broken(liblinear_name);
  EXPECT_EQ(peers_claims({}, results)[0].verdict, Verdict::not_measured);
}

TEST(PeersClaims, WhatNoRoundRepeatsIsNoVictory) {
  PeersResults results = results_of({});
  results.tasks[0].peers[1].timings[0].total = infinity;
  results.tasks[0].peers[1].timings[0].trouble = "exit code 1";
  EXPECT_EQ(peers_claims({}, results)[0].verdict, Verdict::holds_in_part);
}

TEST(PeersClaims, TrainingThatIsNotKnownProvesNothing) {
  PeersResults results = results_of({});
  results.tasks[0].peers[2].timings[0].train = std::nan("");
  EXPECT_EQ(peers_claims({}, results)[1].verdict, Verdict::holds_in_part);
  EXPECT_EQ(compare(results.tasks[0], best_peer, 1e-6, Clocked::train)->peer, liblinear_name);
}

TEST(PeersClaims, OursHasToGetThere) {
  PeersResults results = results_of({});
  results.tasks[0].peers[0] = ours(infinity, infinity);
  const Claim claim = peers_claims({}, results)[0];
  EXPECT_EQ(claim.verdict, Verdict::does_not_hold) << claim.measured;
  EXPECT_NE(claim.measured.find("Ours does not get there: a"), std::string::npos) << claim.measured;
  // A run that says converged, and whose weights are not that good, has not got there either.
  results = results_of({});
  for (Timing& timing : results.tasks[0].peers[0].timings) timing.accuracy = 1e-3;
  EXPECT_EQ(our_timing(results.tasks[0], 1e-6), nullptr);
}

TEST(PeersClaims, WithoutPeersNothingIsMeasured) {
  PeersResults results = results_of({});
  for (TaskOutcome& t : results.tasks) t.peers.resize(1);
  for (DataOutcome& d : results.data) d.load = {{our_name, 0.1}};
  const auto all = verdicts(results);
  EXPECT_EQ(all[0], Verdict::not_measured);
  EXPECT_EQ(all[1], Verdict::not_measured);
  EXPECT_EQ(all[2], Verdict::holds) << "a matter of our own";
  EXPECT_EQ(all[3], Verdict::not_measured);
}

TEST(PeersReport, IsWholeAndNamesWhoIsMissing) {
  PeersResults results = results_of({.liblinear_b = infinity});
  results.data[0].note = "20 classes, made two by parity: odd is +1";
  const PeersField field{.versions = {{our_name, "1"}, {liblinear_name, "2.3"}, {sklearn_name, "1.2"}},
                         .left_out = {{vw_name, "vw is not installed"}}};
  const PeersOptions o{.losses = {"logistic", "smoothed-hinge"}};
  const Report report = peers_report(o, results, field);
  EXPECT_EQ(report.name, "peers");
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_EQ(report.warnings[0], "vw is left out: vw is not installed.");
  const auto fact = [&](const std::string& name) {
    const auto found = std::ranges::find(report.facts, name, &std::pair<std::string, std::string>::first);
    return found == report.facts.end() ? "" : found->second;
  };
  EXPECT_EQ(fact(liblinear_name), "2.3");
  EXPECT_EQ(fact("a"), "20 classes, made two by parity: odd is +1");
  ASSERT_EQ(report.figures.size(), 2u);
  for (const Figure& figure : report.figures) {
    EXPECT_EQ(figure.panels.size(), o.accuracies.size());
    for (const Panel& panel : figure.panels)
      for (const Curve& curve : panel.curves) ASSERT_EQ(curve.x.size(), curve.y.size()) << figure.name;
  }
  for (const Table& table : report.tables)
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
  const auto left_out = std::ranges::find(report.tables, "left-out", &Table::name);
  ASSERT_NE(left_out, report.tables.end());
  EXPECT_EQ(left_out->rows.size(), 2u) << "a peer and a solver";
}

TEST(PeersReport, TheBestPeerIsTheFastestThatDidNotFail) {
  PeersResults results = results_of({.liblinear_a = 4, .sklearn_train = 1.5});
  const auto best = [&](Clocked clocked) { return compare(results.tasks[0], best_peer, 1e-6, clocked); };
  EXPECT_EQ(best(Clocked::total)->peer, sklearn_name) << "2 s against 4 s";
  EXPECT_EQ(best(Clocked::train)->peer, liblinear_name) << "1 s against 1.5 s";
  EXPECT_DOUBLE_EQ(best(Clocked::train)->ratio(), 2);
  results.tasks[0].peers[1] = broken(liblinear_name);
  EXPECT_EQ(best(Clocked::train)->peer, sklearn_name);
  EXPECT_FALSE(best(Clocked::train)->failed);
  results.tasks[0].peers[2] = broken(sklearn_name);
  EXPECT_TRUE(best(Clocked::train)->failed) << "no peer is left: nothing is won";
  EXPECT_TRUE(std::isnan(best(Clocked::train)->ratio()));
  EXPECT_EQ(compare(results.tasks[1], best_peer, 1e-6, Clocked::train), std::nullopt) << "no peer has this loss";
}

TEST(PeersReport, TrainingAndTheWholeCommandHaveTablesOfTheirOwn) {
  const PeersField field{.versions = {{our_name, "1"}, {liblinear_name, "2.3"}, {sklearn_name, "1.2"}}, .left_out = {}};
  const PeersOptions o{.losses = {"logistic"}};
  const std::vector<Table> tables = peers_tables(o, results_of({.liblinear_a = 5}), field);
  const auto cell = [&](const std::string& name, const std::string& column, std::size_t place = 0) {
    const auto table = std::ranges::find(tables, name, &Table::name);
    EXPECT_NE(table, tables.end()) << name;
    const auto found = std::ranges::find(table->columns, column) - table->columns.begin();
    return std::get<double>(table->rows[0].at(static_cast<std::size_t>(found) + place));
  };
  EXPECT_EQ(cell("whole-1e-06", "ours"), 1);
  EXPECT_EQ(cell("whole-1e-06", liblinear_name), 5);
  EXPECT_EQ(cell("whole-1e-06", liblinear_name, 2), 5) << "the ratio";
  EXPECT_EQ(cell("whole-1e-06", "best ratio"), 2) << "scikit-learn's";
  EXPECT_EQ(cell("train-1e-03", "ours"), 0.5);
  EXPECT_EQ(cell("train-1e-03", liblinear_name, 2), 2);
  EXPECT_EQ(cell("train-1e-03", sklearn_name, 2), 3);
  EXPECT_EQ(cell("train-1e-03", "best ratio"), 2);
  EXPECT_EQ(cell("train-1e-03", "C"), 1000);
}

TEST(PeersReport, AnUncertainMinimumIsNamedWithItsGapRoundedUp) {
  PeersResults results = results_of({});
  results.tasks[0].reference.lower_bound = 0.5 - 1e-6;
  const Report report = peers_report({.losses = {"logistic"}}, results, {});
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_NE(report.warnings[0].find("proven to 2e-06 only"), std::string::npos) << report.warnings[0];
  results.tasks[0].reference.lower_bound = 0.5 - 1.21e-6;
  EXPECT_NE(peers_report({.losses = {"logistic"}}, results, {}).warnings[0].find("proven to 2.5e-06 only"),
            std::string::npos);
}

TEST(PeersReport, ErrorsOfAPeerAreShown) {
  PeersResults results = results_of({});
  results.tasks[0].peers[1] = broken(liblinear_name);
  const PeersField field{.versions = {{our_name, "1"}, {liblinear_name, "2.3"}, {sklearn_name, "1.2"}}, .left_out = {}};
  const Report report = peers_report({.losses = {"logistic", "smoothed-hinge"}}, results, field);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0], "a, logistic, l2 0.0001: liblinear does not work: exit code 1: no such file.");
}

}  // namespace
}  // namespace geodescent::lab
