// `geodescent predict`: applies a model to other data, row by row.
#include "predict/predict.hpp"

#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "common/command.hpp"
#include "common/options.hpp"
#include "common/output.hpp"
#include "files/output_file.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/version.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* description =
    R"(Applies a model to data and says how well it does.

The model is one of 'geodescent train' or of liblinear-train. Prints the accuracy, AUC, log loss and confusion (two classes) or the errors and R^2 (regression), and writes one label or value a row to OUTPUT, or a decision value, or probabilities. The data are read row by row: their size does not matter. Features that the training data did not have are ignored and counted. Rows whose label is neither of the two the model knows count as errors and are reported; a file without known labels needs some number in their place.)";

constexpr const char* examples = R"(Examples:

  geodescent predict test.svm data.model                 the scores alone
  geodescent predict test.svm data.model labels.txt      predictions to a file
  geodescent predict -b 1 test.svm data.model p.txt      probabilities
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

/// Writes one line a row; nothing at all where nobody wants it.
class PredictionWriter {
 public:
  PredictionWriter(const LinearModel& model, OutputKind kind, const std::string& path) : model_(model), kind_(kind) {
    if (path.empty()) return;
    file_.emplace(path);
    if (kind_ != OutputKind::probabilities) return;
    const auto [first, second] = labels_in_file_order(model_);
    file_->write(fmt::format("labels {} {}\n", first, second));
  }

  void add(double decision) {
    if (!file_) return;
    line_.clear();
    const auto out = std::back_inserter(line_);
    if (kind_ == OutputKind::decisions) {
      fmt::format_to(out, "{}\n", decision);
    } else if (kind_ == OutputKind::labels) {
      fmt::format_to(out, "{}\n", predicted_target(model_, decision));
    } else {
      const auto [first, second] = probabilities(model_, decision);
      fmt::format_to(out, "{} {:g} {:g}\n", predicted_target(model_, decision), first, second);
    }
    file_->write({line_.data(), line_.size()});
  }

  void commit() {
    if (file_) file_->commit();
  }

 private:
  const LinearModel& model_;
  OutputKind kind_;
  std::optional<OutputFile> file_;
  fmt::memory_buffer line_;
};

void check_usage(const PredictOptions& o) {
  if (o.json && o.output == "-") throw UsageError("--json and OUTPUT - both want standard output; give OUTPUT a name");
  if (o.output.empty() && (!o.output_kind.empty() || o.probabilities == "1")) {
    throw UsageError(fmt::format("{} is about OUTPUT, and there is none; name a file for it",
                                 o.output_kind.empty() ? "-b 1" : "--output-kind"));
  }
  require_distinct({{"OUTPUT", o.output}}, {{"DATA", o.data}, {"MODEL", o.model}});
}

void require_probabilities(const LinearModel& model) {
  if (has_probabilities(model)) return;
  const std::string what = model.risk.loss.empty() ? "this one has another" : "this one has " + model.risk.loss;
  throw UsageError(fmt::format("probabilities need a model of the loss {}, and {}; ask for --output-kind decisions",
                               names_of_losses([](const LossInfo& l) { return l.has_probabilities; }), what));
}

int predict(const PredictOptions& o) {
  check_usage(o);
  const OutputKind kind = output_kind(o);
  if (!o.output.empty()) require_writable(o.output);
  const LinearModel model = read_model(o.model);
  if (kind == OutputKind::probabilities) require_probabilities(model);
  const IndexBase base = index_base(o.index_base, model);

  Scorer scorer(model);
  PredictionWriter writer(model, kind, o.output);
  const char* const advice =
      model.has_section && base == IndexBase::one
          ? "the features of the training data are numbered from 1: number these from 1, too, or "
            "train the model with --index-base 0"
          : "";
  const LibsvmOptions how{.index_base = base, .line_limit = o.line_limit, .index_advice = advice};
  for_each_row(o.data, how, [&](double target, auto indices, auto values) {
    const Decision decision = decide(model, indices, values);
    scorer.add(target, decision);
    writer.add(decision.value);
  });
  writer.commit();

  const Score score = scorer.score();
  const bool zero_based = base == IndexBase::zero;
  const std::string words = score_text(score, model, zero_based);
  if (!o.quiet) o.json || o.output == "-" ? print_error(words) : print_out(words);
  if (!o.json) return success;
  nlohmann::ordered_json result = score_json(score, model, zero_based);
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
  add_text(app, {"OUTPUT", "OUTPUT", "where the predictions go; - for standard output (default: nowhere)"}, o->output);
  add_choice(app, {"--output-kind", "", "what OUTPUT gets for each row (default labels; regression: the value)"},
             o->output_kind, {"labels", "decisions", "probabilities"});
  add_choice(app, {"-b", "", "LIBLINEAR's word for it: 1 is --output-kind probabilities"}, o->probabilities,
             {"0", "1"});
  add_choice(app, {"--index-base", "", "number of the first feature: auto is that of the training data (default auto)"},
             o->index_base, {"auto", "0", "1"});
  add_line_limit(app, o->line_limit);
  add_switch(app, "--json", o->json, "the score on standard output as JSON, everything else on standard error");
  add_switch(app, "-q,--quiet", o->quiet, "no score in words; errors, OUTPUT and --json remain");
  app.footer = examples;
  app.callback = [o, &action] { action = [o] { return predict(*o); }; };
}

}  // namespace geodescent::cli
