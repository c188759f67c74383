// Two classes: LIBLINEAR predicts the first label of its list if the decision value is over 0. Our
// positive class is the larger label. So the file has all weights with the opposite sign if its
// list begins with the smaller label. More classes: a line has a number for each class, in the
// order of the list; a model has them in the order of the labels.
#include "learn/model_file/liblinear_model.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

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
// The line before the weights. Readers of words see no difference. Our reader learns that our
// section must follow, and so detects a file that was cut off right after the weights.
constexpr std::string_view start_of_weights = "w";
constexpr std::string_view start_before_section = "w ";

struct Solver {
  std::string_view name;
  Task task;
  std::string_view loss = {};  ///< of the table; empty for an unknown solver
};

/// Crammer and Singer's solver writes a column for each of two classes; LIBLINEAR predicts with the
/// first.
constexpr std::string_view joint_solver = "MCSVM_CS";

/// The solvers whose loss is not in the table.
constexpr std::array other_solvers{
    Solver{joint_solver, Task::classification},      Solver{"L2R_L1LOSS_SVC_DUAL", Task::classification},
    Solver{"L1R_L2LOSS_SVC", Task::classification},  Solver{"L2R_L2LOSS_SVR", Task::regression},
    Solver{"L2R_L2LOSS_SVR_DUAL", Task::regression}, Solver{"L2R_L1LOSS_SVR_DUAL", Task::regression},
};

Solver read_solver(ModelLines& in) {
  const std::string_view name = without_blanks(in.value_of(liblinear_first_word));
  for (const LossInfo& loss : losses())
    for (const std::string_view solver : loss.liblinear.solvers)
      if (!solver.empty() && solver == name) return {solver, loss.task, loss.name};
  const auto* const solver = std::ranges::find(other_solvers, name, &Solver::name);
  if (solver != other_solvers.end()) return *solver;
  if (name == "ONECLASS_SVM") in.fail("ONECLASS_SVM knows one class", "give a model for two classes or a regression");
  in.fail(fmt::format("unknown solver {}", shown(name)), "give a model of liblinear-train or 'geodescent train'");
}

std::uint64_t read_class_count(ModelLines& in, Task task) {
  const std::uint64_t classes = in.count(without_blanks(in.value_of("nr_class")));
  if (classes == 2 || (classes > 2 && task == Task::classification)) return classes;
  in.fail(fmt::format("a model for {} {}", classes, classes == 1 ? "class" : "classes"),
          "models for two or more classes and for regression, with nr_class 2, are read: train the model again");
}

/// The labels of the file. The array grows with the words that are read.
Vector read_label_list(ModelLines& in, std::uint64_t classes) {
  const auto words = words_of(in.value_of("label"));
  if (words.size() != classes) {
    in.fail(fmt::format("{} labels for {} classes", words.size(), classes == 2 ? "two" : fmt::format("{}", classes)),
            "train the model again");
  }
  Vector labels;
  for (const std::string_view word : words) labels.push_back(in.number(word));
  return labels;
}

/// For each label in increasing order, the index of its column in the file.
std::vector<std::size_t> places_of(ModelLines& in, const Vector& labels) {
  std::vector<std::size_t> sorted(labels.size()), places(labels.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::sort(sorted, {}, [&](std::size_t k) { return labels[k]; });
  for (std::size_t place = 0; place < sorted.size(); ++place) {
    places[sorted[place]] = place;
    if (place == 0 || labels[sorted[place]] != labels[sorted[place - 1]]) continue;
    in.fail(fmt::format("{} labels are {}", labels.size() == 2 ? "both" : "two", labels[sorted[place]]),
            "train the model again");
  }
  return places;
}

/// The mapping from the columns of a file to those of the model.
struct FileColumns {
  std::vector<std::size_t> places{0};  ///< of the file's columns in a row of the model
  std::size_t ignored = 0;             ///< columns behind them
  double sign = 1;                     ///< factor of the numbers of the file
};

FileColumns read_labels(ModelLines& in, const Solver& solver, std::uint64_t classes, LinearModel& model) {
  const Vector labels = read_label_list(in, classes);
  FileColumns columns{.places = places_of(in, labels)};
  if (classes == 2) {
    model.positive_first = labels[0] > labels[1];
    model.labels = BinaryLabels{std::min(labels[0], labels[1]), std::max(labels[0], labels[1]), 0, 0};
    return {.ignored = solver.name == joint_solver ? std::size_t{1} : 0, .sign = model.positive_first ? 1.0 : -1.0};
  }
  model.classes.resize(classes);
  for (std::size_t k = 0; k < classes; ++k) model.classes[columns.places[k]].label = labels[k];
  if (!std::ranges::is_sorted(columns.places)) model.file_order = columns.places;
  return columns;
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

/// True if our section follows the weights.
bool read_start_of_weights(ModelLines& in) {
  const std::string_view line = in.next();
  if (line != start_of_weights && line != start_before_section) {
    in.fail(fmt::format("expected the line 'w', found {}", shown(line)), "train the model again");
  }
  return line == start_before_section;
}

/// The numbers of the next line, in the places of a row of the model.
void read_row(ModelLines& in, const FileColumns& columns, std::span<double> row) {
  const std::string_view line = without_blanks(in.next());
  const std::size_t count = columns.places.size() + columns.ignored;
  if (count == 1) {
    row[0] = columns.sign * in.number(line);
    return;
  }
  const auto words = words_of(line);
  if (words.size() != count) {
    in.fail(fmt::format("{} numbers in the line; there must be one for each of {} classes", words.size(), count),
            "the file may be cut off: copy it again or train the model again");
  }
  for (std::size_t k = 0; k < columns.places.size(); ++k) row[columns.places[k]] = columns.sign * in.number(words[k]);
}

/// The array grows with the lines that are read: a large nr_feature alone costs no memory.
void read_weights(ModelLines& in, std::uint64_t features, const FileColumns& columns, LinearModel& model) {
  const bool has_bias = model.risk.bias != Bias::none;
  Vector row(columns.places.size());
  const auto read_next = [&](std::uint64_t read) {
    if (in.at_end() || in.next_is(section_first_word)) {
      in.fail(fmt::format("the weights end after {} of {}", read, features + (has_bias ? 1 : 0)),
              "the file may be cut off: copy it again or train the model again");
    }
    read_row(in, columns, row);
  };
  for (std::uint64_t read = 0; read < features; ++read) {
    read_next(read);
    model.weights.insert(model.weights.end(), row.begin(), row.end());
  }
  if (has_bias) {
    read_next(features);
    model.bias_weights = row;
  }
  if (has_bias && model.risk.constant == 0) {  // -B 0: a feature that is always 0
    model.risk.bias = Bias::none;
    model.risk.constant = 1;
    model.bias_weights.assign(row.size(), 0);
  }
}

constexpr std::size_t longest_number = 26;  // -1.7976931348623157e+308, with a blank and its share of the line end

FileColumns columns_of(const LinearModel& model) {
  if (!model.classes.empty()) {
    FileColumns columns{.places = model.file_order};
    columns.places.resize(model.outputs());
    if (model.file_order.empty()) std::iota(columns.places.begin(), columns.places.end(), std::size_t{0});
    return columns;
  }
  return {.sign = !model.labels || model.positive_first ? 1.0 : -1.0};
}

/// Writes the lines of `weights` to `out` and returns their end. With many columns most weights are
/// 0, and their text is copied.
char* put_lines(std::span<const double> weights, const FileColumns& columns, char* out) {
  const std::size_t count = columns.places.size();
  for (std::size_t row = 0; row < weights.size(); row += count) {
    for (const std::size_t place : columns.places) {
      const double written = columns.sign * weights[row + place];
      assert(std::isfinite(written));
      if (written != 0) {
        out = fmt::format_to(out, FMT_COMPILE("{} "), written);
      } else {
        const std::string_view zero = std::signbit(written) ? "-0 " : "0 ";
        out = std::copy(zero.begin(), zero.end(), out);
      }
    }
    *out++ = '\n';
  }
  return out;
}

/// Lines are made on all threads, some 4 MB at a time, and written in order.
void write_weights(const LinearModel& model, OutputFile& file) {
  constexpr std::size_t blocks_at_once = 32;
  const FileColumns columns = columns_of(model);
  const std::size_t count = columns.places.size(), longest_line = count * longest_number;
  const std::size_t block = (std::size_t{1} << 12) / count + 1, at_once = block * blocks_at_once;
  const std::size_t features = model.features();
  const std::span<const double> weights = model.weights;
  const auto lines =
      std::make_unique_for_overwrite<char[]>(std::clamp(features, std::size_t{1}, at_once) * longest_line);
  for (std::size_t begin = 0; begin < features; begin += at_once) {
    const parallel::Blocks blocks = parallel::cut(std::min(at_once, features - begin), block, blocks_at_once);
    std::array<std::size_t, blocks_at_once> sizes;
    parallel::for_each(blocks, [&](std::size_t first, std::size_t last) {
      char* const start = lines.get() + first * longest_line;
      const auto part = weights.subspan((begin + first) * count, (last - first) * count);
      sizes[first / blocks.length] = static_cast<std::size_t>(put_lines(part, columns, start) - start);
    });
    for (std::size_t b = 0; b < blocks.count; ++b) file.write({lines.get() + blocks.begin(b) * longest_line, sizes[b]});
  }
  if (model.risk.bias == Bias::none) return;
  Vector bias_weights = model.bias_weights;
  bias_weights.resize(count);
  file.write({lines.get(), static_cast<std::size_t>(put_lines(bias_weights, columns, lines.get()) - lines.get())});
}

std::string label_line(const LinearModel& model) {
  if (!model.labels && model.classes.empty()) return {};
  std::string line = "label";
  if (model.labels) {
    const auto [negative, positive, negatives, positives] = *model.labels;
    assert(negative < positive);
    line +=
        model.positive_first ? fmt::format(" {} {}", positive, negative) : fmt::format(" {} {}", negative, positive);
  } else {
    for (const std::size_t place : columns_of(model).places) line += fmt::format(" {}", model.classes[place].label);
  }
  return line + '\n';
}

}  // namespace

std::string_view solver_for(const LinearModel& model) {
  const Task task = model.is_classifier() ? Task::classification : Task::regression;
  const LossInfo* const loss = find_loss(model.risk.loss);
  // LIBLINEAR's probabilities of two classes are then those of the model; of more they are
  // normalised sigmoids.
  if (loss && loss->joint) return "L2R_LR";
  if (loss && loss->task == task && !loss->liblinear.solvers.front().empty()) return loss->liblinear.solvers.front();
  // LIBLINEAR does not have the loss; its predictions are the same for every solver of the task.
  return task == Task::classification ? "L2R_L2LOSS_SVC" : "L2R_L2LOSS_SVR";
}

LinearModel in_one_column(const LinearModel& model) {
  assert(model.outputs() == 2);
  LinearModel joined = model;
  const auto difference = [](const Vector& pairs) {
    Vector result(pairs.size() / 2);
    for (std::size_t j = 0; j < result.size(); ++j) result[j] = pairs[2 * j + 1] - pairs[2 * j];
    return result;
  };
  joined.weights = difference(model.weights);
  joined.bias_weights = difference(model.bias_weights);
  joined.labels =
      BinaryLabels{model.classes[0].label, model.classes[1].label, model.classes[0].rows, model.classes[1].rows};
  joined.classes.clear();
  return joined;
}

bool has_halves(const LinearModel& model) {
  const auto exact = [](double w) { return 2 * (0.5 * w) == w; };
  return std::ranges::all_of(model.weights, exact) && std::ranges::all_of(model.bias_weights, exact);
}

LinearModel in_two_columns(LinearModel model) {
  assert(model.labels);
  const auto halves = [](const Vector& differences) {
    Vector result;
    for (const double w : differences) result.insert(result.end(), {-0.5 * w, 0.5 * w});
    return result;
  };
  model.weights = halves(model.weights);
  model.bias_weights = halves(model.bias_weights);
  model.classes = {{model.labels->negative, model.labels->negatives},
                   {model.labels->positive, model.labels->positives}};
  model.labels.reset();
  return model;
}

LiblinearPart read_liblinear_part(ModelLines& in) {
  LiblinearPart part;
  const Solver solver = read_solver(in);
  part.model.risk.loss = solver.loss;
  part.solver = solver.name;
  const std::uint64_t classes = read_class_count(in, solver.task);
  FileColumns columns;
  if (solver.task == Task::classification) {
    columns = read_labels(in, solver, classes, part.model);
  } else if (in.next_is("label")) {
    in.next();
    in.fail("labels in a regression", "train the model again");
  }
  const std::uint64_t features = read_features(in);
  read_bias(in, part.model.risk);
  part.section_follows = read_start_of_weights(in);
  read_weights(in, features, columns, part.model);
  return part;
}

void write_liblinear_part(const LinearModel& model, OutputFile& file) {
  assert(model.outputs() != 2 && model.file_order.size() <= model.outputs());
  assert(model.risk.bias == Bias::none || (model.risk.constant >= 0 && std::isfinite(model.risk.constant)));
  file.write(fmt::format("{} {}\nnr_class {}\n{}", liblinear_first_word, solver_for(model),
                         std::max<std::size_t>(2, model.outputs()), label_line(model)));
  const double bias = model.risk.bias == Bias::none ? -1 : model.risk.constant;
  file.write(fmt::format("nr_feature {}\nbias {}\n{}\n", model.features(), bias, start_before_section));
  write_weights(model, file);
}

}  // namespace geodescent
