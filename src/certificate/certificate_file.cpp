// The certificate, in a file of its own or behind its model: lines of text, then the dual point as binary numbers, then
// a checksum of all of it.
#include <fast_float/fast_float.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "certificate/fingerprint/sha256.hpp"
#include "certificate/proof/prove.hpp"
#include "data/text/file_kind.hpp"
#include "files/output_file.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/error.hpp"
#include "learn/model_file/liblinear_model.hpp"
#include "learn/model_file/model_file.hpp"

namespace geodescent {
namespace {

constexpr std::string_view early_version = "1";  ///< with another fingerprint of the data
constexpr std::string_view hash_prefix = "sha256:";
constexpr std::size_t hash_digits = 64;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 48;  ///< times 8 bytes: far from any overflow
constexpr std::uint64_t most_features = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t longest_header = 4096;  ///< class weights are at most most_class_weights pairs of 48 bytes
constexpr std::string_view class_weights_key = "class_weights";
constexpr const char* remedy = "copy it again or make it anew";

std::string hash_of(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return fmt::format("{}{}", hash_prefix, hash.hex_digest());
}

/// Between the dual point and the end of the file.
constexpr std::string_view before_hash = "\nend ";
constexpr std::size_t trailer_size = before_hash.size() + hash_prefix.size() + hash_digits + 1;

// Writing ------------------------------------------------------------------------------------------------------------

int bytes_needed(std::span<const std::int64_t> steps) {
  std::uint64_t used = 0;  // the bits of all of them that differ from the sign
  for (const std::int64_t step : steps) used |= static_cast<std::uint64_t>(step ^ (step >> 63));
  return 1 + static_cast<int>(std::bit_width(used)) / 8;  // one bit more, for the sign
}

/// A line, or nothing where there is nothing to state.
std::string class_weights_line(std::span<const ClassWeight> all) {
  if (all.empty()) return {};
  std::string line{class_weights_key};
  for (const ClassWeight& one : all) line += fmt::format(" {} {}", one.label, one.weight);
  return line + '\n';
}

std::string header_of(const Certificate& c, int bytes) {
  assert(c.risk.loss.find('\n') == std::string::npos);
  return fmt::format(
      "{} {}\nloss {}\nloss_parameter {}\nl2 {}\nbias {}\nconstant {}\n{}rows {}\ntotal_weight {}\nfeatures {}\ndata "
      "{}\nvalue {}\n"
      "lower_bound {}\nrelative_gap {}\nexponent {}\nbytes_per_row {}\ndual\n",
      certificate_first_word, certificate_version, c.risk.loss, c.risk.loss_parameter, c.risk.l2,
      to_string(c.risk.bias), c.risk.constant, class_weights_line(c.class_weights), c.rows, c.total_weight, c.features,
      c.fingerprint, c.value, c.lower_bound, c.relative_gap, c.dual.exponent, bytes);
}

/// Two's complement, the lowest byte first. In pieces, as memory for all of it takes longer than filling it.
template <class Put>
void put_dual(std::span<const std::int64_t> steps, std::size_t bytes, const Put& put) {
  constexpr std::size_t rows_of_piece = 4096;
  std::string piece(rows_of_piece * bytes + sizeof(std::int64_t), '\0');
  while (!steps.empty()) {
    const auto now = steps.first(std::min(steps.size(), rows_of_piece));
    char* out = piece.data();
    for (const std::int64_t step : now) {
      // All eight, which is one instruction; the next ones replace those that are too many.
      for (std::size_t k = 0; k < sizeof step; ++k)
        out[k] = static_cast<char>(static_cast<std::uint64_t>(step) >> (8 * k));
      out += bytes;
    }
    put(std::string_view(piece.data(), now.size() * bytes));
    steps = steps.subspan(now.size());
  }
}

// Reading ------------------------------------------------------------------------------------------------------------

/// Walks through the lines of the header and knows where it is.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  std::string_view line() {
    ++line_;
    const std::size_t end = text_.substr(0, longest_header).find('\n', position_);
    if (end == std::string_view::npos)
      fail("the header has no end", fmt::format("the file may be cut off: {}", remedy));
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
      fail(fmt::format("{} is no number", shown(text)));
    }
    const bool endless = infinite && text == "inf";
    if (!std::isfinite(value) && !endless) fail(fmt::format("{} is not finite", shown(text)));
    if (!(value >= least)) fail(fmt::format("the {} is {}, less than {}", key, shown(text), least));
    return value;
  }

  std::uint64_t count_of(std::string_view key, std::uint64_t least, std::uint64_t most) {
    const std::string_view text = value_of(key);
    const bool digits = !text.empty() && text.size() <= 19 &&
                        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) fail(fmt::format("{} is no whole number", shown(text)));
    std::uint64_t value = 0;
    for (const char c : text) value = 10 * value + static_cast<std::uint64_t>(c - '0');
    if (value < least || value > most) fail(fmt::format("{} {}; it must be from {} to {}", key, value, least, most));
    return value;
  }

  int exponent() {
    const std::string_view text = value_of("exponent");
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

  [[noreturn]] void fail(const std::string& reason, const std::string& what_to_do = remedy) const {
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

void read_first_line(HeaderReader& in) {
  const std::string_view first = in.line();
  if (first.substr(0, certificate_first_word.size()) != certificate_first_word) {
    const std::string_view kind = kind_of_file(first);
    in.fail(kind.empty() ? fmt::format("not a geodescent certificate, starts with {}", HeaderReader::shown(first))
                         : fmt::format("not a geodescent certificate, this looks like {}", kind),
            "give a file written by 'geodescent train'");
  }
  const std::string_view version = first.substr(std::min(first.size(), certificate_first_word.size() + 1));
  if (version == certificate_version) return;
  if (version == early_version) {
    in.fail("certificate version '1' is of an early geodescent and no longer read",
            "train again, or verify with --loss");
  }
  in.fail(fmt::format("certificate version {}, but this program knows version {}", HeaderReader::shown(version),
                      certificate_version),
          "use the geodescent that wrote it");
}

Bias read_bias(HeaderReader& in) {
  const std::string_view text = in.value_of("bias");
  for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
    if (text == to_string(bias)) return bias;
  }
  in.fail(fmt::format("unknown bias {}", HeaderReader::shown(text)));
}

Risk read_risk(HeaderReader& in) {
  Risk risk;
  risk.loss = in.value_of("loss");
  if (!proof::is_provable(risk.loss)) in.fail(fmt::format("unknown loss {}", HeaderReader::shown(risk.loss)));
  risk.loss_parameter = in.number_of("loss_parameter", 0);
  if (!proof::allows_parameter(risk.loss, risk.loss_parameter))
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
    in.fail(fmt::format("{} is no fingerprint", HeaderReader::shown(text)));
  }
  return std::string(text);
}

/// All but the dual values, and where those are.
struct Header {
  Certificate certificate;
  std::size_t dual_begin = 0;
  std::size_t bytes_per_row = 0;

  std::uint64_t dual_size() const { return std::uint64_t{certificate.rows} * bytes_per_row; }
  std::uint64_t file_size() const { return dual_begin + dual_size() + trailer_size; }
};

Header read_header(std::string_view bytes, const std::string& name) {
  HeaderReader in(bytes, name);
  read_first_line(in);
  Header header;
  Certificate& c = header.certificate;
  c.risk = read_risk(in);
  c.class_weights = read_class_weights(in);
  c.rows = in.count_of("rows", 1, most_rows);
  c.total_weight = in.number_of("total_weight", 0);
  c.features = in.count_of("features", 0, most_features);
  c.fingerprint = read_fingerprint(in);
  c.value = in.number_of("value", 0);
  c.lower_bound = in.number_of("lower_bound", 0);
  c.relative_gap = in.number_of("relative_gap", 0, true);
  c.dual.exponent = in.exponent();
  header.bytes_per_row = in.count_of("bytes_per_row", 1, 8);
  if (in.line() != "dual") in.fail("expected the line 'dual'");
  header.dual_begin = in.position();
  return header;
}

/// Two's complement, the lowest byte first.
std::int64_t step_at(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < bytes.size(); ++k)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[k])} << (8 * k);
  const int unused = 64 - 8 * static_cast<int>(bytes.size());
  return static_cast<std::int64_t>(value << unused) >> unused;
}

void check_trailer(std::string_view bytes, const Header& header, const std::string& name) {
  if (bytes.size() != header.file_size()) {
    throw InputError(
        fmt::format("{}: {} bytes, but its header announces {}; {}", name, bytes.size(), header.file_size(), remedy));
  }
  const std::string_view all_before = bytes.substr(0, bytes.size() - trailer_size + 1);
  const std::string_view trailer = bytes.substr(all_before.size() - 1);
  if (trailer != fmt::format("{}{}\n", before_hash, hash_of(all_before))) {
    throw InputError(fmt::format("{}: its bytes do not match its checksum: it has been changed; {}", name, remedy));
  }
}

void put_certificate(const Certificate& certificate, OutputFile& file) {
  assert(certificate.dual.steps.size() == certificate.rows);
  const int bytes = bytes_needed(certificate.dual.steps);
  Sha256 hash;
  const auto put = [&](std::string_view piece) {
    hash.update(piece);
    file.write(piece);
  };
  put(header_of(certificate, bytes));
  put_dual(certificate.dual.steps, static_cast<std::size_t>(bytes), put);
  put("\n");
  file.write(fmt::format("end {}{}\n", hash_prefix, hash.hex_digest()));
}

/// How errors call the certificate behind a model: lines are counted from its own first one.
std::string behind(const std::string& model) { return model + " (certificate)"; }

/// The certificate that begins with these bytes; the rest comes from the source.
Certificate read_on(std::string bytes, TextSource& source, const std::string& name) {
  std::uint64_t most = longest_header;  // as long as the header has not said more; what is no certificate may never end
  for (;;) {
    if (most == longest_header && bytes.size() >= longest_header) most = read_header(bytes, name).file_size();
    if (bytes.size() > most) break;
    const std::string_view piece = source.read();
    if (piece.empty()) break;
    bytes.append(piece);
  }
  return parse_certificate(bytes, name);
}

}  // namespace

void write_certificate(const Certificate& certificate, const std::string& path) {
  OutputFile file(path);
  put_certificate(certificate, file);
  file.commit();
}

void write_model(const LinearModel& model, const Certificate& certificate, const std::string& path) {
  OutputFile file(path);
  write_model_parts(model, file);
  put_certificate(certificate, file);
  file.commit();
}

Certificate parse_certificate(std::string_view bytes, const std::string& name) {
  Header header = read_header(bytes, name);
  check_trailer(bytes, header, name);
  // Nothing is allocated before: the file has shown that it has this many rows.
  std::vector<std::int64_t>& steps = header.certificate.dual.steps;
  steps.resize(header.certificate.rows);
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i] = step_at(bytes.substr(header.dual_begin + i * header.bytes_per_row, header.bytes_per_row));
  return std::move(header.certificate);
}

CertifiedModel read_certified_model(const std::string& path) {
  TextSource source(path);
  std::string certificate;
  CertifiedModel found{parse_model(read_model_text(source, certificate), source.name()), {}};
  if (!certificate.empty()) found.certificate = read_on(std::move(certificate), source, behind(source.name()));
  return found;
}

Certificate read_certificate(const std::string& path) {
  TextSource source(path);
  std::string bytes, certificate;
  for (std::string_view piece = source.read(); !piece.empty(); piece = source.read()) {
    bytes.append(piece);
    if (bytes.size() >= liblinear_first_word.size()) break;
  }
  if (!bytes.starts_with(liblinear_first_word)) return read_on(std::move(bytes), source, source.name());
  static_cast<void>(read_model_text(source, certificate, std::move(bytes)));
  if (!certificate.empty()) return read_on(std::move(certificate), source, behind(source.name()));
  throw InputError(source.name() + ": a model without a certificate; give one that 'geodescent train' wrote");
}

}  // namespace geodescent
