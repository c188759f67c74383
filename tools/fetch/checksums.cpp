#include "fetch/checksums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

#include "certificate/fingerprint/sha256.hpp"
#include "data/io/text_source.hpp"
#include "files/output_file.hpp"

namespace geodescent::cli {
namespace {

constexpr std::size_t digits = 64;
constexpr std::size_t separator = 2;  ///< two blanks, or a blank and the asterisk of a binary file

struct Line {
  std::string text;
  std::string checksum;  ///< in lower case; empty for a comment and an empty line
  std::string file_name;
};

bool is_hexadecimal(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// The line as sha256sum reads it; without a checksum if it is damaged.
Line line_of(std::string text) {
  Line line{std::move(text), "", ""};
  std::string_view all = line.text;
  if (all.ends_with('\r')) all.remove_suffix(1);
  if (all.size() <= digits + separator || !is_hexadecimal(all.substr(0, digits))) return line;
  if (all[digits] != ' ' || (all[digits + 1] != ' ' && all[digits + 1] != '*')) return line;
  line.checksum = all.substr(0, digits);
  for (char& c : line.checksum) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  line.file_name = all.substr(digits + separator);
  return line;
}

std::string whole_text(const std::string& path) {
  InputFile file(path);
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  for (std::size_t count = file.read(buffer); count > 0; count = file.read(buffer)) text.append(buffer.data(), count);
  return text;
}

std::vector<Line> lines_in(const std::string& path) {
  std::vector<Line> lines;
  if (!std::filesystem::exists(path)) return lines;
  const std::string text = whole_text(path);
  std::map<std::string, std::string> known;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(line_of(text.substr(begin, end - begin)));
    begin = end + 1;
    const Line& line = lines.back();
    const auto refuse = [&](const std::string& reason) {
      throw InputError(fmt::format("{}:{}: {}; mend the line, or remove it to do without this checksum", path,
                                   lines.size(), reason));
    };
    if (line.checksum.empty() && !line.text.empty() && !line.text.starts_with('#'))
      refuse("not a checksum of 64 hexadecimal digits, two blanks and a file name");
    if (line.checksum.empty()) continue;
    if (const auto [other, fresh] = known.emplace(line.file_name, line.checksum);
        !fresh && other->second != line.checksum)
      refuse(fmt::format("another checksum for {} than in a line before", line.file_name));
  }
  return lines;
}

}  // namespace

Checksums::Checksums(const std::string& folder) : path_((std::filesystem::path(folder) / "SHA256SUMS").string()) {}

void Checksums::check() const { static_cast<void>(lines_in(path_)); }

std::optional<std::string> Checksums::recorded_for(const std::string& file_name) const {
  for (const Line& line : lines_in(path_))
    if (line.file_name == file_name && !line.checksum.empty()) return line.checksum;
  return std::nullopt;
}

void Checksums::record(const std::string& file_name, const std::string& checksum) const {
  const std::vector<Line> lines = lines_in(path_);
  OutputFile out(path_);
  for (const Line& line : lines)
    if (line.file_name != file_name) out.write(line.text + '\n');
  out.write(fmt::format("{}  {}\n", checksum, file_name));
  out.commit();
}

std::string sha256_of_file(const std::string& path) {
  InputFile file(path);
  Sha256 hash;
  std::vector<char> buffer(std::size_t{1} << 18);
  for (std::size_t count = file.read(buffer); count > 0; count = file.read(buffer)) {
    hash.update({buffer.data(), count});
  }
  return hash.hex_digest();
}

}  // namespace geodescent::cli
