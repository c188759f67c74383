// The parameters of losses on the command line: one option for each that the table has.
#pragma once

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

/// The parameters of all losses that have one.
class LossParameterOptions {
 public:
  /// The options that were given.
  std::vector<std::string> given() const;
  /// Throws UsageError when a parameter of another loss was given.
  void require_fit(std::string_view loss) const;
  /// What this loss gets: the value given or its default; nothing where it has no parameter.
  std::optional<double> of(std::string_view loss) const;

 private:
  friend void add_loss_parameters(Command& app, LossParameterOptions& target);
  std::map<std::string, std::optional<double>> values_;  ///< of all options; empty where one was not given
};

/// --huber-delta and all others of the table.
void add_loss_parameters(Command& app, LossParameterOptions& target);

/// " (delta 1)"; empty for a loss without parameter.
std::string parameter_text(const Risk& risk);
/// {"huber_delta": 1}: a member for each parameter of the table, null where the loss is another one.
nlohmann::ordered_json parameters_json(const Risk& risk);

/// "two classes", "regression"
const char* task_text(Task task);

}  // namespace geodescent::cli
