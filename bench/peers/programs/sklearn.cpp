// scikit-learn, in a Python process that keeps the data set. Its seconds are those of fit alone.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "base/machine/find_program.hpp"
#include "base/text/utf8.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/regularization.hpp"
#include "peers/programs/peer.hpp"
#include "peers/programs/peers_assets.hpp"
#include "report/json.hpp"

namespace geodescent::lab {
namespace {

constexpr double patience_with_loading = 600;  // seconds; the user's limit applies to training only

class Sklearn final : public Peer {
 public:
  Sklearn(std::string python, std::string version, int threads, const std::string& scratch)
      : python_(std::move(python)),
        version_(std::move(version)),
        threads_(std::to_string(threads)),
        weights_(scratch + "/sklearn.weights") {}

  std::string name() const override { return sklearn_name; }
  std::string version() const override { return version_; }
  bool run_reads_file() const override { return false; }
  double start_seconds() const override { return start_seconds_; }

  std::vector<Ladder> ladders(const PeerTask& task) const override {
    // lbfgs and newton-cg stop by the gradient of a sum over rows.
    const double sum = std::pow(10, std::round(std::log10(static_cast<double>(task.data->rows))) - 2);
    const std::vector<double> sums = powers_of_ten(sum, 1e-10), primal = powers_of_ten(1e-1, 1e-12),
                              dual = half_powers_of_ten(10, 1e-12);
    if (task.loss == "softmax") return {{"lbfgs", sums}, {"newton-cg", sums}, {"saga", primal}};
    // LogisticRegression has no one class against the rest but that of liblinear.
    if (task.loss == "logistic" && task.data->classes > 0) return {};
    // Fast solvers first, because they limit the seconds of the others.
    if (task.loss == "logistic")
      return {{"newton-cholesky", powers_of_ten(1, 1e-12)},
              {"lbfgs", sums},
              {"liblinear dual", dual},
              {"liblinear primal", primal},
              {"newton-cg", sums},
              {"saga", primal}};
    if (task.loss == "squared-hinge") return {{"LinearSVC dual", dual}, {"LinearSVC primal", primal}};
    if (task.loss == "squared")
      return {{"Ridge cholesky", {0}},
              {"Ridge sparse_cg", primal},
              {"Ridge lsqr", primal},
              {"Ridge svd", {0}},
              {"Ridge saga", primal}};
    return {};
  }

  Attempt run(const PeerTask& task, const PeerSetting& setting, const Patience& patience) override {
    if (Attempt loaded = prepare(task, setting, patience); !loaded.trouble.empty()) return loaded;
    std::filesystem::remove(weights_);
    const Json request = {{"do", "fit"},
                          {"loss", task.loss},
                          {"solver", setting.solver},
                          {"tol", setting.tolerance},
                          {"C", c_from_l2(task.loss, task.l2, static_cast<double>(task.data->rows))},
                          {"alpha", task.l2 * static_cast<double>(task.data->rows)},
                          {"out", weights_}};
    Attempt attempt = ask(request, patience);
    if (attempt.trouble.empty()) attempt.weights = read_weights(task.data->features * task.outputs());
    return attempt;
  }

  std::optional<Attempt> load(const PeerData& data, const Patience& patience) override {
    const Attempt attempt = load(data, false, patience);
    if (!attempt.trouble.empty()) return std::nullopt;
    return attempt;
  }

 private:
  Attempt load(const PeerData& data, bool keep, const Patience& patience) {
    return ask({{"do", "load"}, {"file", data.libsvm_file}, {"keep", keep}}, {patience_with_loading, patience.waiting});
  }

  /// Loads the data in Python, and fits something with this solver to import its modules.
  Attempt prepare(const PeerTask& task, const PeerSetting& setting, const Patience& patience) {
    start(patience.waiting);
    if (loaded_ != task.data->name) {
      Attempt attempt = load(*task.data, true, patience);
      if (!attempt.trouble.empty()) return attempt;
      loaded_ = task.data->name;
    }
    if (!warm_.insert(setting.solver).second) return {};
    Attempt attempt = ask({{"do", "warm up"}, {"loss", task.loss}, {"solver", setting.solver}},
                          {patience_with_loading, patience.waiting});
    if (!attempt.trouble.empty()) warm_.erase(setting.solver);
    return attempt;
  }

  void start(const Waiting& waiting) {
    if (program_ && program_->alive()) return;
    loaded_.clear();
    warm_.clear();
    program_ = std::make_unique<Conversation>(
        std::vector<std::string>{python_, "-c", std::string(sklearn_script())},
        std::map<std::string, std::string>{{"OPENBLAS_NUM_THREADS", threads_}, {"OMP_NUM_THREADS", threads_}});
    const auto began = std::chrono::steady_clock::now();
    if (!program_->ask(Json{{"do", "start"}}.dump(), patience_with_loading, waiting)) return;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    start_seconds_ = std::min(start_seconds_, passed.count());
  }

  Attempt ask(const Json& request, const Patience& patience) {
    start(patience.waiting);
    const Conversation::Answer answer = program_->ask(request.dump(), patience.seconds, patience.waiting);
    Attempt attempt{.trouble = answer.trouble, .out_of_time = answer.out_of_time};
    if (answer.out_of_time) attempt.seconds = patience.seconds;
    if (!answer) return attempt;
    const Json said = Json::parse(answer.line, nullptr, false);
    if (said.is_object() && said.contains("seconds"))
      attempt.seconds = said["seconds"].get<double>();
    else
      attempt.trouble = said.is_object() ? said.value("error", answer.line) : answer.line;
    return attempt;
  }

  Vector read_weights(std::size_t most) const {
    std::ifstream file(weights_, std::ios::binary);
    const std::size_t count = std::filesystem::file_size(weights_) / sizeof(double);
    if (count > most)
      throw InputError(
          fmt::format("{}: {} weights, but there are only {} of features and classes", sklearn_name, count, most));
    Vector weights(count);
    file.read(reinterpret_cast<char*>(weights.data()), static_cast<std::streamsize>(count * sizeof(double)));
    return weights;
  }

  std::string python_, version_, threads_, weights_;
  std::unique_ptr<Conversation> program_;
  // of Python and its imports; the minimum of all starts
  double start_seconds_ = std::numeric_limits<double>::infinity();
  std::string loaded_;          // the name of the loaded data
  std::set<std::string> warm_;  // the solvers that have been used
};

}  // namespace

PeerSearch find_sklearn(const std::string& python, int threads, const std::string& scratch) {
  if (as_utf8(scratch) != scratch)
    return {nullptr, fmt::format("{}: scikit-learn is told the name of this folder in JSON, but it is not UTF-8; set "
                                 "TMPDIR to another folder",
                                 as_utf8(scratch))};
  const std::vector<std::string> places =
      python.empty() ? std::vector<std::string>{"python3", "/usr/bin/python3"} : std::vector<std::string>{python};
  for (const std::string& place : places) {
    const std::string program = find_program(place);
    if (program.empty()) continue;
    const ProgramEnd end = run_program(
        {.command = {program, "-c", "import sklearn; print(sklearn.__version__)"}, .seconds = 60, .waiting = {}});
    if (end.code != 0) continue;
    const std::string version = end.out.substr(0, end.out.find_first_of(" \n"));
    return {std::make_unique<Sklearn>(program, version, threads, scratch), ""};
  }
  return {nullptr,
          fmt::format("{} has scikit-learn; scripts/peers installs it, or 'apt-get install python3-sklearn' as "
                      "root, or name a Python that has it with --python",
                      python.empty() ? "no python3" : "no " + python)};
}

}  // namespace geodescent::lab
