// Checksums of the files of the data folder at the time of the download.
#pragma once

#include <optional>
#include <string>

namespace geodescent::cli {

/// The file SHA256SUMS of the folder, in the format of sha256sum, which can check it as well. Every
/// call reads it, because another fetch may write it. A line that is not a checksum and a file that
/// cannot be read are InputErrors: without one line, a changed file would count as one that was
/// never fetched.
class Checksums {
 public:
  explicit Checksums(const std::string& folder);

  /// Throws InputError when the file is damaged.
  void check() const;
  /// Empty for files that were not fetched.
  std::optional<std::string> recorded_for(const std::string& file_name) const;
  /// Keeps the lines of other files. The caller must hold the FolderLock.
  void record(const std::string& file_name, const std::string& checksum) const;

 private:
  std::string path_;
};

/// As 64 hexadecimal digits.
std::string sha256_of_file(const std::string& path);

}  // namespace geodescent::cli
