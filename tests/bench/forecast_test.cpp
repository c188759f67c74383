// The remaining time of an experiment whose pieces take times that the first guesses do not know.
#include "journal/forecast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace geodescent::lab {
namespace {

struct Timed {
  Piece piece;
  double seconds;
};

/// Pieces of three data sets and five regularisations, in the order of an experiment: minima,
/// constants of two methods, then every method, the most expensive pieces first. The first guesses
/// know the size of the data and how much harder a weaker regularisation is, but not the methods:
/// minima take a tenth of their guess, constants ten times theirs.
std::vector<Timed> experiment() {
  const std::vector<std::pair<std::string, double>> sets = {{"large", 1000}, {"middle", 300}, {"small", 50}};
  const std::vector<std::pair<std::string, double>> methods = {
      {"sd", 6}, {"afg", 4}, {"afgwr", 3}, {"lbfgs", 0.5}, {"geod", 2}};
  std::uint32_t state = 1;
  const auto noise = [&state] {  // up to 1.5 either way
    state = 1664525 * state + 1013904223;
    return std::pow(1.5, 2 * (static_cast<double>(state) / 4294967296.0) - 1);
  };
  std::vector<Timed> minima, constants, runs;
  for (const auto& [set, size] : sets) {
    const double difficulty = set == "middle" ? 3 : 1;
    for (int k = 0; k < 5; ++k) {
      const std::string lambda = "1e-" + std::to_string(4 + k);
      const double cost = size * std::pow(1.5, k);
      minima.push_back({{set + lambda, size, {"minimum", set, lambda}}, 0.1 * size * noise()});
      for (const auto& [method, factor] : methods)
        runs.push_back({{set + lambda + method, cost, {method, set, lambda}}, cost * difficulty * factor * noise()});
    }
    for (const char* method : {"afg", "afgwr"})
      constants.push_back(
          {{set + method, 3 * size, {std::string("constant of ") + method, set}}, 30 * size * difficulty * noise()});
  }
  std::ranges::stable_sort(runs, std::greater{}, [](const Timed& t) { return t.piece.cost; });
  minima.insert(minima.end(), constants.begin(), constants.end());
  minima.insert(minima.end(), runs.begin(), runs.end());
  return minima;
}

/// The largest quotient of an estimate and an earlier one, from the estimate number `first` to
/// `end`.
double largest_rise(const std::vector<double>& estimates, std::size_t first, std::size_t end) {
  double least = estimates.at(first), rise = 1;
  for (std::size_t k = first; k < end; ++k) {
    least = std::min(least, estimates[k]);
    rise = std::max(rise, estimates[k] / least);
  }
  return rise;
}

TEST(Forecast, DoesNotGrowWhileTheWorkGoesOn) {
  const std::vector<Timed> work = experiment();
  constexpr std::size_t first_constant = 15, last_constant = 20, every_method_was_seen = 25;
  Forecast forecast;
  double cost_left = 0, seconds_left = 0;
  for (const Timed& t : work) {
    forecast.add(t.piece);
    cost_left += t.piece.cost;
    seconds_left += t.seconds;
  }
  std::vector<double> estimates, by_cost;
  double elapsed = 0, cost_done = 0;
  for (std::size_t k = 0; k < work.size(); ++k) {
    forecast.finish(work[k].piece.label, work[k].seconds);
    elapsed += work[k].seconds;
    seconds_left -= work[k].seconds;
    cost_done += work[k].piece.cost;
    cost_left -= work[k].piece.cost;
    estimates.push_back(*forecast.remaining(1));
    by_cost.push_back(elapsed / cost_done * cost_left);
    if (k > every_method_was_seen && k + 5 < work.size()) {
      EXPECT_LT(estimates[k], 2 * seconds_left) << k;
      EXPECT_GT(estimates[k], seconds_left / 2) << k;
    }
  }
  EXPECT_LT(largest_rise(estimates, first_constant, last_constant), 1.2);
  EXPECT_GT(largest_rise(by_cost, first_constant, last_constant), 1.5) << "by the first guesses alone";
  EXPECT_LT(largest_rise(estimates, every_method_was_seen, work.size()), 1.1);
  EXPECT_EQ(estimates.back(), 0);
}

TEST(Forecast, KnowsNothingBeforeAPieceIsFinished) {
  Forecast forecast;
  EXPECT_FALSE(forecast.remaining(1).has_value());
  forecast.add({"a", 1, {}});
  EXPECT_FALSE(forecast.remaining(1).has_value());
  forecast.finish("something else", 5);
  EXPECT_FALSE(forecast.remaining(1).has_value());
}

TEST(Forecast, IsTheCostWhereNothingTellsPiecesApart) {
  Forecast forecast;
  for (const char* label : {"a", "b", "c"}) forecast.add({label, 2, {}});
  forecast.finish("b", 10);
  EXPECT_NEAR(*forecast.remaining(1), 20, 1e-9);
  EXPECT_NEAR(*forecast.remaining(2), 10, 1e-9);
  EXPECT_NEAR(*forecast.remaining(8), 10, 1e-9) << "the longest piece";
}

TEST(Forecast, CountsDownWhileAPieceIsUnderWay) {
  Forecast forecast;
  for (const char* label : {"a", "b", "c"}) forecast.add({label, 1, {}});
  forecast.finish("a", 10);
  const std::vector<PieceUnderWay> begun = {{"b", 4}}, overdue = {{"b", 40}};
  EXPECT_NEAR(*forecast.remaining(1, begun), 16, 1e-9);
  EXPECT_NEAR(*forecast.remaining(1, overdue), 10, 1e-9) << "a piece that takes longer does not raise it";
}

TEST(Forecast, LearnsTheFactorOfAMethod) {
  Forecast forecast;
  for (const char* set : {"a", "b", "c"})
    for (const char* method : {"slow", "fast"}) forecast.add({std::string(set) + method, 1, {method, set}});
  for (const char* set : {"a", "b"}) {
    forecast.finish(std::string(set) + "slow", 100);
    forecast.finish(std::string(set) + "fast", 1);
  }
  forecast.finish("cslow", 100);
  EXPECT_LT(*forecast.remaining(1), 10) << "the fast method alone is left";
}

TEST(Forecast, TakesPiecesThatTakeNoTime) {
  Forecast forecast;
  for (const char* label : {"a", "b"}) forecast.add({label, 1, {"x"}});
  forecast.finish("a", 0);
  EXPECT_LT(*forecast.remaining(1), 1e-3);
}

}  // namespace
}  // namespace geodescent::lab
