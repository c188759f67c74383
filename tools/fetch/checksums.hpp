// What the files of the data folder were when they were fetched.
#pragma once

#include <optional>
#include <string>

namespace geodescent::cli {

/// The file SHA256SUMS of the folder, in the format of sha256sum, which can check it as well. It is read by every call,
/// since another fetch may write it. A line that is no checksum and a file that cannot be read are InputErrors: with
/// one line ignored, a changed file would pass for one that was never fetched.
class Checksums {
 public:
  explicit Checksums(const std::string& folder);

  /// Throws InputError when the file is damaged.
  void check() const;
  /// Nothing for files that were not fetched.
  std::optional<std::string> recorded_for(const std::string& file_name) const;
  /// Lines of other files stay as they are. Only who holds the FolderLock may call it.
  void record(const std::string& file_name, const std::string& checksum) const;

 private:
  std::string path_;
};

/// As 64 hexadecimal digits.
std::string sha256_of_file(const std::string& path);

}  // namespace geodescent::cli
