// The parameters of losses on the command line: an option for each parameter of the table.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent::cli {

struct Command;
struct Option;

/// The parameters of all losses.
class LossParameterOptions {
 public:
  /// The options that were given.
  std::vector<std::string> given() const;
  /// Throws UsageError if a parameter of another loss was given.
  void require_fit(std::string_view loss) const;
  /// The parameter of this loss: the value given or its default; empty if it has none.
  std::optional<double> of(std::string_view loss) const;

 private:
  friend void add_loss_parameters(Command& app, LossParameterOptions& target);
  std::map<std::string, std::optional<double>> values_;  ///< of all options; empty where one was not given
};

/// --huber-delta and all others of the table.
void add_loss_parameters(Command& app, LossParameterOptions& target);

/// LIBLINEAR's -s: sets the loss by the number of a solver.
Option* add_solver_number(Command& app, const std::function<void(std::string_view loss)>& set);

/// " (delta 1)"; empty for a loss without parameter.
std::string parameter_text(const Risk& risk);
/// {"huber_delta": 1}: a member for each parameter of the table, null where the loss is another
/// one.
nlohmann::ordered_json parameters_json(const Risk& risk);

/// "classes", "two classes or one against the rest", "regression"
const char* task_text(const LossInfo& loss);

}  // namespace geodescent::cli
