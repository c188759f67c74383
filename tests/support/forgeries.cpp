#include "support/forgeries.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "certificate/fingerprint/sha256.hpp"
#include "geodescent/error.hpp"

namespace geodescent::testing {
namespace {

constexpr std::string_view certificate_start = "geodescent-certificate ";
constexpr std::string_view dual_start = "\ndual\n";

/// Updates the checksum of the certificate in the text.
std::string signed_anew(std::string text) {
  const std::size_t start = text.find(certificate_start), end = text.rfind("\nend ");
  if (start == text.npos) return text;  // no longer a certificate
  text.resize(end + 1);
  Sha256 hash;
  hash.update(std::string_view(text).substr(start));
  return text + "end sha256:" + hash.hex_digest() + "\n";
}

/// Replacements for a word: nearby and distant numbers, and words that are not numbers.
std::vector<std::string> instead_of(const std::string& word) {
  std::vector<std::string> words{"",         "0",        "-1",        "1",        "3",
                                 "1e308",    "-inf",     "inf",       "nan",      "x",
                                 word + "0", "-" + word, "converged", "logistic", "squared-hinge",
                                 "huber",    "free",     "none",      "L2R_LR",   "softmax"};
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size()) return words;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double near : {std::nextafter(number, infinity), std::nextafter(number, -infinity), number * (1 + 1e-9),
                            number * (1 - 1e-9), number / 2, number * 2, number + 1, number - 1})
    words.push_back(fmt::format("{}", near));
  return words;
}

}  // namespace

std::vector<Forgery> forgeries(const std::string& text) {
  std::vector<Forgery> all;
  const std::size_t readable = text.find(dual_start) + 1;
  for (std::size_t begin = 0; begin < readable;) {
    const std::size_t end = text.find('\n', begin);
    for (std::size_t from = begin; from < end;) {
      const std::size_t to = std::min(end, text.find(' ', from));
      const std::string word = text.substr(from, to - from);
      for (const std::string& other : instead_of(word))
        if (other != word)
          all.push_back({signed_anew(text.substr(0, from) + other + text.substr(to)),
                         fmt::format("'{}': {} instead of {}", text.substr(begin, end - begin), other, word)});
      from = to + 1;
    }
    begin = end + 1;
  }
  return all;
}

Dataset with_class_weights(Dataset data, const std::vector<ClassWeight>& of_classes) {
  if (of_classes.empty()) return data;
  if (data.weights.empty()) data.weights.assign(data.targets.size(), 1);
  for (const ClassWeight& one : of_classes) {
    const auto of_class = std::ranges::count(data.targets, one.label);
    if (of_class == 0 || one.weight == 0) throw InputError("no rows of the class");
    for (std::size_t i = 0; i < data.weights.size(); ++i)
      if (data.targets[i] == one.label) data.weights[i] *= one.weight;
  }
  data.class_weights = of_classes;
  return data;
}

}  // namespace geodescent::testing
