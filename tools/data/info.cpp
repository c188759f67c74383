// `geodescent info`: what is in a data file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/text/counted.hpp"
#include "common/command.hpp"
#include "common/options/options.hpp"
#include "common/output.hpp"
#include "data/assemble/class_numbers.hpp"
#include "data/memory_statement.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/train.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/version.hpp"
#include "learn/train/problem_training.hpp"
#include "learn/train/used_data.hpp"
#include "ranks/ranks.hpp"

namespace geodescent::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* info_description =
    R"(Describes a data file: shape, values, labels, memory, losses that fit.

Reads the whole file and so checks it: a file that is not valid ends with exit code 3 and its first error, with line and column. The line training predicts the memory of 'geodescent train' without options. A nonzero is an entry written in the file, even if its value is 0; density is nonzeros / (rows x features).)";

constexpr const char* info_examples = R"(Examples:

  geodescent info data.svm.xz
  geodescent info --json data.svm
  geodescent generate --preset a9a | geodescent info -)";

constexpr std::size_t listed_labels = 30, counted_labels = 100000;

struct InfoOptions {
  std::string data;
  std::string index_base = "auto";
  std::size_t line_limit = default_line_limit;
  std::optional<double> memory_limit;
  std::size_t ranks = rank_count();  ///< of the training whose memory is predicted
  bool json = false;
};

struct LabelCount {
  double label;
  std::size_t rows;
};

struct Summary {
  std::string name;
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t nonzeros = 0;
  double density = 0;
  bool zero_based = false;
  std::size_t longest_row = 0;
  double mean_row = 0;
  std::size_t empty_rows = 0;
  double least_value = std::numeric_limits<double>::infinity();
  double largest_value = -std::numeric_limits<double>::infinity();
  std::vector<LabelCount> labels;  ///< in increasing order
  bool dense = false;              ///< the form for training
  double matrix_bytes = 0;
  std::vector<std::string> losses;
  std::size_t ranks = 1;
  std::optional<MemoryStatement> training;      ///< of the default training, if one is possible
  std::string loss;                             ///< of that training
  std::optional<MemoryStatement> against_rest;  ///< of one class against the rest, where there are more than two
  std::string no_training;                      ///< why no training is possible
};

void describe_rows(const SparseRows& rows, Summary& s) {
  s.rows = rows.rows();
  s.features = rows.columns();
  s.nonzeros = rows.nonzeros();
  s.longest_row = rows.longest_row();
  const double n = static_cast<double>(s.rows);
  s.mean_row = static_cast<double>(s.nonzeros) / n;
  s.density = s.features > 0 ? s.mean_row / static_cast<double>(s.features) : 0;
  for (std::size_t i = 0; i < s.rows; ++i) {
    const auto values = rows.values(i);
    if (values.empty()) ++s.empty_rows;
    for (const double value : values) {
      s.least_value = std::min(s.least_value, value);
      s.largest_value = std::max(s.largest_value, value);
    }
  }
}

std::vector<LabelCount> count_labels(Vector targets) {
  std::sort(targets.begin(), targets.end());
  std::vector<LabelCount> counts;
  for (const double label : targets) {
    if (counts.empty() || counts.back().label != label) counts.push_back({label, 0});
    ++counts.back().rows;
  }
  return counts;
}

/// Whether the labels may be those of classes: two, or whole numbers.
bool are_classes(const std::vector<LabelCount>& labels) {
  const auto whole = [](const LabelCount& one) { return one.label == std::floor(one.label); };
  return labels.size() == 2 || (labels.size() > 2 && std::ranges::all_of(labels, whole));
}

/// The default training with this loss, with a free intercept.
MemoryStatement state_memory(const Dataset& data, const std::string& loss, const InfoOptions& o) {
  GeodMemory method;
  if (o.memory_limit) method.memory_limit = *o.memory_limit;
  const LossInfo& info = loss_named(loss);
  std::vector<ClassRows> classes;
  Dataset first = data;
  TrainingShape shape;
  if (info.task == Task::classification && has_more_than_two_classes(data)) {
    classes = class_rows(data);
    (info.joint ? shape.outputs : shape.problems) = classes.size();
    if (!info.joint) first = against_rest(data, std::exchange(classes, {}).front().label);
  }
  const UsedData used(first);
  const auto f = objective_of(used.data(), {.loss = loss, .l2 = 1e-4, .bias = Bias::free}, classes);
  shape.ranks = o.ranks;
  return memory_statement(data, used.data().rows->columns(), {o.data},
                          planned_memory(*f, method, run_options({})).value(), shape);
}

/// The memory of the default training and, for more than two classes, of one class against the
/// rest.
void state_memory(const Dataset& data, const InfoOptions& o, Summary& s) {
  const bool several = s.labels.size() > 2 && are_classes(s.labels);
  s.loss = several ? std::string(softmax_loss) : s.labels.size() == 2 ? "logistic" : "squared";
  if (s.nonzeros == 0) {
    s.no_training = "no row has a feature; there is nothing to train on";
    return;
  }
  try {
    s.training = state_memory(data, s.loss, o);
  } catch (const std::invalid_argument& error) {
    s.no_training = error.what();
  } catch (const InputError& error) {
    s.no_training = error.what();
  }
  if (several) s.against_rest = state_memory(data, "logistic", o);
}

Summary summarize(const InfoOptions& o) {
  LibsvmData data = read_libsvm(o.data, {.index_base = index_base(o.index_base), .line_limit = o.line_limit});
  Summary s;
  s.name = o.data == "-" ? "standard input" : o.data;
  s.zero_based = data.zero_based;
  s.ranks = o.ranks;
  describe_rows(data.rows, s);
  s.labels = count_labels(data.targets);
  for (const LossInfo& loss : trainable_losses())
    if (loss.task == Task::regression || are_classes(s.labels)) s.losses.emplace_back(loss.name);
  const Dataset best = dataset_of(std::move(data), s.name);
  s.dense = dynamic_cast<const DenseRows*>(best.rows.get()) != nullptr;
  s.matrix_bytes = best.rows->bytes();
  state_memory(best, o, s);
  return s;
}

std::string labels_text(const std::vector<LabelCount>& labels) {
  if (labels.size() > listed_labels) {
    return fmt::format("{} different, from {} to {}", labels.size(), labels.front().label, labels.back().label);
  }
  std::string text;
  for (const LabelCount& l : labels)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", l.label, counted(l.rows, "row"));
  if (labels.size() == 2) text += fmt::format("; {} is the positive class", labels.back().label);
  return text;
}

std::string text_of(const Summary& s) {
  const auto line = [](std::string_view name, const std::string& text) {
    return fmt::format("{:<12}{}\n", name, text);
  };
  std::string text = line("data", one_line(s.name));
  text += line("rows", fmt::format("{}, {} of them without features", s.rows, s.empty_rows));
  text += line("features", fmt::format("{}, indices from {}", s.features, s.zero_based ? 0 : 1));
  text += line("nonzeros", fmt::format("{}, density {:.4g} %", s.nonzeros, 100 * s.density));
  text += line("row length", fmt::format("{:.4g} on average, {} at most", s.mean_row, s.longest_row));
  if (s.nonzeros > 0) text += line("values", fmt::format("from {} to {}", s.least_value, s.largest_value));
  text += line("labels", labels_text(s.labels));
  text += line("losses", fmt::format("{}", fmt::join(s.losses, ", ")));
  text += line("memory",
               fmt::format("{} for the matrix, stored {}", size_text(s.matrix_bytes), s.dense ? "dense" : "sparse"));
  // Models have the same bytes everywhere.
  constexpr std::string_view assumed = "; the search is chosen for four threads";
  const auto with_loss = [&](const MemoryStatement& statement, std::string_view loss) {
    const std::string where = s.ranks == 1 ? "" : fmt::format(" on each of {} ranks", s.ranks);
    return fmt::format("{}{}: {}", loss, where, text_of(statement));
  };
  text += line("training", s.training ? with_loss(*s.training, s.loss) + std::string(assumed) : s.no_training);
  if (s.ranks > 1 && s.training && s.training->plan.along == "dual")
    text += line("", "ranks leave out dual epochs and choose another search");
  if (s.against_rest) text += line("", with_loss(*s.against_rest, "logistic, one class against the rest"));
  return text;
}

ordered_json json_of(const Summary& s) {
  ordered_json counts = nullptr;
  if (s.labels.size() <= (are_classes(s.labels) ? counted_labels : listed_labels)) {
    counts = ordered_json::array();
    for (const LabelCount& l : s.labels) counts.push_back({{"label", l.label}, {"rows", l.rows}});
  }
  return {{"data", s.name},
          {"rows", s.rows},
          {"features", s.features},
          {"nonzeros", s.nonzeros},
          {"density", s.density},
          {"index_base", s.zero_based ? 0 : 1},
          {"longest_row", s.longest_row},
          {"mean_row", s.mean_row},
          {"empty_rows", s.empty_rows},
          {"least_value", s.least_value},
          {"largest_value", s.largest_value},
          {"labels",
           {{"distinct", s.labels.size()},
            {"least", s.labels.front().label},
            {"largest", s.labels.back().label},
            {"counts", counts}}},
          {"losses", s.losses},
          {"matrix_form", s.dense ? "dense" : "sparse"},
          {"matrix_bytes", static_cast<std::uint64_t>(s.matrix_bytes)},
          {"loss", s.loss},
          {"ranks", s.ranks},
          {"training", s.training ? json_of(*s.training) : ordered_json(nullptr)},
          {"training_against_rest", s.against_rest ? json_of(*s.against_rest) : ordered_json(nullptr)},
          {"version", GEODESCENT_VERSION_STRING}};
}

}  // namespace

void add_info(Command& program, Action& action) {
  const auto o = std::make_shared<InfoOptions>();
  Command& app = program.add_command("info", info_description);
  add_text(app, {"DATA", "DATA", "LIBSVM text, plain or compressed, or a file of convert; - for standard input"},
           o->data)
      ->required();
  add_index_base(app, o->index_base);
  add_line_limit(app, o->line_limit);
  add_bytes(app, {"--memory-limit", "SIZE", "predicts the memory of a training with this limit"}, o->memory_limit);
  add_whole(app, {"--ranks", "N", "predicts the memory of each rank, if mpirun starts so many (default: as now)"},
            o->ranks, {.least = 1, .most = 1e6});
  add_switch(app, "--json", o->json, "the description as JSON");
  app.footer = info_examples;
  app.callback = [o, &action] {
    action = [o] {
      on_first_rank([&] {
        const Summary summary = summarize(*o);
        o->json ? print_json(json_of(summary)) : print_out(text_of(summary));
      });
      return success;
    };
  };
}

}  // namespace geodescent::cli
