// A file mapped into memory. Internal to the library.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace geodescent {

class MappedFile {
 public:
  /// Null if the file cannot be mapped: it is empty, not a regular file, or the system refuses. The
  /// caller then has to read it.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  /// The same for an open file.
  static std::shared_ptr<const MappedFile> of(int descriptor);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }
  /// Releases the pages of this part, so that they do not count as memory of this process. They are
  /// read again on the next access.
  void release(std::string_view part) const;

 private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

}  // namespace geodescent
