// vw, the program of Vowpal Wabbit, with its L-BFGS. Its objective is the sum of losses + l2/2
// |w|^2, its coefficients have single precision, and numeric features are indices of coefficients.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "base/machine/find_program.hpp"
#include "geodescent/error.hpp"
#include "peers/programs/peer.hpp"
#include "peers/programs/vw.hpp"

namespace geodescent::lab {
namespace {

/// Bits for an index table without collisions; index 0 is unused.
int bits_for(std::size_t features) {
  int bits = 1;
  while ((std::size_t{1} << bits) <= features) ++bits;
  return bits;
}

class Vw final : public Peer {
 public:
  Vw(std::string program, std::string version, const std::string& scratch)
      : program_(std::move(program)),
        version_(std::move(version)),
        model_(scratch + "/vw.model"),
        cache_(scratch + "/vw.cache") {}

  std::string name() const override { return vw_name; }
  std::string version() const override { return version_; }
  std::vector<Ladder> ladders(const PeerTask& task) const override {
    // Its --oaa and --csoaa take single steps for each row and do not minimise such a function.
    if (task.data->classes > 0) return {};
    // It stops by the relative change of the loss, which single precision does not resolve below
    // 1e-8.
    if (task.loss == "logistic" || task.loss == "squared") return {{"--bfgs", powers_of_ten(1e-2, 1e-8)}};
    return {};
  }

  Attempt run(const PeerTask& task, const PeerSetting& setting, const Patience& patience) override {
    // Its squared loss has no factor 1/2.
    const double sum_l2 = (task.loss == "squared" ? 2 : 1) * task.l2 * static_cast<double>(task.data->rows);
    std::vector<std::string> command = common(*task.data);
    // Its squared loss is linear beyond the range of the targets, unless another range is set.
    if (task.loss == "squared")
      command.insert(command.end(), {"--min_prediction", "-1e30", "--max_prediction", "1e30"});
    const std::vector<std::string> more = {"--loss_function",
                                           task.loss,
                                           "--bfgs",
                                           "--l2",
                                           fmt::format("{}", sum_l2),
                                           "--termination",
                                           fmt::format("{}", setting.tolerance),
                                           "--passes",
                                           "2000",
                                           "--holdout_off",
                                           "-k",
                                           "--cache_file",
                                           cache_,
                                           "--predict_only_model",
                                           "--readable_model",
                                           model_};
    command.insert(command.end(), more.begin(), more.end());
    const ProgramEnd end = run_program({.command = command, .seconds = patience.seconds, .waiting = patience.waiting});
    Attempt attempt{.seconds = end.seconds, .trouble = end.trouble(), .out_of_time = end.out_of_time};
    if (attempt.trouble.empty()) attempt.weights = vw_weights(model_, task.data->features);
    return attempt;
  }

  /// A pass without learning.
  std::optional<Attempt> load(const PeerData& data, const Patience& patience) override {
    std::vector<std::string> command = common(data);
    command.emplace_back("-t");
    const ProgramEnd end = run_program({.command = command, .seconds = patience.seconds, .waiting = patience.waiting});
    if (end.code != 0) return std::nullopt;
    return Attempt{.seconds = end.seconds};
  }

 private:
  std::vector<std::string> common(const PeerData& data) const {
    return {program_,       "--quiet", "--random_seed", "1", "-b", std::to_string(bits_for(data.features)),
            "--noconstant", "-d",      data.vw_file};
  }

  std::string program_, version_, model_, cache_;
};

}  // namespace

Vector parse_vw_weights(const std::string& text, const std::string& name, std::size_t features) {
  Vector weights(features);
  std::istringstream lines(text);
  bool header = true;
  for (std::string line; std::getline(lines, line);) {
    // The header ends with the line ":0".
    if (header) {
      header = line != ":0";
      continue;
    }
    std::size_t place = 0;
    double weight = 0;
    const char *const end = line.data() + line.size(), *const colon =
                                                           line.data() + std::min(line.find(':'), line.size());
    if (colon == end || std::from_chars(line.data(), colon, place).ptr != colon ||
        std::from_chars(colon + 1, end, weight).ptr != end || place > features)
      throw InputError(fmt::format("{}: '{}' is not a weight; is this a readable model of vw?", name, line));
    if (place > 0) weights[place - 1] = weight;
  }
  if (header) throw InputError(fmt::format("{}: no weights; is this a readable model of vw?", name));
  return weights;
}

Vector vw_weights(const std::string& path, std::size_t features) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return parse_vw_weights(text.str(), path, features);
}

PeerSearch find_vw(const std::string& scratch) {
  const std::string program = find_program("vw");
  if (program.empty())
    return {
        nullptr,
        "vw is not installed, and Debian 12 has no package of it; scripts/peers gets it from PyPI where that can be "
        "reached"};
  const ProgramEnd end = run_program({.command = {program, "--version"}, .seconds = 30, .waiting = {}});
  if (end.code != 0) return {nullptr, fmt::format("{} does not run: {}", program, end.trouble())};
  return {std::make_unique<Vw>(program, end.out.substr(0, end.out.find_first_of(" \n")), scratch), ""};
}

}  // namespace geodescent::lab
