#include "common/options/loss_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "common/command.hpp"
#include "common/options/options.hpp"

namespace geodescent::cli {
namespace {

struct Solver {
  std::string_view number;
  std::string_view loss;
};
/// LIBLINEAR has two solvers for each of these problems.
constexpr std::array solvers{Solver{"0", "logistic"},      Solver{"7", "logistic"}, Solver{"2", "squared-hinge"},
                             Solver{"1", "squared-hinge"}, Solver{"11", "squared"}, Solver{"12", "squared"}};

std::string option_of(const LossInfo& loss) { return fmt::format("--{}-{}", loss.name, loss.parameter->name); }

}  // namespace

std::vector<std::string> LossParameterOptions::given() const {
  std::vector<std::string> options;
  for (const auto& [option, value] : values_)
    if (value) options.push_back(option);
  return options;
}

void LossParameterOptions::require_fit(std::string_view loss) const {
  for (const LossInfo& other : losses())
    if (other.parameter && other.name != loss && values_.at(option_of(other)))
      throw UsageError(fmt::format("{} has an effect only with --loss {}", option_of(other), other.name));
}

std::optional<double> LossParameterOptions::of(std::string_view loss) const {
  const LossInfo& chosen = loss_named(loss);
  if (!chosen.parameter) return std::nullopt;
  return values_.at(option_of(chosen)).value_or(chosen.parameter->default_value);
}

void add_loss_parameters(Command& app, LossParameterOptions& target) {
  for (const LossInfo& loss : losses()) {
    if (!loss.parameter) continue;
    const LossParameter& p = *loss.parameter;
    const std::string letter(1, static_cast<char>(std::toupper(static_cast<unsigned char>(p.name.front()))));
    add_real(app, {option_of(loss), letter, fmt::format("{} (default {:g})", p.meaning, p.default_value)},
             target.values_[option_of(loss)],
             {.least = p.above, .least_allowed = false, .most = p.below, .most_allowed = false});
  }
}

Option* add_solver_number(Command& app, const std::function<void(std::string_view loss)>& set) {
  const auto parse = [set](const std::string& given) {
    const auto* const found = std::ranges::find(solvers, given, &Solver::number);
    if (found == solvers.end())
      refuse_value("-s", given,
                   "0 or 7 (logistic), 2 or 1 (squared-hinge), 11 or 12 (squared); the smooth loss nearest to "
                   "LIBLINEAR's hinge (3) is --loss smoothed-hinge, and its other problems are not supported");
    set(found->loss);
  };
  return app
      .add({"-s", "0|1|2|7|11|12",
            "--loss in LIBLINEAR's numbers: 0, 7 logistic; 2, 1 squared-hinge; 11, 12 squared (with its -p 0)"},
           parse)
      ->excludes(app.option("--loss"));
}

std::string parameter_text(const Risk& risk) {
  const LossInfo* const loss = find_loss(risk.loss);
  return loss && loss->parameter ? fmt::format(" ({} {})", loss->parameter->name, risk.loss_parameter) : "";
}

nlohmann::ordered_json parameters_json(const Risk& risk) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const LossInfo& loss : losses()) {
    if (!loss.parameter) continue;
    std::string key = fmt::format("{}_{}", loss.name, loss.parameter->name);
    std::replace(key.begin(), key.end(), '-', '_');
    json[key] = loss.name == risk.loss ? nlohmann::ordered_json(risk.loss_parameter) : nlohmann::ordered_json(nullptr);
  }
  return json;
}

const char* task_text(const LossInfo& loss) {
  if (loss.task == Task::regression) return "regression";
  return loss.joint ? "classes" : "two classes or one against the rest";
}

}  // namespace geodescent::cli
