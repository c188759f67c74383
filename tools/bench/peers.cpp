// `geodescent bench peers`: ours beside liblinear-train, scikit-learn and vw, in seconds.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/text/utf8.hpp"
#include "bench/bench.hpp"
#include "catalogue/catalogue.hpp"
#include "common/interrupt.hpp"
#include "common/options/options.hpp"
#include "common/output.hpp"
#include "common/progress.hpp"
#include "geodescent/error.hpp"
#include "geodescent/threads.hpp"
#include "peers/peers.hpp"

namespace geodescent::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* peers_description =
    R"(Times geodescent beside liblinear-train, scikit-learn and vw.

Each program minimises mean loss + l2/2 |w|^2, without an intercept, on the same plain file, one program at a time. The objective is evaluated at its coefficients and compared with a proven minimum. Four accuracies are timed: 1e-3, 1e-4, 1e-6 and 1e-9 of the possible improvement. geodescent gets the accuracy as --tol and proves it. For the solvers of other programs a tolerance that reaches the accuracy is found first. The settings that may be the fastest then run in rounds. The result is the least seconds, of the whole command and of training alone.

A program that is not installed is left out and named; scripts/peers installs it. No other program has the smoothed hinge: it is compared with the logistic loss of geodescent.

Data with more than two classes are made two by the parity of the label; --classes learns all classes. With --losses squared alone, the targets are kept.)";

constexpr const char* peers_examples = R"(Examples:

  geodescent bench peers
  geodescent bench peers --data my.svm --losses logistic --l2 1e-4
  geodescent bench peers --data text.svm --losses logistic --cost 0.1,1,10
  geodescent bench peers --data DIR --sets a9a,ijcnn1 --peers liblinear
  geodescent bench peers --classes --data DIR --sets letter.scale --cost 1,100)";

struct PeersWishes {
  std::vector<std::string> data;
  std::vector<std::string> sets;
  std::vector<std::string> losses;
  std::vector<std::string> peers;
  std::string python;
  lab::PeersOptions experiment;
  BenchOutput output = {.folder = "geodescent-peers"};
};

const std::vector<std::string> default_sets = {"a9a",       "w8a",          "ijcnn1",  "phishing",
                                               "mushrooms", "skin_nonskin", "madelon", "news20"};

const std::vector<std::string> default_sets_of_classes = {"iris.scale", "segment.scale", "dna.scale", "letter.scale",
                                                          "news20"};
const std::vector<std::string> losses_of_classes = {"softmax", "logistic", "squared-hinge"};

/// The name of a file without the suffix of its compression.
std::string name_of(const fs::path& file) {
  const std::string suffix = file.extension().string();
  for (const char* known : {".xz", ".bz2", ".gz", ".zst", ".lzma"})
    if (suffix == known) return file.stem().string();
  return file.filename().string();
}

/// The sets that are in one of the folders; the names of the others go to `missing`.
void add_sets(const std::vector<std::string>& folders, const std::vector<std::string>& names,
              std::vector<lab::PeerSource>& sources, std::vector<std::string>& missing) {
  for (const std::string& name : names) {
    std::optional<std::string> found;
    for (const std::string& folder : folders)
      if (!found) found = lab::find_set(folder, name);
    if (found)
      sources.push_back({as_utf8(name), *found});
    else
      missing.push_back(name);
  }
}

const std::vector<std::string>& default_sets_for(const PeersWishes& w) {
  return w.experiment.classes ? default_sets_of_classes : default_sets;
}

/// The losses of the race, which depend on --classes.
std::vector<std::string> losses_of(const PeersWishes& w) {
  if (w.losses.empty()) return w.experiment.classes ? losses_of_classes : lab::PeersOptions{}.losses;
  for (const std::string& loss : w.losses) {
    if (w.experiment.classes && lab::is_regression(loss))
      throw UsageError(fmt::format("--losses {} is a regression; leave it out or --classes", loss));
    if (!w.experiment.classes && loss == "softmax")
      throw UsageError("--losses softmax learns all classes; add --classes");
  }
  return w.losses;
}

std::vector<lab::PeerSource> sources_of(const PeersWishes& w, std::vector<std::string>& missing) {
  std::vector<lab::PeerSource> sources;
  std::vector<std::string> folders;
  std::error_code error;
  for (const std::string& path : w.data) {
    if (fs::is_directory(path, error))
      folders.push_back(path);
    else if (fs::is_regular_file(path, error))
      sources.push_back({as_utf8(name_of(path)), path});
    else
      throw InputError(fmt::format("{}: no such file or folder; --data takes LIBSVM files, and folders", path));
  }
  if (w.data.empty()) folders.push_back(lab::default_data_folder());
  if (folders.empty() && !w.sets.empty()) throw UsageError("--sets needs a folder in --data");
  if (!folders.empty()) add_sets(folders, w.sets.empty() ? default_sets_for(w) : w.sets, sources, missing);
  if (sources.empty() || (!w.sets.empty() && !missing.empty()))
    throw InputError(
        fmt::format("{}: not there: {}; get the data with 'geodescent fetch', or name files and folders with --data",
                    fmt::join(folders, ", "), fmt::join(missing, ", ")));
  for (auto one = sources.begin(); one != sources.end(); ++one)
    if (std::find_if(sources.begin(), one, [&](const auto& other) { return other.name == one->name; }) != one)
      throw UsageError(fmt::format("two data sets are called {}", one->name));
  return sources;
}

/// The requested programs. One that was named must be installed; otherwise missing ones are left
/// out.
std::vector<std::unique_ptr<lab::Peer>> find_peers(const PeersWishes& w, const std::string& scratch,
                                                   lab::PeersField& field) {
  std::vector<std::unique_ptr<lab::Peer>> peers;
  peers.push_back(lab::make_ours(fs::read_symlink("/proc/self/exe").string(), w.experiment.threads, scratch));
  const auto add = [&](const char* name, auto find) {
    const bool named = std::ranges::find(w.peers, name) != w.peers.end();
    if (!w.peers.empty() && !named) {
      field.left_out.emplace_back(name, "not asked for by --peers");
      return;
    }
    lab::PeerSearch search = find();
    if (search.peer)
      peers.push_back(std::move(search.peer));
    else if (named)
      throw InputError(fmt::format("{}: {}", name, search.missing));
    else
      field.left_out.emplace_back(name, search.missing);
  };
  add(lab::liblinear_name, [&] { return lab::find_liblinear(scratch); });
  add(lab::sklearn_name, [&] { return lab::find_sklearn(w.python, w.experiment.threads, scratch); });
  add(lab::vw_name, [&] { return lab::find_vw(scratch); });
  for (const auto& peer : peers) field.versions.emplace_back(peer->name(), peer->version());
  return peers;
}

int run(PeersWishes& w) {
  w.experiment.losses = losses_of(w);
  require_folder(w.output.folder);
  std::vector<std::string> missing;
  const std::vector<lab::PeerSource> sources = sources_of(w, missing);
  const lab::ScratchFolder scratch;
  lab::PeersField field;
  const auto peers = find_peers(w, scratch.path(), field);
  if (!w.output.quiet)
    for (const auto& [peer, reason] : field.left_out)
      print_error(fmt::format("geodescent: {} is left out: {}\n", peer, one_line(reason)));
  const InterruptGuard guard;
  ProgressLine line(w.output.quiet);
  const auto watch = [&](const lab::PeersState& state) {
    if (interrupted() != 0) throw Interrupted{interrupted()};
    line.update([&] { return fmt::format("{} of {} done: {}", state.finished, state.total, state.doing); });
  };
  const lab::PeersResults results = lab::run_peers(w.experiment, sources, peers, scratch, watch);
  line.clear();
  lab::Report report = lab::peers_report(w.experiment, results, field);
  if (!missing.empty())
    report.warnings.push_back(fmt::format("Missing, and so not part of this run: {}.", fmt::join(missing, ", ")));
  if (!w.output.quiet)
    for (const lab::Table& table : report.tables)
      if (table.name == "summary" || table.name == "reading" || table.name == "whole-1e-06" ||
          table.name == "train-1e-06")
        print_out(text_of(table) + "\n");
  write_bench(report, w.output);
  return success;
}

}  // namespace

void add_bench_peers(Command& bench, Action& action) {
  const auto w = std::make_shared<PeersWishes>();
  lab::PeersOptions& e = w->experiment;
  Command& app = bench.add_command("peers", peers_description);
  app.start_group("The data");
  add_path_list(app,
                {"--data", "FILE...",
                 "LIBSVM files, plain or compressed, and folders that have the sets (default: where 'geodescent fetch' "
                 "puts them)"},
                w->data);
  add_list(app,
           {"--sets", "LIST",
            fmt::format("names of sets in the folders (default {}; with --classes {})", fmt::join(default_sets, ", "),
                        fmt::join(default_sets_of_classes, ", "))},
           w->sets);
  add_switch(app, "--classes", e.classes,
             "learns all classes, of data with three or more: softmax, and the other losses as one class against the "
             "rest");
  app.start_group("The race");
  std::vector<std::string> known = e.losses;
  known.emplace_back("softmax");
  add_list(app,
           {"--losses", "LIST",
            fmt::format("losses (default {}; with --classes {})", fmt::join(e.losses, ","),
                        fmt::join(losses_of_classes, ","))},
           w->losses, known);
  Option* const l2 = add_list(
      app, {"--l2", "LIST", fmt::format("strengths of the regularisation (default {:g})", fmt::join(e.lambdas, ","))},
      e.lambdas, positive);
  add_list(app, {"--cost", "LIST", "the same in LIBLINEAR's terms, instead of --l2, as 'train --cost' takes it"},
           e.costs, positive)
      ->excludes(l2);
  add_list(app, {"--peers", "LIST", "programs; all of them must be installed (default: those that are installed)"},
           w->peers, {lab::liblinear_name, lab::sklearn_name, lab::vw_name});
  add_text(app, {"--python", "FILE", "the Python that has scikit-learn (default: python3, or else /usr/bin/python3)"},
           w->python);
  add_whole(app, {"--threads", "N", fmt::format("threads of each program that supports them (default {})", e.threads)},
            e.threads, {.least = 1, .most = most_threads});
  add_whole(app,
            {"--repeats", "N",
             fmt::format("rounds, up to three times as many if they are short; the least seconds count (default {})",
                         e.repeats)},
            e.repeats, {.least = 1, .most = 1000});
  add_real(
      app,
      {"--time-limit", "S", fmt::format("seconds of one run, after which it is ended (default {:g})", e.time_limit)},
      e.time_limit, positive);
  add_bench_output(app, w->output);
  app.footer = peers_examples;
  app.callback = [w, &action] { action = [w] { return run(*w); }; };
}

}  // namespace geodescent::cli
