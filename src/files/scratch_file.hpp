// A temporary file without a name, for data larger than memory. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "files/mapped_file.hpp"

namespace geodescent {

/// The file is in the folder of `path`, or in the folder for temporary files if `path` is not a
/// regular file. It is deleted with this object. Throws InputError ("path: reason; remedy") if it
/// cannot be written.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& path);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  void append(std::span<const std::byte> bytes);
  std::uint64_t size() const { return size_; }
  /// Everything appended so far; null if that is nothing.
  std::shared_ptr<const MappedFile> map() const;

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace geodescent
