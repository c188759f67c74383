// The claims about speed on the given data, with the thresholds that decide each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "peers/peers.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

constexpr double judged_at = 1e-6;
constexpr const char* claims_source = "speed";

struct Aim {
  double median, least;
};

Verdict both(bool first, bool second) {
  return first && second ? Verdict::holds : first || second ? Verdict::holds_in_part : Verdict::does_not_hold;
}

Claim times_faster(const PeersResults& results, const std::string& loss, const std::string& peer, Clocked clocked,
                   const Aim& aim) {
  Claim claim{
      claims_source,
      fmt::format("Ours is faster than {}'s best solver, {}, {}, to a certified {:.0e}. (Judged: at least "
                  "{:g} times in the median over data and l2, and nowhere less than {:g} times; in part: one of "
                  "both, or the peer failed somewhere.)",
                  peer == best_peer ? "every peer" : peer, loss,
                  clocked == Clocked::total ? "load included" : "train only", judged_at, aim.median, aim.least),
      ""};
  const std::vector<PeerComparison> all = compare(results, loss, peer, judged_at, clocked);
  if (all.empty()) {
    claim.measured = fmt::format("needs {} and the loss {}", peer == best_peer ? "a peer" : peer, loss);
    return claim;
  }
  std::vector<double> ratios;
  const TaskOutcome* at_least = nullptr;
  std::string not_reached, ours_not_reached, failed;
  for (const PeerComparison& c : all) {
    if (c.failed) {
      failed += fmt::format(", {}", place_of(*c.task));
      continue;
    }
    if (ratios.empty() || c.ratio() < *std::ranges::min_element(ratios)) at_least = c.task;
    ratios.push_back(c.ratio());
    if (!std::isfinite(c.theirs)) not_reached += fmt::format(", {}", place_of(*c.task));
    if (!std::isfinite(c.ours)) ours_not_reached += fmt::format(", {}", place_of(*c.task));
  }
  if (at_least != nullptr) {
    const double median = quantile(ratios, 0.5), least = *std::ranges::min_element(ratios);
    claim.measured = fmt::format("{:.1f} times in the median of {}; least {:.2f} times, {}.", median, ratios.size(),
                                 least, place_of(*at_least));
    claim.verdict = both(median >= aim.median, least >= aim.least);
  }
  if (!not_reached.empty())
    claim.measured += fmt::format(" {} does not get there within the limit: {}.", peer, not_reached.substr(2));
  if (!ours_not_reached.empty())
    claim.measured += fmt::format(" Ours does not get there: {}.", ours_not_reached.substr(2));
  if (!failed.empty()) {
    claim.measured += fmt::format(" {} failed, which proves nothing: {}.", peer, failed.substr(2));
    if (claim.verdict == Verdict::holds) claim.verdict = Verdict::holds_in_part;
  }
  return claim;
}

Claim smoothed_hinge_keeps_up(const PeersResults& results) {
  constexpr double most = 1.5;
  Claim claim{
      claims_source,
      fmt::format("Smoothed hinge is not much slower than logistic. (Judged: solved to {:.0e} everywhere, and "
                  "the geometric mean of the seconds, load included, is at most {:g} times that of logistic; in "
                  "part: one of both.)",
                  judged_at, most),
      ""};
  std::size_t pairs = 0, solved = 0;
  double sum = 0, sums = 0;
  std::string missed;
  for (const TaskOutcome& hinge : results.tasks) {
    const auto same = std::ranges::find_if(results.tasks, [&](const TaskOutcome& t) {
      return t.loss == "logistic" && t.data == hinge.data && t.l2 == hinge.l2;
    });
    if (hinge.loss != "smoothed-hinge" || same == results.tasks.end()) continue;
    ++pairs;
    const Timing *const one = our_timing(hinge, judged_at), *const other = our_timing(*same, judged_at);
    if (one == nullptr) missed += fmt::format(", {}", place_of(hinge));
    if (one == nullptr || other == nullptr) continue;
    ++solved;
    sum += std::log(one->total / other->total);
    sums += std::log(one->total);
  }
  if (pairs == 0) {
    claim.measured = "needs the losses logistic and smoothed-hinge";
    return claim;
  }
  const double ratio = solved > 0 ? std::exp(sum / static_cast<double>(solved)) : std::nan("");
  claim.measured =
      solved == 0 ? "No problem is solved with both."
                  : fmt::format("{:.2f} times the seconds of logistic in the geometric mean ({:.3g} s) of {} problems.",
                                ratio, std::exp(sums / static_cast<double>(solved)), solved);
  if (!missed.empty()) claim.measured += fmt::format(" Not solved: {}.", missed.substr(2));
  claim.verdict = both(missed.empty(), ratio <= most);
  return claim;
}

Claim reads_faster(const PeersResults& results) {
  constexpr double times_liblinear = 8, times_sklearn = 15;
  Claim claim{
      claims_source,
      fmt::format("The data are read faster. (Judged on news20, or else on the largest file: at least {:g} times "
                  "as fast as liblinear-train reads them, and {:g} times as fast as load_svmlight_file; in "
                  "part: one of both.)",
                  times_liblinear, times_sklearn),
      ""};
  auto judged = std::ranges::find(results.data, "news20", &DataOutcome::name);
  if (judged == results.data.end()) judged = std::ranges::max_element(results.data, {}, &DataOutcome::bytes);
  const auto ours =
      judged == results.data.end() ? std::map<std::string, double>::const_iterator() : judged->load.find(our_name);
  if (judged == results.data.end() || ours == judged->load.end()) {
    claim.measured = "nothing was read";
    return claim;
  }
  std::size_t measured = 0, fine = 0;
  for (const auto& [peer, aim] : {std::pair{liblinear_name, times_liblinear}, std::pair{sklearn_name, times_sklearn}}) {
    const auto theirs = judged->load.find(peer);
    if (theirs == judged->load.end()) continue;
    const double ratio = theirs->second / ours->second;
    ++measured;
    fine += ratio >= aim ? 1 : 0;
    claim.measured += fmt::format("{}{:.1f} times as fast as {}", measured > 1 ? ", " : "", ratio, peer);
  }
  if (measured == 0) {
    claim.measured = fmt::format("needs {} or {}", liblinear_name, sklearn_name);
    return claim;
  }
  claim.measured +=
      fmt::format(", {} ({:.1f} MB, {:.3g} s).", judged->name, 1e-6 * static_cast<double>(judged->bytes), ours->second);
  claim.verdict = lab::judged(fine, measured);
  return claim;
}

}  // namespace

std::vector<Claim> peers_claims(const PeersOptions& o, const PeersResults& results) {
  if (o.classes)
    return {times_faster(results, "softmax", sklearn_name, Clocked::train, {4, 1}),
            times_faster(results, "logistic", liblinear_name, Clocked::total, {3, 1}),
            times_faster(results, "squared-hinge", liblinear_name, Clocked::total, {3, 1})};
  return {times_faster(results, "logistic", liblinear_name, Clocked::total, {4, 2}),
          times_faster(results, "logistic", sklearn_name, Clocked::train, {3, 1}), smoothed_hinge_keeps_up(results),
          reads_faster(results), times_faster(results, "logistic", best_peer, Clocked::train, {2, 1})};
}

}  // namespace geodescent::lab
