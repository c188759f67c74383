#include "fetch/checksums.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "certificate/fingerprint/sha256.hpp"
#include "data/io/text_source.hpp"
#include "files/output_file.hpp"

namespace geodescent::cli {
namespace {

constexpr std::size_t digits = 64;
constexpr std::string_view separator = "  ";

bool is_of(std::string_view line, std::string_view file_name) {
  return line.size() == digits + separator.size() + file_name.size() && line.ends_with(file_name);
}

}  // namespace

Checksums::Checksums(const std::string& folder) : path_((std::filesystem::path(folder) / "SHA256SUMS").string()) {}

std::optional<std::string> Checksums::recorded_for(const std::string& file_name) const {
  std::ifstream in(path_);
  for (std::string line; std::getline(in, line);) {
    if (is_of(line, file_name)) return line.substr(0, digits);
  }
  return std::nullopt;
}

void Checksums::record(const std::string& file_name, const std::string& checksum) const {
  std::ifstream in(path_);
  OutputFile out(path_);
  for (std::string line; std::getline(in, line);) {
    if (!is_of(line, file_name)) out.write(line + '\n');
  }
  out.write(fmt::format("{}{}{}\n", checksum, separator, file_name));
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
