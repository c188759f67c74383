#include "certificate/certificate_header.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "certificate/proof/dual_steps.hpp"
#include "data/text/file_kind.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "learn/model_file/model_file.hpp"

namespace geodescent {
namespace {

constexpr std::string_view early_version = "1";                ///< with another fingerprint of the data
constexpr std::uint64_t most_values = std::uint64_t{1} << 48;  ///< times 8 bytes: far from any overflow
constexpr std::uint64_t most_classes = std::uint64_t{1} << 16;
constexpr std::uint64_t most_features = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_bytes_of_value = 8;
constexpr std::size_t longest_fixed_part = 4096;  ///< class weights are at most most_class_weights pairs of 48 bytes
constexpr std::size_t longest_class_line = 128;
constexpr std::string_view class_weights_key = "class_weights";

constexpr std::string_view bytes_key(bool several_classes) {
  return several_classes ? "bytes_per_value" : "bytes_per_row";
}

/// A line, or an empty text if there is nothing to state.
std::string class_weights_line(std::span<const ClassWeight> all) {
  if (all.empty()) return {};
  std::string line{class_weights_key};
  for (const ClassWeight& one : all) line += fmt::format(" {} {}", one.label, one.weight);
  return line + '\n';
}

/// Reads the header line by line and knows the number of the line.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  std::string_view line() {
    ++line_;
    const std::size_t end = text_.substr(0, longest_header(text_)).find('\n', position_);
    if (end == std::string_view::npos)
      fail("the header has no end", fmt::format("the file may be cut off: {}", certificate_remedy));
    const std::string_view result = text_.substr(position_, end - position_);
    position_ = end + 1;
    return result;
  }

  std::string_view value_of(std::string_view key) {
    const std::string_view text = line();
    if (text.substr(0, key.size()) != key || text.size() <= key.size() || text[key.size()] != ' ') {
      fail(fmt::format("expected the line '{} ...', found {}", key, shown(text)));
    }
    return text.substr(key.size() + 1);
  }

  /// The next line has this key. Reads nothing.
  bool next_is(std::string_view key) const {
    const std::string_view rest = text_.substr(std::min(position_, text_.size()));
    return rest.starts_with(key) && rest.substr(key.size()).starts_with(' ');
  }

  double number_of(std::string_view key, double least, bool infinite = false) {
    return number_in(value_of(key), key, least, infinite);
  }

  double number_in(std::string_view text, std::string_view key, double least, bool infinite = false) const {
    double value = 0;
    const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc::invalid_argument || result.ptr != text.data() + text.size()) {
      fail(fmt::format("{} is not a number", shown(text)));
    }
    const bool endless = infinite && text == "inf";
    if (!std::isfinite(value) && !endless) fail(fmt::format("{} is not finite", shown(text)));
    if (!(value >= least)) fail(fmt::format("the {} is {}, less than {}", key, shown(text), least));
    return value;
  }

  std::uint64_t count_of(std::string_view key, std::uint64_t least, std::uint64_t most) {
    return count_in(value_of(key), key, least, most);
  }

  std::uint64_t count_in(std::string_view text, std::string_view key, std::uint64_t least, std::uint64_t most) const {
    const bool digits = !text.empty() && text.size() <= 19 &&
                        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) fail(fmt::format("{} is not a whole number", shown(text)));
    std::uint64_t value = 0;
    for (const char c : text) value = 10 * value + static_cast<std::uint64_t>(c - '0');
    if (value < least || value > most) fail(fmt::format("{} {}; it must be from {} to {}", key, value, least, most));
    return value;
  }

  int exponent_in(std::string_view text) const {
    int value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = result.ec == std::errc{} && result.ptr == text.data() + text.size();
    if (!number || value < proof::least_exponent || value > proof::largest_exponent) {
      fail(fmt::format("the exponent is {}; it must be from {} to {}", shown(text), proof::least_exponent,
                       proof::largest_exponent));
    }
    return value;
  }

  std::size_t position() const { return position_; }

  [[noreturn]] void fail(const std::string& reason, const std::string& what_to_do = certificate_remedy) const {
    throw InputError(fmt::format("{}:{}: {}; {}", name_, line_, reason, what_to_do));
  }

  static std::string shown(std::string_view text) {
    constexpr std::size_t longest = 32;
    std::string result = "'";
    for (const char c : text.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
    return result + (text.size() > longest ? "...'" : "'");
  }

 private:
  std::string_view text_;
  const std::string& name_;
  std::size_t position_ = 0;
  std::uint64_t line_ = 0;
};

/// Whether it is for several classes.
bool read_first_line(HeaderReader& in) {
  const std::string_view first = in.line();
  if (first.substr(0, certificate_first_word.size()) != certificate_first_word) {
    const std::string_view kind = kind_of_file(first);
    in.fail(kind.empty() ? fmt::format("not a geodescent certificate, starts with {}", HeaderReader::shown(first))
                         : fmt::format("not a geodescent certificate, this looks like {}", kind),
            "give a file written by 'geodescent train'");
  }
  if (first.ends_with('\r'))
    in.fail("the lines end with CRLF: a transfer as text has changed the file", "copy it again, as binary");
  const std::string_view version = first.substr(std::min(first.size(), certificate_first_word.size() + 1));
  if (version == certificate_version) return false;
  if (version == certificate_version_of_classes) return true;
  if (version == early_version) {
    in.fail("certificate version 1 is not supported",
            "train again, or judge the coefficients alone with --ignore-certificate");
  }
  in.fail(fmt::format("certificate version {}, but this program supports the versions {} and {}",
                      HeaderReader::shown(version), certificate_version, certificate_version_of_classes),
          "use the version of geodescent that wrote it");
}

Bias read_bias(HeaderReader& in) {
  const std::string_view text = in.value_of("bias");
  for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
    if (text == to_string(bias)) return bias;
  }
  in.fail(fmt::format("unknown bias {}", HeaderReader::shown(text)));
}

Risk read_risk(HeaderReader& in, bool several_classes) {
  Risk risk;
  risk.loss = in.value_of("loss");
  const LossInfo* const loss = find_loss(risk.loss);
  if (!loss) in.fail(fmt::format("unknown loss {}", HeaderReader::shown(risk.loss)));
  if (several_classes ? loss->task != Task::classification : loss->joint)
    in.fail(fmt::format("a certificate of version {} is not for the loss {}",
                        several_classes ? certificate_version_of_classes : certificate_version, risk.loss));
  risk.loss_parameter = in.number_of("loss_parameter", 0);
  if (!(loss->parameter ? loss->parameter->allows(risk.loss_parameter) : risk.loss_parameter == 0))
    in.fail(fmt::format("the loss_parameter is {}, which the loss {} does not allow", risk.loss_parameter, risk.loss));
  risk.l2 = in.number_of("l2", std::numeric_limits<double>::denorm_min());
  risk.bias = read_bias(in);
  risk.constant = in.number_of("constant", std::numeric_limits<double>::denorm_min());
  return risk;
}

/// Pairs of a label and a weight; the labels increase.
std::vector<ClassWeight> read_class_weights(HeaderReader& in) {
  std::vector<ClassWeight> all;
  if (!in.next_is(class_weights_key)) return all;
  std::string_view rest = in.value_of(class_weights_key);
  const auto next = [&] {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    return word;
  };
  const bool ends_with_blank = rest.ends_with(' ');
  while (!rest.empty()) {
    ClassWeight one;
    one.label = in.number_in(next(), "label", -std::numeric_limits<double>::max());
    one.weight = in.number_in(next(), "class weight", 0);
    if (!all.empty() && !(one.label > all.back().label))
      in.fail(fmt::format("the label {} follows {}; labels increase", one.label, all.back().label));
    all.push_back(one);
  }
  if (all.empty() || ends_with_blank || all.size() > most_class_weights)
    in.fail(fmt::format("{} must be 1 to {} pairs of a label and a weight", class_weights_key, most_class_weights));
  return all;
}

std::string read_fingerprint(HeaderReader& in) {
  const std::string_view text = in.value_of("data");
  const std::string_view digits = text.substr(std::min(text.size(), hash_prefix.size()));
  const bool hexadecimal = std::all_of(digits.begin(), digits.end(),
                                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  if (text.substr(0, hash_prefix.size()) != hash_prefix || digits.size() != hash_digits || !hexadecimal) {
    in.fail(fmt::format("{} is not a fingerprint", HeaderReader::shown(text)));
  }
  return std::string(text);
}

/// The claim about one class against the rest: three numbers, the exponent and the bytes of its
/// dual values.
Claim read_claim(HeaderReader& in, std::size_t& bytes) {
  std::string_view rest = in.value_of("class");
  const auto next = [&] {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    return word;
  };
  const bool ends_with_blank = rest.ends_with(' ');
  Claim claim;
  claim.value = in.number_in(next(), "value", 0);
  claim.lower_bound = in.number_in(next(), "lower_bound", 0);
  claim.relative_gap = in.number_in(next(), "relative_gap", 0, true);
  claim.dual.exponent = in.exponent_in(next());
  bytes = in.count_in(next(), "bytes", 1, most_bytes_of_value);
  if (!rest.empty() || ends_with_blank) in.fail("text after the numbers of a class");
  return claim;
}

template <class C>
auto points_of(C& certificate) {
  std::vector<decltype(&certificate.dual)> points;
  for (auto& claim : certificate.claims) points.push_back(&claim.dual);
  if (points.empty()) points.push_back(&certificate.dual);
  return points;
}

}  // namespace

std::vector<const DualPoint*> dual_points(const Certificate& certificate) { return points_of(certificate); }
std::vector<DualPoint*> dual_points(Certificate& certificate) { return points_of(certificate); }

std::uint64_t dual_values(const Certificate& certificate) {
  return std::uint64_t{certificate.rows} * (is_joint(certificate.risk.loss) ? certificate.classes : 1);
}

std::uint64_t CertificateHeader::dual_size() const {
  std::uint64_t size = 0;
  for (const std::size_t of_value : bytes) size += dual_values(certificate) * of_value;
  return size;
}

std::size_t longest_header(std::string_view beginning) {
  const std::string first_line = fmt::format("{} {}\n", certificate_first_word, certificate_version_of_classes);
  if (!beginning.starts_with(first_line)) return longest_fixed_part;
  beginning = beginning.substr(0, longest_fixed_part);
  constexpr std::string_view line = "\nclasses ";
  const std::size_t found = beginning.find(line);
  if (found == std::string_view::npos) return longest_fixed_part;
  std::uint64_t classes = 0;
  const std::string_view digits = beginning.substr(found + line.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), classes);
  return longest_fixed_part + longest_class_line * std::min(classes, most_classes);
}

std::string header_text(const Certificate& c, const std::vector<std::size_t>& bytes) {
  assert(c.risk.loss.find('\n') == std::string::npos);
  const bool classes = c.classes > 0;
  std::string text =
      fmt::format("{} {}\nloss {}\nloss_parameter {}\nl2 {}\nbias {}\nconstant {}\n{}", certificate_first_word,
                  classes ? certificate_version_of_classes : certificate_version, c.risk.loss, c.risk.loss_parameter,
                  c.risk.l2, to_string(c.risk.bias), c.risk.constant, class_weights_line(c.class_weights));
  if (classes) text += fmt::format("classes {}\n", c.classes);
  text += fmt::format("rows {}\ntotal_weight {}\nfeatures {}\ndata {}\nvalue {}\nlower_bound {}\nrelative_gap {}\n",
                      c.rows, c.total_weight, c.features, c.fingerprint, c.value, c.lower_bound, c.relative_gap);
  for (std::size_t k = 0; k < c.claims.size(); ++k) {
    const Claim& one = c.claims[k];
    text += fmt::format("class {} {} {} {} {}\n", one.value, one.lower_bound, one.relative_gap, one.dual.exponent,
                        bytes[k]);
  }
  if (c.claims.empty()) text += fmt::format("exponent {}\n{} {}\n", c.dual.exponent, bytes_key(classes), bytes.front());
  return text + "dual\n";
}

CertificateHeader read_header(std::string_view text, const std::string& name) {
  HeaderReader in(text, name);
  const bool several_classes = read_first_line(in);
  CertificateHeader header;
  Certificate& c = header.certificate;
  c.risk = read_risk(in, several_classes);
  c.class_weights = read_class_weights(in);
  if (several_classes) c.classes = in.count_of("classes", is_joint(c.risk.loss) ? 2 : 3, most_classes);
  c.rows = in.count_of("rows", 1, several_classes ? most_values / c.classes : most_values);
  c.total_weight = in.number_of("total_weight", 0);
  c.features = in.count_of("features", 0, most_features);
  c.fingerprint = read_fingerprint(in);
  c.value = in.number_of("value", 0);
  c.lower_bound = in.number_of("lower_bound", 0);
  c.relative_gap = in.number_of("relative_gap", 0, true);
  if (several_classes && !is_joint(c.risk.loss)) {
    for (std::size_t k = 0; k < c.classes; ++k) c.claims.push_back(read_claim(in, header.bytes.emplace_back()));
  } else {
    c.dual.exponent = in.exponent_in(in.value_of("exponent"));
    header.bytes.push_back(in.count_of(bytes_key(several_classes), 1, most_bytes_of_value));
  }
  if (in.line() != "dual") in.fail("expected the line 'dual'");
  header.end = in.position();
  return header;
}

}  // namespace geodescent
