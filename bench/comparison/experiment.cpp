#include "comparison/experiment.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <utility>

#include "base/text/utf8.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/threads.hpp"
#include "identity.hpp"
#include "journal/tasks.hpp"

namespace geodescent::lab {
namespace {

using Json = nlohmann::ordered_json;

/// First guesses of how many iterations each kind of work takes: for the remaining time only.
constexpr double reference_iterations = 100;
constexpr double tuning_iterations = 3000;  // for each regularisation
constexpr double cell_iterations = 3000;    // with lambda = 1e-4
/// A tenth of lambda takes so many times the iterations (means over docs/reproduction/paper: 1.2 to
/// 1.5).
constexpr double harder_by_decade = 1.5;

struct Loaded {
  const DataSource* source;
  Dataset data;
  double size;  // what one iteration costs, in entries touched

  std::string key() const { return fmt::format("{} {}", source->name, source->fingerprint); }
};

class Experiment {
 public:
  Experiment(const ExperimentOptions& options, Journal& journal, const Watcher& watcher)
      : o_(options), journal_(journal), watcher_(watcher) {}

  std::optional<Results> run(const std::vector<DataSource>& sources) {
    if (!load(sources)) return std::nullopt;
    plan();
    for (const auto tasks : {&Experiment::references, &Experiment::tunings, &Experiment::cells}) {
      std::vector<WorkItem> left;
      for (const Loaded& set : sets_) (this->*tasks)(set, left);
      std::erase_if(left, [&](const WorkItem& t) { return journal_.find(t.key) != nullptr; });
      // Long pieces first: the last ones are then short, and no processor waits long for another.
      std::ranges::stable_sort(left, std::greater{}, [](const WorkItem& t) { return t.piece.cost; });
      if (!run_tasks(left, jobs(), journal_, [this](const TaskNews& news) { return report(news); }))
        return std::nullopt;
    }
    return collect();
  }

 private:
  int jobs() const { return o_.timed ? 1 : o_.jobs; }

  bool load(const std::vector<DataSource>& sources) {
    for (const DataSource& source : sources) {
      standing_.doing = "reading " + source.name;
      if (!watcher_(standing_)) return false;
      Dataset data = source.load();
      const double size = static_cast<double>(data.rows->nonzeros() + 4 * data.rows->rows());
      sets_.push_back({&source, std::move(data), size});
    }
    return true;
  }

  std::string reference_key(const Loaded& set, double lambda) const {
    return fmt::format("reference {} {}", set.key(), lambda);
  }
  std::string tuning_key(const Loaded& set, const Contender& method) const {
    std::string lambdas;
    for (const double lambda : o_.lambdas) lambdas += fmt::format(" {}", lambda);
    return fmt::format("tuning {} {} for{}", set.key(), method.text, lambdas);
  }
  /// A tuned method is another method for every constant.
  std::string cell_key(const Loaded& set, double lambda, const Contender& method) const {
    const std::string constant = method.tuned ? fmt::format(" 2^{}", tuning(set, method).exponent) : "";
    return fmt::format("cell {} {} {}{}", set.key(), lambda, method.text, constant);
  }

  ReferenceMinimum reference(const Loaded& set, double lambda) const {
    return reference_from_json(*journal_.find(reference_key(set, lambda)));
  }
  Tuning tuning(const Loaded& set, const Contender& method) const {
    return tuning_from_json(*journal_.find(tuning_key(set, method)));
  }
  std::unique_ptr<Objective> risk(const Loaded& set, double lambda) const {
    return make_risk(o_.loss, set.data, lambda, o_.loss_parameter);
  }

  Piece reference_piece(const Loaded& set, double lambda) const {
    const std::string& name = set.source->name;
    return {fmt::format("{}, {:g}: the reference", name, lambda),
            reference_iterations * set.size,
            {"the reference", name, fmt::format("{:g}", lambda)}};
  }
  Piece tuning_piece(const Loaded& set, const Contender& method) const {
    const std::string& name = set.source->name;
    const std::string doing = "the constant of " + method.text;
    return {fmt::format("{}: {}", name, doing),
            tuning_iterations * static_cast<double>(o_.lambdas.size()) * set.size,
            {doing, name}};
  }
  Piece cell_piece(const Loaded& set, double lambda, const Contender& method) const {
    const std::string& name = set.source->name;
    return {fmt::format("{}, {:g}: {}", name, lambda, method.text),
            cell_iterations * std::pow(harder_by_decade, -4 - std::log10(lambda)) * set.size,
            {method.text, name, fmt::format("{:g}", lambda)}};
  }

  void references(const Loaded& set, std::vector<WorkItem>& tasks) {
    for (const double lambda : o_.lambdas)
      tasks.push_back({reference_key(set, lambda), reference_piece(set, lambda),
                       [&set, lambda, this](const Cancelled& cancelled) -> std::optional<Json> {
                         const ReferenceMinimum found =
                             reference_minimum(set.data, o_.loss, lambda, o_.loss_parameter, 0, cancelled);
                         if (cancelled()) return std::nullopt;
                         return to_json(found);
                       }});
  }

  void tunings(const Loaded& set, std::vector<WorkItem>& tasks) {
    for (const Contender& method : o_.methods) {
      if (!method.tuned) continue;
      tasks.push_back({tuning_key(set, method), tuning_piece(set, method),
                       [&set, &method, this](const Cancelled& cancelled) { return tune(set, method, cancelled); }});
    }
  }

  std::optional<Json> tune(const Loaded& set, const Contender& method, const Cancelled& cancelled) const {
    std::vector<std::unique_ptr<Objective>> risks;
    std::vector<ReferenceMinimum> minima;
    for (const double lambda : o_.lambdas) {
      risks.push_back(risk(set, lambda));
      minima.push_back(reference(set, lambda));
    }
    std::vector<TuningProblem> problems;
    for (std::size_t k = 0; k < risks.size(); ++k) problems.push_back({*risks[k], minima[k]});
    const double guess = curvature_bound() * largest_eigenvalue(set.data) + o_.lambdas.front();
    Limits limits = o_.limits;
    limits.iterations = std::min(limits.iterations, o_.tuning_iterations);
    const auto found = best_smoothness(problems, method, guess, o_.tuning_accuracy, limits, cancelled);
    if (!found) return std::nullopt;
    return to_json(*found);
  }

  double curvature_bound() const {
    const LossInfo* const found = find_loss(o_.loss);
    return found ? found->curvature_bound : 1;
  }

  void cells(const Loaded& set, std::vector<WorkItem>& tasks) {
    for (const double lambda : o_.lambdas)
      for (const Contender& asked : o_.methods) {
        Contender method = asked;
        if (asked.tuned) method.method = with_smoothness(asked.method, std::ldexp(1.0, tuning(set, asked).exponent));
        tasks.push_back({cell_key(set, lambda, asked), cell_piece(set, lambda, asked),
                         [&set, lambda, method, this](const Cancelled& cancelled) -> std::optional<Json> {
                           const auto cell = run_cell(*risk(set, lambda), method, reference(set, lambda), o_.accuracies,
                                                      o_.limits, o_.prove, cancelled);
                           if (!cell) return std::nullopt;
                           return to_json(*cell);
                         }});
      }
  }

  /// All cells to do. Cells whose constant is not known yet count as not done.
  void plan() {
    const auto count = [this](const std::string& key, Piece piece) {
      ++standing_.total;
      if (journal_.find(key))
        ++standing_.finished;
      else
        forecast_.add(std::move(piece));
    };
    for (const Loaded& set : sets_) {
      for (const double lambda : o_.lambdas) count(reference_key(set, lambda), reference_piece(set, lambda));
      for (const Contender& m : o_.methods) {
        if (m.tuned) count(tuning_key(set, m), tuning_piece(set, m));
        for (const double lambda : o_.lambdas) {
          const bool known = !m.tuned || journal_.find(tuning_key(set, m));
          count(known ? cell_key(set, lambda, m) : "", cell_piece(set, lambda, m));
        }
      }
    }
  }

  bool report(const TaskNews& news) {
    standing_.doing = news.running.empty() ? "" : news.running.back().label;
    if (news.finished) {
      ++standing_.finished;
      forecast_.finish(news.finished->piece.label, news.seconds);
    }
    standing_.seconds_left = forecast_.remaining(jobs(), news.running);
    return watcher_(standing_);
  }

  Results collect() const {
    Results results;
    for (const Loaded& set : sets_) {
      for (const double lambda : o_.lambdas) {
        Problem problem{set.source->name,
                        set.data.rows->rows(),
                        set.data.rows->columns(),
                        set.data.nonzeros,
                        lambda,
                        reference(set, lambda),
                        {}};
        for (const Contender& m : o_.methods)
          problem.cells.push_back(cell_from_json(*journal_.find(cell_key(set, lambda, m))));
        results.problems.push_back(std::move(problem));
      }
      for (const Contender& m : o_.methods)
        if (m.tuned) results.tunings.push_back({set.source->name, m.text, tuning(set, m)});
    }
    return results;
  }

  const ExperimentOptions& o_;
  Journal& journal_;
  const Watcher& watcher_;
  std::vector<Loaded> sets_;
  Standing standing_;
  Forecast forecast_;
};

/// The checksum of a file as it is on the disk.
std::string checksum(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> buffer(1 << 20);
  uLong crc = crc32(0, nullptr, 0);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0)
    crc = crc32(crc, reinterpret_cast<const Bytef*>(buffer.data()), static_cast<uInt>(file.gcount()));
  return fmt::format("{:08x}", crc);
}

}  // namespace

DataSource file_source(const std::string& name, const std::string& path) {
  return {as_utf8(name), checksum(path), [path] {
            Dataset data = read_dataset(path);
            data.name = path;
            return data;
          }};
}

Json describe(const ExperimentOptions& o) {
  Json json = {{"loss", o.loss}};
  if (const LossInfo* const loss = find_loss(o.loss); loss && loss->parameter)
    json[fmt::format("{} {}", loss->name, loss->parameter->name)] =
        o.loss_parameter.value_or(loss->parameter->default_value);
  json["accuracies"] = o.accuracies;
  json["accuracy of the tuning"] = o.tuning_accuracy;
  json["iterations of the tuning"] = o.tuning_iterations;
  json["iterations per cell"] = o.limits.iterations;
  json["seconds per cell"] = std::isfinite(o.limits.seconds) ? Json(o.limits.seconds) : Json("any");
  json["proven"] = o.prove;
  json["timed"] = o.timed;
  json["methods"] = GEODESCENT_METHODS_IDENTITY;
  return json;
}

std::optional<Results> run_experiment(const ExperimentOptions& options, const std::vector<DataSource>& sources,
                                      Journal& journal, const Watcher& watcher) {
  // Cells in parallel want one thread each; the counts are the same for any number of threads.
  struct Threads {
    const int before = threads();
    ~Threads() { set_threads(before); }
  } const restored;
  if (!options.timed && options.jobs > 1) set_threads(1);
  return Experiment(options, journal, watcher).run(sources);
}

}  // namespace geodescent::lab
