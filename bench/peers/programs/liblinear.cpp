// liblinear-train of Debian. Its objective is 1/2 |w|^2 + C sum of losses; regularization.hpp
// computes the equivalent C.
#include <fmt/format.h>

#include "base/machine/find_program.hpp"
#include "geodescent/learn/model.hpp"
#include "geodescent/learn/regularization.hpp"
#include "peers/programs/peer.hpp"

namespace geodescent::lab {
namespace {

class Liblinear final : public Peer {
 public:
  Liblinear(std::string program, std::string scratch)
      : program_(std::move(program)), model_(std::move(scratch) + "/liblinear.model") {}

  std::string name() const override { return liblinear_name; }
  /// The program does not report its version. dpkg knows the version of its package.
  std::string version() const override {
    const std::string query = find_program("dpkg-query");
    if (query.empty()) return "unknown version";
    const ProgramEnd end = run_program(
        {.command = {query, "--show", "--showformat=${Version}", "liblinear-tools"}, .seconds = 10, .waiting = {}});
    return end.code == 0 && !end.out.empty() ? end.out : "unknown version";
  }

  std::vector<Ladder> ladders(const PeerTask& task) const override {
    // Primal solvers use a trust region Newton method, dual solvers coordinate descent. Tolerances
    // of dual solvers have another scale: 10 can be tight enough.
    const std::vector<double> primal = powers_of_ten(1e-1, 1e-12), dual = half_powers_of_ten(10, 1e-12);
    if (task.loss == "logistic") return {{"-s 0", primal}, {"-s 7", dual}};
    if (task.loss == "squared-hinge") return {{"-s 2", primal}, {"-s 1", dual}};
    if (task.loss == "squared") return {{"-s 11", primal}, {"-s 12", dual}};
    return {};
  }

  Attempt run(const PeerTask& task, const PeerSetting& setting, const Patience& patience) override {
    const double c = c_from_l2(task.loss, task.l2, static_cast<double>(task.data->rows));
    std::vector<std::string> command = {program_, "-q",
                                        "-s",     setting.solver.substr(3),
                                        "-c",     fmt::format("{}", c),
                                        "-e",     fmt::format("{}", setting.tolerance),
                                        "-B",     "-1"};
    // Support vector regression with an insensitivity of 0 is least squares.
    if (task.loss == "squared") command.insert(command.end(), {"-p", "0"});
    command.insert(command.end(), {task.data->libsvm_file, model_});
    const ProgramEnd end = run_program({.command = command, .seconds = patience.seconds, .waiting = patience.waiting});
    Attempt attempt{.seconds = end.seconds, .trouble = end.trouble(), .out_of_time = end.out_of_time};
    if (attempt.trouble.empty()) attempt.weights = read_model(model_).weights;
    return attempt;
  }

  /// With C = 0 the program reads the data, then reports the invalid parameter and ends.
  std::optional<Attempt> load(const PeerData& data, const Patience& patience) override {
    const ProgramEnd end = run_program({.command = {program_, "-q", "-c", "0", data.libsvm_file, model_},
                                        .seconds = patience.seconds,
                                        .waiting = patience.waiting});
    if (end.err.find("C <= 0") == std::string::npos) return std::nullopt;
    return Attempt{.seconds = end.seconds};
  }

 private:
  std::string program_;
  std::string model_;
};

}  // namespace

PeerSearch find_liblinear(const std::string& scratch) {
  const std::string program = find_program("liblinear-train");
  if (program.empty())
    return {
        nullptr,
        "liblinear-train is not installed; scripts/peers installs it, or 'apt-get install liblinear-tools' as root"};
  return {std::make_unique<Liblinear>(program, scratch), ""};
}

}  // namespace geodescent::lab
