// The model file: a line with format and version, one `key value` line for each field in a fixed order, then the
// weights, one a line. Numbers are the shortest that read back to the same bits. The reader takes nothing else.
#include "geodescent/model.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <fmt/format.h>

#include "data/text_source.hpp"
#include "geodescent/error.hpp"
#include "geodescent/output_file.hpp"

namespace geodescent {
namespace {

constexpr std::string_view format_name = "geodescent-model";
constexpr std::string_view known_version = "1";
constexpr std::uint64_t most_features = std::numeric_limits<std::uint32_t>::max();

[[maybe_unused]] bool is_one_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

std::string labels_text(const std::optional<BinaryLabels>& labels) {
  if (!labels) return "regression";
  return fmt::format("{} {} {} {}", labels->negative, labels->positive, labels->negatives, labels->positives);
}

/// Walks through the lines of a model and knows where it is.
class ModelReader {
 public:
  ModelReader(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  bool at_end() const { return rest_.empty(); }

  std::string_view line() {
    ++line_;
    if (rest_.empty()) fail("the file ends too early", "it may be cut off: copy it again or train the model again");
    const std::size_t newline = rest_.find('\n');
    // The last line, too, is written with its newline: without it a number could have lost digits.
    if (newline == std::string_view::npos) {
      fail("the last line has no end", "the file may be cut off: copy it again or train the model again");
    }
    std::string_view result = rest_.substr(0, newline);
    rest_.remove_prefix(newline + 1);
    if (!result.empty() && result.back() == '\r') result.remove_suffix(1);
    return result;
  }

  std::string_view value_of(std::string_view key) {
    const std::string_view text = line();
    if (text.substr(0, key.size()) != key || (text.size() > key.size() && text[key.size()] != ' ')) {
      fail(fmt::format("expected the line '{} ...', found {}", key, shown(text)), "train the model again");
    }
    return text.size() > key.size() ? text.substr(key.size() + 1) : std::string_view{};
  }

  double number_of(std::string_view key) { return number(value_of(key)); }

  double number(std::string_view text) const {
    double value = 0;
    const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc::invalid_argument || result.ptr != text.data() + text.size()) {
      fail(fmt::format("{} is no number", shown(text)), "train the model again");
    }
    if (!std::isfinite(value)) fail(fmt::format("{} is not finite", shown(text)), "train the model again");
    return value;
  }

  std::uint64_t count(std::string_view text) const {
    std::uint64_t value = 0;
    const bool digits = !text.empty() && text.size() <= 19 &&
                        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) fail(fmt::format("{} is no whole number", shown(text)), "train the model again");
    for (const char c : text) value = 10 * value + static_cast<std::uint64_t>(c - '0');
    return value;
  }

  [[noreturn]] void fail(const std::string& reason, const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}: {}; {}", name_, line_, reason, remedy));
  }

  /// A piece of the file for a message: short and printable.
  static std::string shown(std::string_view text) {
    constexpr std::size_t longest = 32;
    std::string result = "'";
    for (const char c : text.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
    return result + (text.size() > longest ? "...'" : "'");
  }

 private:
  std::string_view rest_;
  const std::string& name_;
  std::uint64_t line_ = 0;
};

void read_header(ModelReader& in) {
  const std::string_view header = in.line();
  if (header.substr(0, format_name.size()) != format_name) {
    in.fail(fmt::format("not a geodescent model, starts with {}", ModelReader::shown(header)),
            "give a file written by 'geodescent train'");
  }
  const std::string_view version = header.substr(std::min(header.size(), format_name.size() + 1));
  if (version != known_version) {
    in.fail(
        fmt::format("model version {}, but this program knows version {}", ModelReader::shown(version), known_version),
        "use the geodescent that wrote it or train the model again");
  }
}

std::optional<BinaryLabels> read_labels(ModelReader& in) {
  std::string_view text = in.value_of("labels");
  if (text == "regression") return std::nullopt;
  std::vector<std::string_view> words;
  for (std::size_t blank = text.find(' '); blank != std::string_view::npos; blank = text.find(' ')) {
    words.push_back(text.substr(0, blank));
    text.remove_prefix(blank + 1);
  }
  words.push_back(text);
  if (words.size() != 4) {
    in.fail(fmt::format("{} items for labels", words.size()), "write 'labels regression' or two labels and two counts");
  }
  BinaryLabels labels;
  labels.negative = in.number(words[0]);
  labels.positive = in.number(words[1]);
  labels.negatives = in.count(words[2]);
  labels.positives = in.count(words[3]);
  if (!(labels.negative < labels.positive)) {
    in.fail(fmt::format("label {} is not below label {}", words[0], words[1]),
            "the larger label is the positive class");
  }
  return labels;
}

/// The array grows with the lines that are there: a large `features` alone costs no memory.
Vector read_weights(ModelReader& in, std::uint64_t features) {
  Vector weights;
  while (!in.at_end()) {
    const std::string_view text = in.line();
    if (weights.size() == features) {
      in.fail(fmt::format("more weights than the {} features", features), "train the model again");
    }
    weights.push_back(in.number(text));
  }
  if (weights.size() < features) {
    in.fail(fmt::format("the file ends after {} of {} weights", weights.size(), features),
            "it may be cut off: copy it again or train the model again");
  }
  return weights;
}

double read_lower_bound(ModelReader& in) {
  const std::string_view text = in.value_of("lower_bound");
  return text == "-inf" ? -std::numeric_limits<double>::infinity() : in.number(text);
}

}  // namespace

void write_model(const LinearModel& model, const std::string& path) {
  assert(is_one_line(model.risk.loss) && is_one_line(model.method) && is_one_line(model.status));
  OutputFile file(path);
  file.write(fmt::format("{} {}\n", format_name, known_version));
  file.write(
      fmt::format("loss {}\nloss_parameter {}\nl2 {}\n", model.risk.loss, model.risk.loss_parameter, model.risk.l2));
  file.write(fmt::format("labels {}\n", labels_text(model.labels)));
  file.write(fmt::format("features {}\nindex_base {}\nbias none\n", model.weights.size(), model.zero_based ? 0 : 1));
  file.write(fmt::format("method {}\nstatus {}\n", model.method, model.status));
  file.write(fmt::format("value {}\nlower_bound {}\nweights\n", model.value, model.lower_bound));
  fmt::memory_buffer line;
  for (const double weight : model.weights) {
    assert(std::isfinite(weight));
    line.clear();
    fmt::format_to(std::back_inserter(line), "{}\n", weight);
    file.write({line.data(), line.size()});
  }
  file.commit();
}

LinearModel parse_model(std::string_view text, const std::string& name) {
  ModelReader in(text, name);
  read_header(in);
  LinearModel model;
  model.risk.loss = in.value_of("loss");
  model.risk.loss_parameter = in.number_of("loss_parameter");
  model.risk.l2 = in.number_of("l2");
  model.labels = read_labels(in);
  const std::string_view features_text = in.value_of("features");
  const std::uint64_t features = in.count(features_text);
  if (features > most_features) {
    in.fail(fmt::format("{} features are too many", features_text), fmt::format("at most {}", most_features));
  }
  const std::string_view base = in.value_of("index_base");
  if (base != "0" && base != "1") in.fail(fmt::format("index base {}", ModelReader::shown(base)), "it is 0 or 1");
  model.zero_based = base == "0";
  if (const std::string_view bias = in.value_of("bias"); bias != "none") {
    in.fail(fmt::format("unknown bias {}", ModelReader::shown(bias)), "the only mode of this version is 'none'");
  }
  model.method = in.value_of("method");
  model.status = in.value_of("status");
  model.value = in.number_of("value");
  model.lower_bound = read_lower_bound(in);
  if (!in.value_of("weights").empty()) in.fail("text after 'weights'", "train the model again");
  model.weights = read_weights(in, features);
  return model;
}

LinearModel read_model(const std::string& path) {
  TextSource source(path);
  std::string text;
  for (std::string_view piece = source.read(); !piece.empty(); piece = source.read()) {
    text.append(piece);
    // What is no model is not read to its end: it may have none.
    if (text.size() >= format_name.size() && text.compare(0, format_name.size(), format_name) != 0) {
      text.resize(std::min<std::size_t>(text.size(), text.find('\n')));
      text.push_back('\n');
      break;
    }
  }
  return parse_model(text, source.name());
}

}  // namespace geodescent
