// LIBLINEAR decides for the first label of its list where the decision value is over 0. Ours is the larger label: where
// LIBLINEAR's list begins with the smaller one, all weights have the opposite sign in the file.
#include "learn/model_file/liblinear_model.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include <fmt/compile.h>
#include <fmt/core.h>
#include <fmt/format.h>

#include "base/parallel.hpp"
#include "files/output_file.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"

namespace geodescent {
namespace {

constexpr std::uint64_t most_features = std::numeric_limits<std::uint32_t>::max();
// The line before the weights. Programs that read words see no difference; we see that a section of our own must
// follow, and so notice also a file that was cut off right after the weights.
constexpr std::string_view start_of_weights = "w";
constexpr std::string_view start_before_section = "w ";

struct Solver {
  std::string_view name;
  Task task;
  std::string_view loss = {};  ///< of the table; empty where it is none of them
};

/// The solvers whose loss is not in the table.
constexpr std::array other_solvers{
    Solver{"L2R_L1LOSS_SVC_DUAL", Task::classification}, Solver{"L1R_L2LOSS_SVC", Task::classification},
    Solver{"L2R_L2LOSS_SVR", Task::regression},          Solver{"L2R_L2LOSS_SVR_DUAL", Task::regression},
    Solver{"L2R_L1LOSS_SVR_DUAL", Task::regression},
};

Solver read_solver(ModelLines& in) {
  const std::string_view name = without_blanks(in.value_of(liblinear_first_word));
  for (const LossInfo& loss : losses())
    for (const std::string_view solver : loss.liblinear.solvers)
      if (!solver.empty() && solver == name) return {solver, loss.task, loss.name};
  const auto* const solver = std::ranges::find(other_solvers, name, &Solver::name);
  if (solver != other_solvers.end()) return *solver;
  if (name == "MCSVM_CS") in.fail("MCSVM_CS has weights for each class", "train with another solver, such as -s 2");
  if (name == "ONECLASS_SVM") in.fail("ONECLASS_SVM knows one class", "give a model for two classes or a regression");
  in.fail(fmt::format("unknown solver {}", shown(name)), "give a model of liblinear-train or 'geodescent train'");
}

void require_two_classes(ModelLines& in) {
  const std::string_view text = without_blanks(in.value_of("nr_class"));
  const std::uint64_t classes = in.count(text);
  if (classes == 2) return;
  in.fail(fmt::format("a model for {} {}", classes, classes == 1 ? "class" : "classes"),
          "only models for two classes and for regression are read: train on two classes");
}

void read_labels(ModelLines& in, LinearModel& model) {
  const auto words = words_of(in.value_of("label"));
  if (words.size() != 2) in.fail(fmt::format("{} labels for two classes", words.size()), "train the model again");
  const double first = in.number(words[0]);
  const double second = in.number(words[1]);
  if (first == second) in.fail(fmt::format("both labels are {}", words[0]), "train the model again");
  model.positive_first = first > second;
  model.labels = BinaryLabels{std::min(first, second), std::max(first, second), 0, 0};
}

std::uint64_t read_features(ModelLines& in) {
  const std::string_view text = without_blanks(in.value_of("nr_feature"));
  const std::uint64_t features = in.count(text);
  if (features > most_features) {
    in.fail(fmt::format("{} features are too many", text), fmt::format("at most {}", most_features));
  }
  return features;
}

void read_bias(ModelLines& in, Risk& risk) {
  const double bias = in.number(without_blanks(in.value_of("bias")));
  if (bias < 0) return;
  risk.bias = Bias::regularized;
  risk.constant = bias;
}

double sign_in_file(const LinearModel& model) { return !model.labels || model.positive_first ? 1 : -1; }

/// True when a section of our own follows the weights.
bool read_start_of_weights(ModelLines& in) {
  const std::string_view line = in.next();
  if (line != start_of_weights && line != start_before_section) {
    in.fail(fmt::format("expected the line 'w', found {}", shown(line)), "train the model again");
  }
  return line == start_before_section;
}

/// The array grows with the lines that are there: a large number of features alone costs no memory.
void read_weights(ModelLines& in, std::uint64_t features, LinearModel& model) {
  const double sign = sign_in_file(model);
  const bool has_bias = model.risk.bias != Bias::none;
  const auto next_weight = [&] {
    if (in.at_end() || in.next_is(section_first_word)) {
      in.fail(fmt::format("the weights end after {} of {}", model.weights.size(), features + (has_bias ? 1 : 0)),
              "the file may be cut off: copy it again or train the model again");
    }
    return sign * in.number(without_blanks(in.next()));
  };
  while (model.weights.size() < features) model.weights.push_back(next_weight());
  if (has_bias) model.bias_weight = next_weight();
  if (has_bias && model.risk.constant == 0) {  // -B 0: a feature that is always 0
    model.risk.bias = Bias::none;
    model.risk.constant = 1;
    model.bias_weight = 0;
  }
}

constexpr std::size_t longest_line = 26;  // -1.7976931348623157e+308, with the blank that LIBLINEAR writes, too

/// Writes the lines of `weights` to `out` and returns their end. Of many columns most have no weight: these lines are
/// copied.
char* put_lines(std::span<const double> weights, double sign, char* out) {
  for (const double weight : weights) {
    assert(std::isfinite(weight));
    const double written = sign * weight;
    if (written != 0) {
      out = fmt::format_to(out, FMT_COMPILE("{} \n"), written);
    } else {
      const std::string_view zero = std::signbit(written) ? "-0 \n" : "0 \n";
      out = std::copy(zero.begin(), zero.end(), out);
    }
  }
  return out;
}

/// Lines are made on all threads, at most 4 MB at a time, and written in order.
void write_weights(const LinearModel& model, OutputFile& file) {
  constexpr std::size_t block = std::size_t{1} << 12, blocks_at_once = 32, at_once = block * blocks_at_once;
  const double sign = sign_in_file(model);
  const std::span<const double> weights = model.weights;
  const auto lines =
      std::make_unique_for_overwrite<char[]>(std::clamp(weights.size(), std::size_t{1}, at_once) * longest_line);
  for (std::size_t begin = 0; begin < weights.size(); begin += at_once) {
    const std::span<const double> part = weights.subspan(begin, std::min(at_once, weights.size() - begin));
    const parallel::Blocks blocks = parallel::cut(part.size(), block, blocks_at_once);
    std::array<std::size_t, blocks_at_once> sizes;
    parallel::for_each(blocks, [&](std::size_t first, std::size_t last) {
      char* const start = lines.get() + first * longest_line;
      const char* const end = put_lines(part.subspan(first, last - first), sign, start);
      sizes[first / blocks.length] = static_cast<std::size_t>(end - start);
    });
    for (std::size_t b = 0; b < blocks.count; ++b) file.write({lines.get() + blocks.begin(b) * longest_line, sizes[b]});
  }
  if (model.risk.bias == Bias::none) return;
  const char* const end = put_lines({&model.bias_weight, 1}, sign, lines.get());
  file.write({lines.get(), static_cast<std::size_t>(end - lines.get())});
}

}  // namespace

std::string_view solver_for(const LinearModel& model) {
  const Task task = model.labels ? Task::classification : Task::regression;
  const LossInfo* const loss = find_loss(model.risk.loss);
  if (loss && loss->task == task && !loss->liblinear.solvers.front().empty()) return loss->liblinear.solvers.front();
  // LIBLINEAR does not have the loss; its predictions are the same for every solver of the task.
  return task == Task::classification ? "L2R_L2LOSS_SVC" : "L2R_L2LOSS_SVR";
}

LiblinearPart read_liblinear_part(ModelLines& in) {
  LiblinearPart part;
  const Solver solver = read_solver(in);
  part.model.risk.loss = solver.loss;
  part.solver = solver.name;
  require_two_classes(in);
  if (solver.task == Task::classification) {
    read_labels(in, part.model);
  } else if (in.next_is("label")) {
    in.next();
    in.fail("labels in a regression", "train the model again");
  }
  const std::uint64_t features = read_features(in);
  read_bias(in, part.model.risk);
  part.section_follows = read_start_of_weights(in);
  read_weights(in, features, part.model);
  return part;
}

void write_liblinear_part(const LinearModel& model, OutputFile& file) {
  assert(model.risk.bias == Bias::none || (model.risk.constant >= 0 && std::isfinite(model.risk.constant)));
  file.write(fmt::format("{} {}\nnr_class 2\n", liblinear_first_word, solver_for(model)));
  if (model.labels) {
    const auto [negative, positive, negatives, positives] = *model.labels;
    assert(negative < positive);
    file.write(model.positive_first ? fmt::format("label {} {}\n", positive, negative)
                                    : fmt::format("label {} {}\n", negative, positive));
  }
  const double bias = model.risk.bias == Bias::none ? -1 : model.risk.constant;
  file.write(fmt::format("nr_feature {}\nbias {}\n{}\n", model.weights.size(), bias, start_before_section));
  write_weights(model, file);
}

}  // namespace geodescent
