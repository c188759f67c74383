// A partial download: its bytes so far, and their version, which decides whether the rest can be
// requested alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace geodescent::cli {

/// The version of a file as the server states it.
struct RemoteVersion {
  std::string tag;  ///< a strong ETag or else Last-Modified, as the server writes it; empty if there is neither
  std::uint64_t length = 0;  ///< 0 when the server does not say
};

/// PATH.part and beside it PATH.part.version, which names the address and the version that the
/// bytes are of. Both outlive the program, however it ends, until finish() or discard(). Failures
/// are InputErrors.
class PartFile {
 public:
  /// Opens what an earlier run has left.
  PartFile(const std::string& path, const std::string& address);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& name() const { return part_; }
  std::uint64_t size() const { return size_; }
  const RemoteVersion& version() const { return version_; }
  /// Whether the rest can be requested: some bytes are there, and their version is known.
  bool resumable() const { return size_ > 0 && !version_.tag.empty(); }
  bool complete() const { return resumable() && size_ == version_.length; }

  /// Removes the bytes. Those that are written next are of this version.
  void restart(const RemoteVersion& version);
  void write(std::string_view bytes);  ///< at the end
  /// Syncs the file and gives it its final name.
  void finish(const std::string& path);
  void discard();

 private:
  void read_version();
  void close();
  [[noreturn]] void fail(int error) const;

  std::string part_;
  std::string address_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  RemoteVersion version_;
};

/// Renames and syncs the folder. Throws InputError.
void move_file(const std::string& from, const std::string& to);

/// Throws InputError: "PATH: cannot write: reason; remedy".
[[noreturn]] void cannot_write(const std::string& path, int error);

}  // namespace geodescent::cli
