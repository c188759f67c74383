// The model file: the part of LIBLINEAR, then our section of `key value` lines in a fixed order.
// Numbers are the shortest that read back to the same bits. The certificate, if any, is not read
// here.
#include "geodescent/learn/model.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/crc32c.hpp"
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
constexpr std::string_view checkpoint_key = "checkpoint";  ///< only in checkpoints
constexpr std::string_view unknown = "unknown";            ///< method and status of a model without a known training

[[maybe_unused]] bool is_one_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

/// The labels in increasing order, and the rows of each; none for a regression.
std::vector<ClassRows> classes_of(const LinearModel& model) {
  if (!model.labels) return model.classes;
  return {{model.labels->negative, model.labels->negatives}, {model.labels->positive, model.labels->positives}};
}

std::string labels_text(const std::vector<ClassRows>& classes) {
  std::string labels, rows;
  for (const ClassRows& one : classes) {
    labels += fmt::format("{} ", one.label);
    rows += fmt::format("{} ", one.rows);
  }
  return classes.empty() ? "regression" : labels + rows.substr(0, rows.size() - 1);
}

/// Of the coefficients, which no certificate contains.
std::uint32_t checksum_of(const LinearModel& model) {
  const std::uint32_t sum = crc32c(std::as_bytes(std::span(model.weights)));
  return crc32c(std::as_bytes(std::span(model.bias_weights)), sum);
}

void write_section(const LinearModel& model, OutputFile& file) {
  const Risk& risk = model.risk;
  file.write(fmt::format("{} {}\n", section_first_word, section_version));
  file.write(fmt::format("loss {}\nloss_parameter {}\nl2 {}\n", risk.loss, risk.loss_parameter, risk.l2));
  file.write(fmt::format("labels {}\n", labels_text(classes_of(model))));
  file.write(fmt::format("bias {}\nconstant {}\n", to_string(risk.bias), risk.constant));
  file.write(fmt::format("index_base {}\n", model.zero_based ? 0 : 1));
  file.write(fmt::format("method {}\n", model.method.empty() ? unknown : model.method));
  if (model.checkpoint > 0)
    file.write(
        fmt::format("{} {} {} {:08x}\n", checkpoint_key, model.checkpoint, model.checkpoint_every, checksum_of(model)));
  // A model with an unknown status claims nothing.
  const bool told = !model.status.empty();
  file.write(told ? fmt::format("status {}\nvalue {}\nlower_bound {}\n", model.status, model.value, model.lower_bound)
                  : fmt::format("status {}\nvalue inf\nlower_bound -inf\n", unknown));
  file.write(fmt::format("{}\n", last_word));
}

/// Items that both parts of a file contain must agree.
[[noreturn]] void fail_contradiction(const ModelLines& in, std::string_view what) {
  in.fail(fmt::format("the {} contradicts the lines above the weights", what), "train the model again");
}

void read_version(ModelLines& in) {
  const std::string_view version = in.value_of(section_first_word);
  if (version == section_version) return;
  in.fail(fmt::format("model version {}, but this program supports version {}", shown(version), section_version),
          "use the version of geodescent that wrote it, or train the model again");
}

void read_label_counts(ModelLines& in, LinearModel& model) {
  const std::string_view text = in.value_of("labels");
  const std::vector<ClassRows> classes = classes_of(model);
  if ((text == "regression") != classes.empty()) fail_contradiction(in, "kind of labels");
  if (classes.empty()) return;
  const auto words = words_of(text);
  if (words.size() != 2 * classes.size()) {
    in.fail(fmt::format("{} items for labels", words.size()),
            fmt::format("write 'labels regression', or {} labels and a count for each", classes.size()));
  }
  const auto rows_of_class = [&](std::size_t k) { return in.count(words[classes.size() + k]); };
  for (std::size_t k = 0; k < classes.size(); ++k)
    if (in.number(words[k]) != classes[k].label)
      fail_contradiction(in, classes.size() == 2 ? "pair of labels" : "list of labels");
  for (std::size_t k = 0; k < model.classes.size(); ++k) model.classes[k].rows = rows_of_class(k);
  if (!model.labels) return;
  model.labels->negatives = rows_of_class(0);
  model.labels->positives = rows_of_class(1);
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

/// One of `known`; empty for `unknown`.
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

void read_checkpoint(ModelLines& in, LinearModel& model) {
  const char* const remedy = "begin anew without this file";
  const auto words = words_of(in.value_of(checkpoint_key));
  if (words.size() != 3) in.fail(fmt::format("{} items for a checkpoint", words.size()), remedy);
  model.checkpoint = in.count(words[0]);
  model.checkpoint_every = in.count(words[1]);
  if (model.checkpoint == 0 || model.checkpoint_every == 0) in.fail("a checkpoint after 0 iterations", remedy);
  if (words[2] != fmt::format("{:08x}", checksum_of(model)))
    in.fail("the coefficients of this checkpoint have been changed or damaged", remedy);
}

/// The statuses of runs that leave a model.
std::string read_status(ModelLines& in) {
  return read_one_of(in, "status",
                     std::array{to_string(Status::converged), to_string(Status::iteration_limit),
                                to_string(Status::time_limit), to_string(Status::stopped_by_observer),
                                to_string(Status::precision_limit), to_string(Status::not_strongly_convex)});
}

/// Throws for a loss of another task than that of the model.
void require_task(ModelLines& in, const LinearModel& model) {
  const LossInfo* const loss = find_loss(model.risk.loss);
  const bool labels = model.is_classifier();
  if (!loss || (loss->task == Task::classification) == labels) return;
  in.fail(fmt::format("the loss {} is for {}, the model {}", model.risk.loss,
                      labels ? "targets and not for classes" : "classes", labels ? "has labels" : "has none"),
          "train the model again");
}

void read_loss(ModelLines& in, Risk& risk) {
  risk.loss = in.value_of("loss");
  const LossInfo* const loss = find_loss(risk.loss);
  risk.loss_parameter = in.number_of("loss_parameter");
  if (!loss || (loss->parameter ? loss->parameter->allows(risk.loss_parameter) : risk.loss_parameter == 0)) return;
  in.fail(fmt::format("the loss_parameter is {}, which the loss {} does not allow", risk.loss_parameter, risk.loss),
          "train the model again");
}

/// A model without a status claims nothing.
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
  read_label_counts(in, model);
  require_task(in, model);
  if (part.solver != solver_for(model)) fail_contradiction(in, "loss");
  read_bias_mode(in, model.risk);
  model.zero_based = read_zero_based(in);
  model.method = read_method(in);
  if (in.next_is(checkpoint_key)) read_checkpoint(in, model);
  model.status = read_status(in);
  if (model.status.empty()) {
    require_no_claim(in, "value", "inf");
    require_no_claim(in, "lower_bound", "-inf");
  } else {
    model.value = in.number_of("value");
    model.lower_bound = read_lower_bound(in);
  }
  if (!in.value_of(last_word).empty()) in.fail("text after 'end'", "train the model again");
  if (const LossInfo* const loss = find_loss(model.risk.loss); loss && loss->joint && model.labels) {
    if (!has_halves(model))
      in.fail("a coefficient is half of a weight, and half of such a small weight is not a double", "write 0 instead");
    model = in_two_columns(std::move(model));
  }
}

/// The start of the certificate behind a model; the end of the text if there is none. The text
/// before `known` has been searched.
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
    in.fail(fmt::format("the format {} is not supported", shown(line)), "train the model again");
  }
  const std::string_view kind = kind_of_file(line);
  in.fail(kind.empty() ? fmt::format("not a geodescent model, starts with {}", shown(line))
                       : fmt::format("not a geodescent model, this looks like {}", kind),
          "give a file written by 'geodescent train' or liblinear-train");
}

}  // namespace

void write_model_parts(const LinearModel& model, OutputFile& file) {
  assert(is_one_line(model.risk.loss) && is_one_line(model.method) && is_one_line(model.status));
  if (model.outputs() == 2) return write_model_parts(in_one_column(model), file);
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
  if (!part.model.has_section) part.model.solver = part.solver;
  if (!in.at_end()) {
    in.next();
    in.fail("text after the model", "the number of features may be wrong: train the model again");
  }
  return std::move(part.model);
}

std::string read_model_text(TextSource& source, std::string& certificate, std::string text) {
  for (std::size_t known = 0;;) {
    // A file that is not a model is not read to its end, which may never come.
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
