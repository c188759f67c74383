#include "comparison/experiment.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>

#include "base/utf8.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/threads.hpp"
#include "identity.hpp"
#include "journal/tasks.hpp"

namespace geodescent::lab {
namespace {

using Json = nlohmann::ordered_json;

/// About how many iterations each kind of work takes: for the remaining time only.
constexpr double reference_iterations = 100;
constexpr double tuning_iterations = 10'000;
constexpr double cell_iterations = 3000;

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
    // Large sets first: the last pieces are then short, and no processor waits long for another.
    std::vector<const Loaded*> by_size;
    for (const Loaded& set : sets_) by_size.push_back(&set);
    std::stable_sort(by_size.begin(), by_size.end(), [](auto* a, auto* b) { return a->size > b->size; });

    plan_totals();
    for (const auto tasks : {&Experiment::references, &Experiment::tunings, &Experiment::cells}) {
      std::vector<WorkItem> left;
      for (const Loaded* set : by_size) (this->*tasks)(*set, left);
      std::erase_if(left, [&](const WorkItem& t) { return journal_.find(t.key) != nullptr; });
      if (!run_tasks(left, o_.timed ? 1 : o_.jobs, journal_,
                     [this](const WorkItem* task, const std::string& running) { return report(task, running); }))
        return std::nullopt;
    }
    return collect();
  }

 private:
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

  void references(const Loaded& set, std::vector<WorkItem>& tasks) {
    for (const double lambda : o_.lambdas)
      tasks.push_back({reference_key(set, lambda), fmt::format("{}, {:g}: the reference", set.source->name, lambda),
                       reference_iterations * set.size,
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
      tasks.push_back({tuning_key(set, method), fmt::format("{}: the constant of {}", set.source->name, method.text),
                       tuning_iterations * set.size,
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
        tasks.push_back({cell_key(set, lambda, asked),
                         fmt::format("{}, {:g}: {}", set.source->name, lambda, asked.text), cell_iterations * set.size,
                         [&set, lambda, method, this](const Cancelled& cancelled) -> std::optional<Json> {
                           const auto cell = run_cell(*risk(set, lambda), method, reference(set, lambda), o_.accuracies,
                                                      o_.limits, o_.prove, cancelled);
                           if (!cell) return std::nullopt;
                           return to_json(*cell);
                         }});
      }
  }

  /// What there is to do in all, and what it costs: cells whose constant is not known yet count as not done.
  void plan_totals() {
    const auto count = [this](const std::string& key, double cost) {
      ++standing_.total;
      if (journal_.find(key))
        ++standing_.finished;
      else
        standing_.cost_total += cost;
    };
    for (const Loaded& set : sets_) {
      for (const double lambda : o_.lambdas) count(reference_key(set, lambda), reference_iterations * set.size);
      for (const Contender& m : o_.methods) {
        if (m.tuned) count(tuning_key(set, m), tuning_iterations * set.size);
        for (const double lambda : o_.lambdas) {
          const bool known = !m.tuned || journal_.find(tuning_key(set, m));
          count(known ? cell_key(set, lambda, m) : "", cell_iterations * set.size);
        }
      }
    }
  }

  bool report(const WorkItem* task, const std::string& running) {
    standing_.doing = running;
    if (task) {
      ++standing_.finished;
      standing_.cost_finished += task->cost;
    }
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
