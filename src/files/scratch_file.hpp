// A file without a name, for what does not fit the memory. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "files/mapped_file.hpp"

namespace geodescent {

/// Lives in the folder of `path`, or where temporary files do when that is no place for one, and is gone with this
/// object, whatever happens. Throws InputError ("path: reason; remedy") when it cannot be written.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& path);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  void append(std::span<const std::byte> bytes);
  std::uint64_t size() const { return size_; }
  /// All that was appended; null when that is nothing.
  std::shared_ptr<const MappedFile> map() const;

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace geodescent
