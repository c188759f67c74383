// Training, paths and cross-validation.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "watch.hpp"

namespace geodescent::python {
namespace {

/// One training, with what an observer has seen of it.
struct Trained {
  TrainResult result;
  History history;
  bool interrupted = false;
  std::vector<std::string> warnings;
};

/// Path, interval and whether to continue.
using CheckpointArguments = std::tuple<std::string, std::uint64_t, bool>;

/// Settings of a training that are the same for each member of a path.
struct Settings {
  Risk risk;
  TrainOptions train;
  std::optional<int> threads;
};

/// The number of threads for one call. Results do not depend on it. The library has one number for
/// all callers, so of calls at the same time the last one to begin decides, and the last one to end
/// restores the number before them all.
class ThreadsFor {
 public:
  explicit ThreadsFor(std::optional<int> count) : counts_(count.has_value()) {
    if (!count) return;
    const std::scoped_lock lock(guard);
    const int before = threads();
    set_threads(*count);
    if (calls++ == 0) outside = before;
  }
  ~ThreadsFor() {
    if (!counts_) return;
    const std::scoped_lock lock(guard);
    if (--calls == 0) set_threads(outside);
  }
  ThreadsFor(const ThreadsFor&) = delete;
  ThreadsFor& operator=(const ThreadsFor&) = delete;

 private:
  static inline std::mutex guard;
  static inline int calls = 0;
  static inline int outside = 0;
  bool counts_;
};

Settings settings(const std::string& loss, double loss_parameter, double l2, const std::string& bias, double constant,
                  const std::string& method, double tolerance, std::uint64_t max_iterations, double max_seconds,
                  std::optional<int> threads) {
  Settings s;
  s.risk = {loss, loss_parameter, l2, bias_named(bias), constant};
  s.train.method = method;
  s.train.minimize.gap_tolerance = tolerance;
  s.train.minimize.max_iterations = max_iterations;
  s.train.minimize.max_seconds = max_seconds;
  s.threads = threads;
  return s;
}

Trained train_one(const Dataset& data, const Settings& s, const LinearModel* start, nb::object callback, double seconds,
                  const std::optional<CheckpointArguments>& checkpoint) {
  Watch watch(std::move(callback), seconds);
  TrainOptions options = s.train;
  options.initial = start;
  Trained trained;
  {
    const nb::gil_scoped_release release;
    const ThreadsFor use(s.threads);
    std::optional<CheckpointFile> file;
    if (checkpoint) {
      const auto& [path, every, resume] = *checkpoint;
      const auto warn = [&](const std::string& reason) { trained.warnings.push_back(reason); };
      file.emplace(path, CheckpointFile::Use{.every = every, .resume = resume, .warn = warn});
      options = file->add_to(std::move(options), data, s.risk);
    }
    trained.result = train(data, s.risk, options, [&](const Progress& p) { return watch(p); });
    std::optional<Certificate>& certificate = trained.result.certificate;
    if (data.ranks && certificate) certificate = gathered(data, std::move(*certificate));
  }
  trained.history = std::move(watch.history);
  trained.interrupted = watch.interrupted();
  return trained;
}

/// The models of a path as far as it was followed.
std::vector<Trained> path(const Dataset& data, const Settings& s, const Numbers& l2, nb::object callback,
                          double seconds) {
  std::vector<Trained> models;
  Watch watch(std::move(callback), seconds);
  const nb::gil_scoped_release release;
  const ThreadsFor use(s.threads);
  bool stopped = false;
  train_path(
      data, s.risk, span_of(l2), s.train,
      [&](TrainResult&& result) {
        models.push_back({std::move(result), std::exchange(watch.history, {}), watch.interrupted()});
        return !stopped;
      },
      [&](const Progress& p) { return !(stopped = !watch(p)); });
  return models;
}

/// Ctrl-C ends a cross-validation: there is no result without all folds.
CrossValidation folds(const Dataset& data, const Settings& s, const Numbers& l2,
                      const std::vector<std::size_t>& fold_of, nb::object callback, double seconds) {
  Watch watch(std::move(callback), seconds);
  const nb::gil_scoped_release release;
  const ThreadsFor use(s.threads);
  return cross_validate(data, s.risk, span_of(l2), fold_of, s.train, [&](const FoldProgress& p) {
    if (watch(p.run)) return;
    const nb::gil_scoped_acquire acquire;
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  });
}

nb::dict dict_of(const History& history) {
  nb::dict result;
  result["iteration"] = array_of(std::vector(history.iteration));
  result["passes"] = array_of(std::vector(history.passes));
  result["value"] = array_of(Vector(history.value));
  result["lower_bound"] = array_of(Vector(history.lower_bound));
  result["seconds"] = array_of(Vector(history.seconds));
  result["problem"] = array_of(std::vector(history.problem));
  return result;
}

void bind_results(nb::module_& m) {
  nb::class_<Trained>(m, "Trained")
      .def_prop_ro("status", [](const Trained& t) { return std::string(to_string(t.result.run.status)); })
      .def_prop_ro("message", [](const Trained& t) { return t.result.run.message; })
      .def_prop_ro("model", [](const Trained& t) { return t.result.model; })
      .def_prop_ro("certificate", [](const Trained& t) { return t.result.certificate; })
      .def_prop_ro("value", [](const Trained& t) { return t.result.run.value; })
      .def_prop_ro("lower_bound", [](const Trained& t) { return t.result.run.lower_bound; })
      .def_prop_ro("gap", [](const Trained& t) { return t.result.gap(); })
      .def_prop_ro("iterations", [](const Trained& t) { return t.result.run.iterations; })
      .def_prop_ro("passes", [](const Trained& t) { return passes_of(t.result.run.counts); })
      .def_prop_ro("seconds", [](const Trained& t) { return t.result.run.seconds; })
      .def_prop_ro("proof_seconds", [](const Trained& t) { return t.result.proof_seconds; })
      .def_prop_ro("history", [](const Trained& t) { return dict_of(t.history); })
      .def_ro("interrupted", &Trained::interrupted)
      .def_ro("warnings", &Trained::warnings);

  nb::class_<Seen>(m, "Progress", "What a callback is given after the start (iteration 0) and after every iteration.")
      .def_ro("iteration", &Seen::iteration)
      .def_ro("value", &Seen::value)
      .def_ro("lower_bound", &Seen::lower_bound)
      .def_ro("gap", &Seen::gap)
      .def_ro("relative_gap", &Seen::relative_gap)
      .def_ro("gradient_norm", &Seen::gradient_norm)
      .def_ro("seconds", &Seen::seconds)
      .def_ro("passes", &Seen::passes)
      .def_ro("problem", &Seen::problem)
      .def_ro("problems", &Seen::problems)
      .def_ro("problems_done", &Seen::problems_done);

  nb::class_<HeldOut>(m, "HeldOut")
      .def_ro("l2", &HeldOut::l2)
      .def_ro("loss", &HeldOut::loss)
      .def_ro("standard_error", &HeldOut::standard_error)
      .def_ro("accuracy", &HeldOut::accuracy)
      .def_ro("mean_squared_error", &HeldOut::mean_squared_error)
      .def_ro("relative_gap", &HeldOut::relative_gap)
      .def_ro("reached_goal", &HeldOut::reached_goal);
  nb::class_<CrossValidation>(m, "CrossValidation")
      .def_ro("values", &CrossValidation::values)
      .def_ro("chosen", &CrossValidation::chosen)
      .def_ro("one_standard_error", &CrossValidation::one_standard_error);
}

}  // namespace

void bind_train(nb::module_& m) {
  bind_results(m);
  nb::class_<Settings>(m, "Settings")
      .def(
          "__init__",
          [](Settings* self, const std::string& loss, double loss_parameter, double l2, const std::string& bias,
             double constant, const std::string& method, double tolerance, std::uint64_t max_iterations,
             double max_seconds, std::optional<int> threads) {
            new (self) Settings(settings(loss, loss_parameter, l2, bias, constant, method, tolerance, max_iterations,
                                         max_seconds, threads));
          },
          nb::kw_only(), nb::arg("loss"), nb::arg("loss_parameter"), nb::arg("l2"), nb::arg("bias"),
          nb::arg("constant"), nb::arg("method"), nb::arg("tolerance"), nb::arg("max_iterations"),
          nb::arg("max_seconds"), nb::arg("threads").none());
  m.def("train", &train_one, nb::arg("data"), nb::arg("settings"), nb::arg("start").none(), nb::arg("callback").none(),
        nb::arg("seconds"), nb::arg("checkpoint").none());
  m.def("train_path", &path, nb::arg("data"), nb::arg("settings"), nb::arg("l2"), nb::arg("callback").none(),
        nb::arg("seconds"));
  m.def("cross_validate", &folds, nb::arg("data"), nb::arg("settings"), nb::arg("l2"), nb::arg("fold_of"),
        nb::arg("callback").none(), nb::arg("seconds"));
  m.def("folds", [](const Dataset& data, bool classification, std::size_t folds, std::uint64_t seed) {
    return fold_of_rows(data, classification ? Task::classification : Task::regression, folds, seed);
  });
}

}  // namespace geodescent::python
