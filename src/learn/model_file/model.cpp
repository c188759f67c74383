// The model file: LIBLINEAR's part, then a section of `key value` lines in a fixed order that says what LIBLINEAR has
// no word for. Numbers are the shortest that read back to the same bits. A certificate may follow, which is not read.
#include "geodescent/learn/model.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "data/text/file_kind.hpp"
#include "files/output_file.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/optimize/method_choice.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "learn/model_file/liblinear_model.hpp"
#include "learn/model_file/model_file.hpp"

namespace geodescent {
namespace {

constexpr std::string_view last_word = "end";
constexpr std::string_view unknown = "unknown";  ///< method and status of a model that does not tell

[[maybe_unused]] bool is_one_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

std::string labels_text(const std::optional<BinaryLabels>& labels) {
  if (!labels) return "regression";
  return fmt::format("{} {} {} {}", labels->negative, labels->positive, labels->negatives, labels->positives);
}

void write_section(const LinearModel& model, OutputFile& file) {
  const Risk& risk = model.risk;
  file.write(fmt::format("{} {}\n", section_first_word, section_version));
  file.write(fmt::format("loss {}\nloss_parameter {}\nl2 {}\n", risk.loss, risk.loss_parameter, risk.l2));
  file.write(fmt::format("labels {}\n", labels_text(model.labels)));
  file.write(fmt::format("bias {}\nconstant {}\n", to_string(risk.bias), risk.constant));
  file.write(fmt::format("index_base {}\n", model.zero_based ? 0 : 1));
  file.write(fmt::format("method {}\n", model.method.empty() ? unknown : model.method));
  // A model that does not tell how it was found claims nothing.
  const bool told = !model.status.empty();
  file.write(told ? fmt::format("status {}\nvalue {}\nlower_bound {}\n", model.status, model.value, model.lower_bound)
                  : fmt::format("status {}\nvalue inf\nlower_bound -inf\n", unknown));
  file.write(fmt::format("{}\n", last_word));
}

/// What the two parts of a file say twice must agree.
[[noreturn]] void fail_contradiction(const ModelLines& in, std::string_view what) {
  in.fail(fmt::format("the {} contradicts what stands above the weights", what), "train the model again");
}

void read_version(ModelLines& in) {
  const std::string_view version = in.value_of(section_first_word);
  if (version == section_version) return;
  in.fail(fmt::format("model version {}, but this program knows version {}", shown(version), section_version),
          "use the geodescent that wrote it or train the model again");
}

void read_label_counts(ModelLines& in, std::optional<BinaryLabels>& labels) {
  const std::string_view text = in.value_of("labels");
  if ((text == "regression") != !labels) fail_contradiction(in, "kind of labels");
  if (!labels) return;
  const auto words = words_of(text);
  if (words.size() != 4) {
    in.fail(fmt::format("{} items for labels", words.size()), "write 'labels regression' or two labels and two counts");
  }
  if (in.number(words[0]) != labels->negative || in.number(words[1]) != labels->positive) {
    fail_contradiction(in, "pair of labels");
  }
  labels->negatives = in.count(words[2]);
  labels->positives = in.count(words[3]);
}

void read_bias_mode(ModelLines& in, Risk& risk) {
  const bool has_bias = risk.bias != Bias::none;
  const std::string_view text = in.value_of("bias");
  constexpr std::array modes{Bias::none, Bias::free, Bias::regularized};
  const auto* const mode = std::find_if(modes.begin(), modes.end(), [&](Bias b) { return to_string(b) == text; });
  if (mode == modes.end()) {
    in.fail(fmt::format("unknown bias {}", shown(text)), "it is one of none, free and regularized");
  }
  if ((*mode != Bias::none) != has_bias) fail_contradiction(in, "bias");
  risk.bias = *mode;
  const double constant = in.number_of("constant");
  if (has_bias && constant != risk.constant) fail_contradiction(in, "constant feature");
  if (!(constant > 0)) in.fail(fmt::format("the constant feature is {}", constant), "it is over 0");
  risk.constant = constant;
}

bool read_zero_based(ModelLines& in) {
  const std::string_view base = in.value_of("index_base");
  if (base != "0" && base != "1") in.fail(fmt::format("index base {}", shown(base)), "it is 0 or 1");
  return base == "0";
}

double read_lower_bound(ModelLines& in) {
  const std::string_view text = in.value_of("lower_bound");
  return text == "-inf" ? -std::numeric_limits<double>::infinity() : in.number(text);
}

/// One of `known`, or nothing for what is not told.
std::string read_one_of(ModelLines& in, std::string_view what, const auto& known) {
  const std::string_view text = in.value_of(what);
  if (text == unknown) return {};
  if (std::ranges::find(known, text) == std::ranges::end(known))
    in.fail(fmt::format("unknown {} {}", what, shown(text)), fmt::format("it is one of {}", fmt::join(known, ", ")));
  return std::string(text);
}

std::string read_method(ModelLines& in) {
  std::vector<std::string_view> known;
  for (const MethodInfo& method : methods()) known.push_back(method.name);
  return read_one_of(in, "method", known);
}

/// How a run can end that leaves a model.
std::string read_status(ModelLines& in) {
  return read_one_of(in, "status",
                     std::array{to_string(Status::converged), to_string(Status::iteration_limit),
                                to_string(Status::time_limit), to_string(Status::stopped_by_observer),
                                to_string(Status::precision_limit), to_string(Status::not_strongly_convex)});
}

/// A model that predicts classes from a loss for targets, or the other way round, is not what was trained.
void require_task(ModelLines& in, const LinearModel& model) {
  const LossInfo* const loss = find_loss(model.risk.loss);
  if (!loss || (loss->task == Task::classification) == model.labels.has_value()) return;
  in.fail(
      fmt::format("the loss {} {} classes, the model {}", model.risk.loss,
                  model.labels ? "is for targets and not for" : "is for two", model.labels ? "has labels" : "has none"),
      "train the model again");
}

void read_loss(ModelLines& in, Risk& risk) {
  risk.loss = in.value_of("loss");
  const LossInfo* const loss = find_loss(risk.loss);
  risk.loss_parameter = in.number_of("loss_parameter");
  if (!loss || (loss->parameter ? loss->parameter->allows(risk.loss_parameter) : risk.loss_parameter == 0)) return;
  in.fail(fmt::format("{} is no parameter of the loss {}", risk.loss_parameter, risk.loss), "train the model again");
}

/// Nobody compares what a model says that does not tell how it ended.
void require_no_claim(ModelLines& in, std::string_view key, std::string_view nothing) {
  if (const std::string_view text = in.value_of(key); text != nothing)
    in.fail(fmt::format("the status is unknown and the {} {}", key, shown(text)),
            fmt::format("it is {} then", nothing));
}

void read_section(ModelLines& in, LiblinearPart& part) {
  LinearModel& model = part.model;
  model.has_section = true;
  read_version(in);
  read_loss(in, model.risk);
  model.risk.l2 = in.number_of("l2");
  read_label_counts(in, model.labels);
  require_task(in, model);
  if (part.solver != solver_for(model)) fail_contradiction(in, "loss");
  read_bias_mode(in, model.risk);
  model.zero_based = read_zero_based(in);
  model.method = read_method(in);
  model.status = read_status(in);
  if (model.status.empty()) {
    require_no_claim(in, "value", "inf");
    require_no_claim(in, "lower_bound", "-inf");
  } else {
    model.value = in.number_of("value");
    model.lower_bound = read_lower_bound(in);
  }
  if (!in.value_of(last_word).empty()) in.fail("text after 'end'", "train the model again");
}

/// Where the certificate behind a model begins; the end of the text where there is none. The text before `known` has
/// been searched.
std::size_t start_of_certificate(std::string_view text, std::size_t known = 0) {
  static constexpr std::string_view line_end_and_word = "\ngeodescent-certificate ";
  static_assert(line_end_and_word.substr(1, certificate_first_word.size()) == certificate_first_word);
  const std::size_t found = text.find(line_end_and_word, known - std::min(known, line_end_and_word.size()));
  return found == text.npos ? text.size() : found + 1;
}

void require_known_kind(ModelLines& in) {
  if (in.next_is(liblinear_first_word)) return;
  const std::string_view line = in.next();
  if (line.starts_with(section_first_word)) {
    in.fail(fmt::format("{} is a format that this program no longer reads", shown(line)), "train the model again");
  }
  const std::string_view kind = kind_of_file(line);
  in.fail(kind.empty() ? fmt::format("not a geodescent model, starts with {}", shown(line))
                       : fmt::format("not a geodescent model, this looks like {}", kind),
          "give a file written by 'geodescent train' or liblinear-train");
}

}  // namespace

void write_model_parts(const LinearModel& model, OutputFile& file) {
  assert(is_one_line(model.risk.loss) && is_one_line(model.method) && is_one_line(model.status));
  write_liblinear_part(model, file);
  write_section(model, file);
}

void write_model(const LinearModel& model, const std::string& path) {
  OutputFile file(path);
  write_model_parts(model, file);
  file.commit();
}

LinearModel parse_model(std::string_view text, const std::string& name) {
  ModelLines in(text.substr(0, start_of_certificate(text)), name);
  require_known_kind(in);
  LiblinearPart part = read_liblinear_part(in);
  if (part.section_follows || in.next_is(section_first_word)) read_section(in, part);
  if (!in.at_end()) {
    in.next();
    in.fail("text after the model", "the number of features may be wrong: train the model again");
  }
  return std::move(part.model);
}

std::string read_model_text(TextSource& source, std::string& certificate, std::string text) {
  for (std::size_t known = 0;;) {
    // What is no model is not read to its end: it may have none.
    if (text.size() >= liblinear_first_word.size() && !text.starts_with(liblinear_first_word)) {
      text.resize(std::min<std::size_t>(text.size(), text.find('\n')));
      return text + '\n';
    }
    if (const std::size_t start = start_of_certificate(text, known); start < text.size()) {
      certificate = text.substr(start);
      text.resize(start);
      return text;
    }
    known = text.size();
    const std::string_view piece = source.read();
    if (piece.empty()) return text;
    text.append(piece);
  }
}

LinearModel read_model(const std::string& path) {
  TextSource source(path);
  std::string certificate;
  return parse_model(read_model_text(source, certificate), source.name());
}

}  // namespace geodescent
