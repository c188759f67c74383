// `geodescent predict`: applies a model to other data.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "geodescent/libsvm.hpp"
#include "geodescent/model.hpp"
#include "geodescent/output_file.hpp"
#include "geodescent/version.hpp"
#include "options.hpp"
#include "output.hpp"

namespace geodescent::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* description =
    R"(Applies a model to data and says how well it does.

Prints the accuracy (two classes) or the mean squared error (regression), and writes one label or value a row to OUTPUT. Features that the training data did not have are ignored and counted. Rows whose label is neither of the two the model knows count as errors and are reported; a file without known labels needs some number in their place.)";

constexpr const char* examples = R"(Examples:

  geodescent predict test.svm data.model                 the accuracy alone
  geodescent predict test.svm data.model labels.txt      predictions to a file
  geodescent predict --quiet test.svm data.model - | sort | uniq -c)";

struct PredictOptions {
  std::string data;
  std::string model;
  std::string output;
  std::string index_base = "auto";
  bool json = false;
  bool quiet = false;
};

struct Score {
  std::size_t rows = 0;
  std::size_t correct = 0;
  std::size_t unknown_labels = 0;
  double squared_error = 0;         ///< sum over rows
  std::size_t ignored_entries = 0;  ///< of features the model does not have
  std::size_t rows_with_ignored = 0;
};

/// The prediction for a row; entries beyond the weights are counted and left out.
double prediction(const LinearModel& model, const SparseRows& rows, std::size_t i, Score& score) {
  const auto indices = rows.indices(i);
  const auto values = rows.values(i);
  std::size_t known = indices.size();
  while (known > 0 && indices[known - 1] >= model.weights.size()) --known;
  score.ignored_entries += indices.size() - known;
  if (known < indices.size()) ++score.rows_with_ignored;
  double sum = 0;
  for (std::size_t k = 0; k < known; ++k) sum += model.weights[indices[k]] * values[k];
  return sum;
}

/// Scores one row and returns what is predicted for it.
double judge(const LinearModel& model, double prediction, double target, Score& score) {
  ++score.rows;
  if (!model.labels) {
    score.squared_error += (prediction - target) * (prediction - target);
    return prediction;
  }
  const double label = prediction > 0 ? model.labels->positive : model.labels->negative;
  if (label == target) ++score.correct;
  if (target != model.labels->positive && target != model.labels->negative) ++score.unknown_labels;
  return label;
}

Score predict_all(const LinearModel& model, const LibsvmData& data, OutputFile* output) {
  Score score;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    const double predicted = judge(model, prediction(model, data.rows, i, score), data.targets[i], score);
    if (output != nullptr) output->write(fmt::format("{}\n", predicted));
  }
  return score;
}

double accuracy(const Score& s) { return static_cast<double>(s.correct) / static_cast<double>(s.rows); }
double mean_squared_error(const Score& s) { return s.squared_error / static_cast<double>(s.rows); }

std::string text_of(const Score& s, const LinearModel& model) {
  std::string text = model.labels ? fmt::format("Accuracy = {:g}% ({}/{})\n", 100 * accuracy(s), s.correct, s.rows)
                                  : fmt::format("Mean squared error = {:g} ({} rows)\n", mean_squared_error(s), s.rows);
  if (s.unknown_labels > 0) {
    text += fmt::format("{} rows have a label other than {} and {}, counted as errors\n", s.unknown_labels,
                        model.labels->negative, model.labels->positive);
  }
  if (s.ignored_entries > 0) {
    text += fmt::format("{} entries in {} rows belong to features beyond the {} of the model, ignored\n",
                        s.ignored_entries, s.rows_with_ignored, model.weights.size());
  }
  return text;
}

ordered_json json_of(const Score& s, const LinearModel& model, const LibsvmData& data, const PredictOptions& o) {
  const bool classes = model.labels.has_value();
  return {{"rows", s.rows},
          {"task", classes ? "classification" : "regression"},
          {"accuracy", classes ? ordered_json(accuracy(s)) : ordered_json(nullptr)},
          {"correct", classes ? ordered_json(s.correct) : ordered_json(nullptr)},
          {"mean_squared_error", classes ? ordered_json(nullptr) : ordered_json(mean_squared_error(s))},
          {"unknown_label_rows", s.unknown_labels},
          {"ignored_entries", s.ignored_entries},
          {"index_base", data.zero_based ? 0 : 1},
          {"model", o.model},
          {"loss", model.risk.loss},
          {"output", o.output.empty() ? ordered_json(nullptr) : ordered_json(o.output)},
          {"version", GEODESCENT_VERSION_STRING}};
}

int predict(const PredictOptions& o) {
  if (o.json && o.output == "-") throw UsageError("--json and OUTPUT - both want standard output; give OUTPUT a name");
  require_distinct({{"OUTPUT", o.output}}, {{"DATA", o.data}, {"MODEL", o.model}});
  if (!o.output.empty()) require_writable(o.output);
  const LinearModel model = read_model(o.model);
  // The numbering of the training data unless told otherwise: a file without its feature 0 would not show it.
  const IndexBase trained = model.zero_based ? IndexBase::zero : IndexBase::one;
  const IndexBase base = o.index_base == "auto" ? trained : index_base(o.index_base);
  const LibsvmData data = read_libsvm(o.data, {.index_base = base, .features = {}});

  std::optional<OutputFile> output;
  if (!o.output.empty()) output.emplace(o.output);
  const Score score = predict_all(model, data, output ? &*output : nullptr);
  if (output) output->commit();

  if (!o.quiet) o.json || o.output == "-" ? print_error(text_of(score, model)) : print_out(text_of(score, model));
  if (o.json) print_json(json_of(score, model, data, o));
  return success;
}

}  // namespace

void add_predict(CLI::App& program, Action& action) {
  const auto o = std::make_shared<PredictOptions>();
  CLI::App& app = *program.add_subcommand("predict", description);
  add_text(app, {"DATA", "DATA", "LIBSVM text, plain or compressed; - for standard input"}, o->data)->required();
  add_text(app, {"MODEL", "MODEL", "a model written by 'geodescent train'"}, o->model)->required();
  add_text(app, {"OUTPUT", "OUTPUT", "where the predictions go; - for standard output (default: nowhere)"}, o->output);
  add_choice(app, {"--index-base", "", "first index of a row: auto is the one of the training data (default auto)"},
             o->index_base, {"auto", "0", "1"});
  add_switch(app, "--json", o->json, "the score on standard output as JSON, everything else on standard error");
  add_switch(app, "-q,--quiet", o->quiet, "no score in words; errors, OUTPUT and --json remain");
  app.footer(examples);
  app.callback([o, &action] { action = [o] { return predict(*o); }; });
}

}  // namespace geodescent::cli
