#include "fetch/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "data/io/text_source.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent::cli {
namespace {

/// Decodes the text without keeping it: a small compressed file can contain more than fits the
/// memory, in one line.
bool text_exceeds(std::uint64_t most, const std::string& path) {
  TextSource source(path);
  std::uint64_t size = 0;
  for (std::string_view piece = source.read(); !piece.empty(); piece = source.read()) {
    size += piece.size();
    if (size > most) return true;
  }
  return false;
}

Counts counts_of(const LibsvmData& data, const lab::CatalogueEntry& set) {
  const auto count = [&](double label) -> lab::LabelCount {
    const auto rows = std::count(data.targets.begin(), data.targets.end(), label);
    return {label, static_cast<std::size_t>(rows)};
  };
  return {data.rows.rows(), data.rows.columns(), data.rows.nonzeros(), count(set.smaller_label.label),
          count(set.larger_label.label)};
}

/// Names a web page; for everything else uses the words of the reader.
std::string reason_not_data(const std::string& path, const std::string& words_of_the_reader) {
  std::ifstream in(path, std::ios::binary);
  char first = 0;
  if (in >> first && first == '<') return "a web page instead of data";
  return fmt::format("no LIBSVM data ({})", words_of_the_reader);
}

}  // namespace

Counts expected_counts(const lab::CatalogueEntry& set) {
  return {set.rows, set.features, set.nonzeros, set.smaller_label, set.larger_label};
}

std::uint64_t most_bytes(const lab::CatalogueEntry& set) {
  // An index, a number with 17 digits, a colon and a blank take at most 36 bytes; a label and its
  // line end take less. The rest is for copies with other counts than those of the catalogue.
  constexpr std::uint64_t bytes_each = 64, comments = 1'000'000;
  return comments + bytes_each * (set.rows + set.nonzeros);
}

Counts counts_in(const std::string& path, const lab::CatalogueEntry& set) {
  const std::uint64_t most = most_bytes(set);
  try {
    if (!text_exceeds(most, path)) return counts_of(read_libsvm(path), set);
  } catch (const ReadError&) {
    throw;
  } catch (const InputError& error) {
    throw NotData(reason_not_data(path, error.what()));
  }
  throw NotData(fmt::format("more than {} bytes of text, too many for {}", most, set.name));
}

std::string text_of(const Counts& c) {
  return fmt::format("{} rows ({} of label {}, {} of label {}), {} features, {} nonzeros", c.rows, c.smaller_label.rows,
                     c.smaller_label.label, c.larger_label.rows, c.larger_label.label, c.features, c.nonzeros);
}

}  // namespace geodescent::cli
