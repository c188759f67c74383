// `geodescent predict`: applies a model to other data, row by row.
#include "predict/predict.hpp"

#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "common/command.hpp"
#include "common/options/options.hpp"
#include "common/output.hpp"
#include "files/output_file.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/version.hpp"
#include "learn/model_file/liblinear_model.hpp"
#include "ranks/decisions.hpp"
#include "ranks/ranks.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* description =
    R"(Applies a model to data and scores it.

MODEL is a file of 'geodescent train' or of liblinear-train. Prints accuracy, log loss and confusion matrix, with the AUC (two classes) or the precision and recall of each class (more), or the errors and R^2 (regression). OUTPUT gets one label or value a row, or decision values, probabilities or the best labels. Data are read row by row, so they may be larger than memory. Features that the model lacks are ignored and counted. Rows with an unknown label are reported and count as errors; data without labels need a number, such as 0, in place of each label.)";

constexpr const char* examples = R"(Examples:

  geodescent predict test.svm data.model                 the scores
  geodescent predict test.svm data.model labels.txt      predictions to a file
  geodescent predict -b 1 test.svm data.model p.txt      probabilities
  geodescent predict --top 3 test.svm data.model best.txt
                                                         the three best labels
  geodescent predict --quiet test.svm data.model - | sort | uniq -c)";

enum class OutputKind { labels, decisions, probabilities };

OutputKind output_kind(const PredictOptions& o) {
  const bool wants_probabilities = o.probabilities == "1";
  if (wants_probabilities && !o.output_kind.empty() && o.output_kind != "probabilities") {
    throw UsageError(fmt::format("-b 1 and --output-kind {} contradict each other; give one of them", o.output_kind));
  }
  if (wants_probabilities || o.output_kind == "probabilities") return OutputKind::probabilities;
  return o.output_kind == "decisions" ? OutputKind::decisions : OutputKind::labels;
}

/// Writes one line a row; nothing without OUTPUT.
class PredictionWriter {
 public:
  PredictionWriter(const LinearModel& model, OutputKind kind, std::size_t top, const std::string& path)
      : model_(model), kind_(kind), top_(top), labels_(labels_in_file_order(model)) {
    if (path.empty()) return;
    file_.emplace(path);
    if (kind_ != OutputKind::probabilities || top_ > 0) return;
    file_->write(fmt::format("labels {}\n", fmt::join(labels_, " ")));
  }

  void add(std::span<const double> decisions) {
    if (!file_) return;
    line_.clear();
    if (top_ > 0) {
      put_best(decisions);
    } else if (kind_ == OutputKind::labels) {
      put(predicted_target(model_, decisions));
    } else if (kind_ == OutputKind::probabilities) {
      put(predicted_target(model_, decisions));
      for (const double p : probabilities(model_, decisions)) put(p);
    } else {
      for (const double decision : in_file_order(decisions)) put(decision);
    }
    line_[line_.size() - 1] = '\n';
    file_->write({line_.data(), line_.size()});
  }

  void commit() {
    if (file_) file_->commit();
  }

 private:
  void put(double number) { fmt::format_to(std::back_inserter(line_), "{} ", number); }

  /// The best labels, each with its number unless labels are wanted alone.
  void put_best(std::span<const double> decisions) {
    Vector numbers;
    if (kind_ == OutputKind::probabilities) numbers = probabilities(model_, decisions);
    if (kind_ == OutputKind::decisions) numbers = in_file_order(decisions);
    for (const std::size_t place : best_labels(model_, decisions, top_)) {
      put(labels_[place]);
      if (numbers.empty()) continue;
      line_[line_.size() - 1] = ':';
      put(numbers[place]);
    }
  }

  /// A number for each label in the order of the file; a single one as it is.
  Vector in_file_order(std::span<const double> decisions) const {
    Vector numbers(decisions.begin(), decisions.end());
    for (std::size_t place = 0; place < model_.file_order.size(); ++place)
      numbers[place] = decisions[model_.file_order[place]];
    return numbers;
  }

  const LinearModel& model_;
  OutputKind kind_;
  std::size_t top_;  ///< 0: the best label alone
  Vector labels_;    ///< in the order of the file
  std::optional<OutputFile> file_;
  fmt::memory_buffer line_;
};

void check_usage(const PredictOptions& o) {
  if (o.json && o.output == "-")
    throw UsageError("--json and OUTPUT - both write to standard output; name a file for OUTPUT");
  if (o.output.empty() && (!o.output_kind.empty() || o.probabilities == "1")) {
    throw UsageError(fmt::format("{} has an effect only with OUTPUT; name a file for it",
                                 o.output_kind.empty() ? "-b 1" : "--output-kind"));
  }
  require_distinct({{"OUTPUT", o.output}}, {{"DATA", o.data}, {"MODEL", o.model}});
}

void require_top(const PredictOptions& o, const LinearModel& model) {
  if (o.top == 0) return;
  const std::size_t labels = labels_in_file_order(model).size();
  if (labels == 0) throw UsageError(fmt::format("--top has an effect only on labels, and {} is a regression", o.model));
  if (o.top > labels) throw UsageError(fmt::format("--top {}, but {} has {} labels", o.top, o.model, labels));
}

void require_probabilities(const LinearModel& model) {
  if (has_probabilities(model)) return;
  const std::string what = model.risk.loss.empty() ? "this one has another" : "this one has " + model.risk.loss;
  throw UsageError(fmt::format("probabilities need a model of the loss {}, and {}; ask for --output-kind decisions",
                               names_of_losses([](const LossInfo& l) { return l.has_probabilities; }), what));
}

/// Two columns of softmax decide by their difference, the one column of the file.
LinearModel load_model(const std::string& path) {
  LinearModel model = read_model(path);
  return model.outputs() == 2 ? in_one_column(model) : model;
}

int predict(const PredictOptions& o) {
  check_usage(o);
  const OutputKind kind = output_kind(o);
  if (!o.output.empty()) on_first_rank([&] { require_writable(o.output); });
  LinearModel model;
  on_every_rank([&] { model = load_model(o.model); });
  require_same_file_on_ranks(o.model);
  if (kind == OutputKind::probabilities) require_probabilities(model);
  require_top(o, model);
  const IndexBase base = index_base(o.index_base, model);

  Scorer scorer(model, {.top = o.top});
  PredictionWriter writer(model, kind, o.top, is_first_rank() ? o.output : "");
  const char* const advice =
      model.has_section && base == IndexBase::one
          ? "the features of the training data are numbered from 1: number these from 1, too, or "
            "train the model with --index-base 0"
          : "";
  const LibsvmOptions how{.index_base = base, .line_limit = o.line_limit, .index_advice = advice};
  const bool first_feature_occurs = for_each_decision(
      o.data, how, model, [&](double target, std::span<const double> decisions, const Ignored& ignored) {
        scorer.add(target, decisions, ignored);
        writer.add(decisions);
      });
  on_first_rank([&] { writer.commit(); });
  if (!is_first_rank()) return success;

  const Score score = scorer.score();
  const bool zero_based = base == IndexBase::zero;
  std::string words = score_text(score, model, o.top, zero_based);
  // An index just beyond the last one is what a file that is numbered from 1 has.
  if (zero_based && !first_feature_occurs && score.ignored_entries > 0 && score.largest_ignored == model.features())
    words += fmt::format(
        "warning: the features of the model are numbered from 0, but no index is 0 and one is {}; if the data are "
        "numbered from 1, number them from 0\n",
        model.features());
  if (!o.quiet) o.json || o.output == "-" ? print_error(words) : print_out(words);
  if (!o.json) return success;
  nlohmann::ordered_json result = score_json(score, model, zero_based);
  result["top"] = o.top == 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(o.top);
  result["model"] = o.model;
  result["loss"] = model.risk.loss;
  result["output"] = o.output.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(o.output);
  result["version"] = GEODESCENT_VERSION_STRING;
  print_json(result);
  return success;
}

}  // namespace

void add_predict(Command& program, Action& action) {
  const auto o = std::make_shared<PredictOptions>();
  Command& app = program.add_command("predict", description);
  add_text(app, {"DATA", "DATA", "LIBSVM text, plain or compressed, or a file of convert; - for standard input"},
           o->data)
      ->required();
  add_text(app, {"MODEL", "MODEL", "a model written by 'geodescent train' or liblinear-train"}, o->model)->required();
  add_text(app, {"OUTPUT", "OUTPUT", "file for the predictions; - for standard output (default: none)"}, o->output);
  add_choice(app, {"--output-kind", "", "the contents of OUTPUT for each row (default labels; regression: the value)"},
             o->output_kind, {"labels", "decisions", "probabilities"});
  add_choice(app, {"-b", "", "LIBLINEAR's option: 1 is --output-kind probabilities"}, o->probabilities, {"0", "1"});
  add_whole(
      app,
      {"--top", "N",
       "the N best labels of each row to OUTPUT, best first (with another --output-kind as LABEL:NUMBER), and the "
       "share of rows whose label is among them"},
      o->top, {.least = 1});
  add_choice(app, {"--index-base", "", "number of the first feature: auto is that of the training data (default auto)"},
             o->index_base, {"auto", "0", "1"});
  add_line_limit(app, o->line_limit);
  add_switch(app, "--json", o->json, "the score as JSON on standard output, the report on standard error");
  add_switch(app, "-q,--quiet", o->quiet, "no report; errors, OUTPUT and --json remain");
  app.footer = examples;
  app.callback = [o, &action] { action = [o] { return predict(*o); }; };
}

}  // namespace geodescent::cli
