#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "comparison/infinity.hpp"
#include "peers/peers.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

/// Rounds to three digits, the precision of a clock on a busy machine. Empty for NaN.
Entry entry(double value) {
  if (std::isnan(value)) return {};
  if (!std::isfinite(value) || value == 0) return value;
  return std::stod(fmt::format("{:.3g}", value));
}

std::vector<std::string> peers_with(const PeersResults& results, const PeersField& field, const std::string& loss) {
  std::vector<std::string> peers;
  for (const auto& of : field.versions) {
    const auto takes_part = [&](const TaskOutcome& task) {
      return task.loss == loss && find_peer(task, of.first) != nullptr;
    };
    if (of.first != our_name && std::ranges::any_of(results.tasks, takes_part)) peers.push_back(of.first);
  }
  return peers;
}

const char* words_for(Clocked clocked) { return clocked == Clocked::total ? "whole command" : "train only"; }

/// Every task at one accuracy: geodescent, the best setting of each peer, and the best of all.
Table race_table(const PeersOptions& o, const PeersResults& results, const PeersField& field, double accuracy,
                 Clocked clocked) {
  const bool whole = clocked == Clocked::total;
  Table table{
      .name = fmt::format("{}-{:.0e}", whole ? "whole" : "train", accuracy),
      .title = fmt::format("Seconds to {:.0e}, {}", accuracy, words_for(clocked)),
      .caption = whole ? "From the file to a model on disk, ours with its proof; scikit-learn: load_svmlight_file "
                         "and fit in a Python of its own. A ratio is the peer's seconds over ours."
                       : "From data in memory to coefficients, ours with the proof. A ratio is the peer's "
                         "seconds over ours.",
      .columns = {"data", "loss", "l2", "C", "ours"},
      .rows = {}};
  for (const auto& [peer, version] : field.versions)
    if (peer != our_name) table.columns.insert(table.columns.end(), {peer, "by", "ratio"});
  table.columns.insert(table.columns.end(), {"best ratio", "rounds"});
  for (const std::string& loss : o.losses)
    for (const TaskOutcome& task : results.tasks) {
      if (task.loss != loss) continue;
      const Timing* const ours = our_timing(task, accuracy);
      std::vector<Entry> row = {task.data, loss, entry(task.l2), entry(task.cost),
                                entry(ours != nullptr ? seconds_of(*ours, clocked) : infinity)};
      for (const auto& [peer, version] : field.versions) {
        if (peer == our_name) continue;
        const auto c = compare(task, peer, accuracy, clocked);
        if (c && !c->failed)
          row.insert(row.end(), {entry(c->theirs), c->best != nullptr ? Entry(text_of(c->best->setting)) : Entry(),
                                 entry(c->ratio())});
        else
          row.insert(row.end(), 3, Entry());
      }
      const auto best = compare(task, best_peer, accuracy, clocked);
      row.push_back(best ? entry(best->ratio()) : Entry());
      row.emplace_back(static_cast<double>(task.rounds));
      table.rows.push_back(std::move(row));
    }
  return table;
}

/// The ratios for one loss, peer, accuracy and clock.
std::vector<Entry> summary_row(const std::string& loss, const std::string& peer, double accuracy, Clocked clocked,
                               const std::vector<PeerComparison>& all) {
  std::vector<double> ratios;
  double peer_misses = 0, our_misses = 0, not_compared = 0, behind = 0;
  std::string worst;
  for (const PeerComparison& c : all) {
    if (c.failed) {
      ++not_compared;
      continue;
    }
    if (ratios.empty() || c.ratio() < *std::ranges::min_element(ratios)) worst = place_of(*c.task);
    ratios.push_back(c.ratio());
    behind += c.ratio() < 1 ? 1 : 0;
    peer_misses += std::isfinite(c.theirs) ? 0 : 1;
    our_misses += std::isfinite(c.ours) ? 0 : 1;
  }
  return {loss,
          accuracy,
          peer,
          words_for(clocked),
          static_cast<double>(ratios.size()),
          entry(quantile(ratios, 0.5)),
          entry(quantile(ratios, 0)),
          worst,
          behind,
          peer_misses,
          our_misses,
          not_compared};
}

Table summary_table(const PeersOptions& o, const PeersResults& results, const PeersField& field) {
  Table table{.name = "summary",
              .title = "How many times faster ours is",
              .caption =
                  "Over all data and l2. Infinite is a peer that does not reach the accuracy within the limit, 0 "
                  "is ours not reaching it; neither is left out. The best peer is the fastest on each problem. Not "
                  "compared is where the peer failed, or where its training cannot be told from reading.",
              .columns = {"loss", "accuracy", "peer", "seconds", "problems", "median", "least", "where", "behind",
                          "peer misses", "ours misses", "not compared"},
              .rows = {}};
  for (const std::string& loss : o.losses) {
    std::vector<std::string> peers = peers_with(results, field, loss);
    if (peers.size() > 1) peers.emplace_back(best_peer);
    for (const std::string& peer : peers)
      for (const Clocked clocked : {Clocked::total, Clocked::train})
        for (const double accuracy : o.accuracies)
          table.rows.push_back(
              summary_row(loss, peer, accuracy, clocked, compare(results, loss, peer, accuracy, clocked)));
  }
  return table;
}

Table reading_table(const PeersResults& results, const PeersField& field) {
  Table table{.name = "reading",
              .title = "Seconds to read the data",
              .caption = "Plain text, in the cache of the system. The last columns are times ours.",
              .columns = {"data", "rows", "features", "nonzeros", "MB"},
              .rows = {}};
  for (const auto& [peer, version] : field.versions) table.columns.push_back(peer);
  for (std::size_t p = 1; p < field.versions.size(); ++p)
    table.columns.push_back(fmt::format("{} / ours", field.versions[p].first));
  for (const DataOutcome& data : results.data) {
    const auto load = [&](const std::string& peer) {
      const auto found = data.load.find(peer);
      return found == data.load.end() ? std::nan("") : found->second;
    };
    std::vector<Entry> row = {data.name, static_cast<double>(data.rows), static_cast<double>(data.features),
                              static_cast<double>(data.nonzeros), entry(1e-6 * static_cast<double>(data.bytes))};
    for (const auto& [peer, version] : field.versions) row.push_back(entry(load(peer)));
    for (std::size_t p = 1; p < field.versions.size(); ++p)
      row.push_back(entry(load(field.versions[p].first) / load(our_name)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table references_table(const PeersResults& results) {
  Table table{.name = "references",
              .title = "The minima that accuracies are measured from",
              .caption = "f* lies between the lower bound and the value, proven by a certificate.",
              .columns = {"data", "loss", "l2", "f(0)", "value", "lower bound", "relative gap"},
              .rows = {},
              .in_page = false};
  for (const TaskOutcome& t : results.tasks)
    table.rows.push_back({t.data, t.loss, t.l2, t.reference.start_value, t.reference.value, t.reference.lower_bound,
                          t.reference.relative_gap()});
  return table;
}

Table runs_table(const PeersResults& results) {
  Table table{
      .name = "runs",
      .title = "Every run",
      .caption =
          "Round 0 is the search for tolerances. Seconds of scikit-learn are those of fit, of the others "
          "those of the whole program.",
      .columns = {"data", "loss", "l2", "peer", "solver", "tolerance", "round", "seconds", "accuracy", "trouble"},
      .rows = {},
      .in_page = false};
  for (const PeerRecord& r : results.records)
    table.rows.push_back({r.data, r.loss, r.l2, r.peer, r.setting.solver, r.setting.tolerance,
                          static_cast<double>(r.round), r.seconds, r.accuracy, r.trouble});
  return table;
}

Table left_out_table(const PeersResults& results, const PeersField& field) {
  Table table{.name = "left-out",
              .title = "What was left out, or given up",
              .caption = "Peers that are not installed; solvers that failed, or were too slow to be the best.",
              .columns = {"data", "loss", "l2", "peer", "solver", "tolerance", "why"},
              .rows = {}};
  for (const auto& [peer, reason] : field.left_out) table.rows.push_back({{}, {}, {}, peer, {}, {}, reason});
  for (const PeerRecord& r : results.records)
    if (!r.trouble.empty())
      table.rows.push_back({r.data, r.loss, r.l2, r.peer, r.setting.solver, r.setting.tolerance, r.trouble});
  return table;
}

}  // namespace

std::vector<Table> peers_tables(const PeersOptions& o, const PeersResults& results, const PeersField& field) {
  std::vector<Table> tables = {summary_table(o, results, field)};
  for (const Clocked clocked : {Clocked::total, Clocked::train})
    for (const double accuracy : o.accuracies) tables.push_back(race_table(o, results, field, accuracy, clocked));
  tables.push_back(reading_table(results, field));
  tables.push_back(left_out_table(results, field));
  tables.push_back(references_table(results));
  tables.push_back(runs_table(results));
  return tables;
}

}  // namespace geodescent::lab
