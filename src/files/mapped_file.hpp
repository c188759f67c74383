// A file as memory. Internal to the library.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace geodescent {

class MappedFile {
 public:
  /// Null when it cannot be mapped: it is empty or no regular file, or the system refuses. Then it has to be read.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  /// The same for a file that is open.
  static std::shared_ptr<const MappedFile> of(int descriptor);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }
  /// Says that this part is not needed for now, so that it does not count as memory of this process. It comes back
  /// when it is read again.
  void release(std::string_view part) const;

 private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

}  // namespace geodescent
