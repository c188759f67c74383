#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "comparison/infinity.hpp"
#include "peers/peers.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

/// Three digits: a clock on a busy machine has no more. Empty for what is unknown.
Entry entry(double value) {
  if (std::isnan(value)) return {};
  if (!std::isfinite(value) || value == 0) return value;
  return std::stod(fmt::format("{:.3g}", value));
}

/// Of scikit-learn only training is compared: reading is done by another function, and Python runs already.
Clocked clocked_for(const std::string& peer) { return peer == sklearn_name ? Clocked::train : Clocked::total; }

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

/// Every task at one accuracy, ours beside the best of each peer.
Table seconds_table(const PeersResults& results, const PeersField& field, const std::string& loss, double accuracy) {
  Table table{.name = fmt::format("seconds-{}-{:.0e}", loss, accuracy),
              .title = fmt::format("Seconds to {:.0e}, {}", accuracy, loss),
              .caption =
                  "Ours proves the accuracy. The ratio is the peer's total over ours; for scikit-learn it is that "
                  "of training alone.",
              .columns = {"data", "l2", "our load", "our train", "our total"},
              .rows = {}};
  const std::vector<std::string> peers = peers_with(results, field, loss);
  for (const std::string& peer : peers)
    for (const char* column : {"load", "train", "total", "by", "ratio"})
      table.columns.push_back(fmt::format("{} {}", peer, column));
  for (const TaskOutcome& task : results.tasks) {
    if (task.loss != loss) continue;
    const Timing* const ours = our_timing(task, accuracy);
    const Timing none;
    const Timing& o = ours != nullptr ? *ours : none;
    std::vector<Entry> row = {task.data, task.l2, entry(o.load), entry(o.train), entry(o.total)};
    for (const std::string& peer : peers) {
      const PeerOutcome* const them = find_peer(task, peer);
      if (them == nullptr || has_failed(*them)) {
        row.insert(row.end(), 5, Entry());
        continue;
      }
      const Timing* const best = best_qualifying(them->timings, accuracy);
      const Timing& t = best != nullptr ? *best : none;
      const bool train = clocked_for(peer) == Clocked::train;
      const double their_seconds = best == nullptr ? none.total : train ? t.train : t.total;
      const double ratio = ours == nullptr ? 0 : their_seconds / (train ? o.train : o.total);
      row.insert(row.end(), {entry(t.load), entry(t.train), entry(t.total),
                             best != nullptr ? Entry(text_of(t.setting)) : Entry(), entry(ratio)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The numbers that are compared, and no others: short enough for a terminal.
Table overview_table(const PeersOptions& o, const PeersResults& results, const PeersField& field, double accuracy) {
  Table table{.name = fmt::format("overview-{:.0e}", accuracy),
              .title = fmt::format("Seconds to {:.0e}: ours and the best of each peer", accuracy),
              .caption = "Totals, load included; for scikit-learn, and ours beside it, training alone.",
              .columns = {"data", "l2", "loss", "ours"},
              .rows = {}};
  for (const auto& [peer, version] : field.versions) {
    if (peer == our_name) continue;
    if (peer == sklearn_name) table.columns.emplace_back("our train");
    table.columns.insert(table.columns.end(), {peer, "by", "ratio"});
  }
  table.columns.emplace_back("rounds");
  for (const std::string& loss : o.losses)
    for (const TaskOutcome& task : results.tasks) {
      if (task.loss != loss) continue;
      const Timing* const ours = our_timing(task, accuracy);
      std::vector<Entry> row = {task.data, task.l2, loss, entry(ours != nullptr ? ours->total : infinity)};
      for (const auto& [peer, version] : field.versions) {
        if (peer == our_name) continue;
        const bool train = clocked_for(peer) == Clocked::train;
        if (train) row.push_back(entry(ours != nullptr ? ours->train : infinity));
        const PeerOutcome* const them = find_peer(task, peer);
        if (them == nullptr || has_failed(*them)) {
          row.insert(row.end(), {Entry(), Entry(), Entry()});
          continue;
        }
        const Timing* const best = best_qualifying(them->timings, accuracy);
        const double theirs = best == nullptr ? infinity : train ? best->train : best->total;
        const double ratio = ours == nullptr ? 0 : theirs / (train ? ours->train : ours->total);
        row.insert(row.end(), {entry(theirs), best != nullptr ? Entry(text_of(best->setting)) : Entry(), entry(ratio)});
      }
      row.emplace_back(static_cast<double>(task.rounds));
      table.rows.push_back(std::move(row));
    }
  return table;
}

Table summary_table(const PeersOptions& o, const PeersResults& results, const PeersField& field) {
  Table table{.name = "summary",
              .title = "How many times faster ours is",
              .caption =
                  "Over all data and l2. Infinite is a peer that does not reach the accuracy within the limit, 0 "
                  "is ours not reaching it; neither is left out.",
              .columns = {"loss", "accuracy", "peer", "seconds", "problems", "median", "least", "where", "peer misses",
                          "ours misses"},
              .rows = {}};
  for (const std::string& loss : o.losses)
    for (const std::string& peer : peers_with(results, field, loss))
      for (const double accuracy : o.accuracies) {
        const Clocked clocked = clocked_for(peer);
        std::vector<double> ratios;
        double peer_misses = 0, our_misses = 0;
        const std::vector<PeerComparison> all = compare(results, loss, peer, accuracy, clocked);
        std::string where;
        for (const PeerComparison& c : all) {
          if (c.failed) continue;
          if (ratios.empty() || c.ratio() < *std::ranges::min_element(ratios))
            where = fmt::format("{} at {:g}", c.task->data, c.task->l2);
          ratios.push_back(c.ratio());
          peer_misses += std::isfinite(c.theirs) ? 0 : 1;
          our_misses += std::isfinite(c.ours) ? 0 : 1;
        }
        table.rows.push_back({loss, accuracy, peer, clocked == Clocked::train ? "train" : "total",
                              static_cast<double>(ratios.size()), entry(quantile(ratios, 0.5)),
                              entry(quantile(ratios, 0)), where, peer_misses, our_misses});
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
  for (const double accuracy : o.accuracies) tables.push_back(overview_table(o, results, field, accuracy));
  for (const std::string& loss : o.losses)
    for (const double accuracy : o.accuracies) tables.push_back(seconds_table(results, field, loss, accuracy));
  tables.push_back(reading_table(results, field));
  tables.push_back(left_out_table(results, field));
  tables.push_back(references_table(results));
  tables.push_back(runs_table(results));
  return tables;
}

}  // namespace geodescent::lab
