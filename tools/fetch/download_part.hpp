// A file on its way: what has come so far, and what says whether the rest may be asked for alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace geodescent::cli {

/// What a server says about the version of a file that it sends.
struct RemoteVersion {
  std::string tag;           ///< a strong ETag or else Last-Modified, as written by the server; empty: there is neither
  std::uint64_t length = 0;  ///< 0 when the server does not say
};

/// PATH.part and beside it PATH.part.version, which names the address and the version that the bytes are of. Both
/// outlive the program, however it ends, until finish() or discard(). Failures are InputErrors.
class PartFile {
 public:
  /// Takes up what an earlier run left.
  PartFile(const std::string& path, const std::string& address);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& name() const { return part_; }
  std::uint64_t size() const { return size_; }
  const RemoteVersion& version() const { return version_; }
  /// Whether the rest can be asked for: there is something, and the server can be told of which version it is.
  bool resumable() const { return size_ > 0 && !version_.tag.empty(); }
  bool complete() const { return resumable() && size_ == version_.length; }

  /// Forgets what is there; what is written from now on is of this version.
  void restart(const RemoteVersion& version);
  void write(std::string_view bytes);  ///< at the end
  /// Makes sure that all is on the disk and gives it its final name.
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

/// Renames and makes sure that the new name is on the disk. Throws InputError.
void move_file(const std::string& from, const std::string& to);

/// Throws InputError: "PATH: cannot write: reason; remedy".
[[noreturn]] void cannot_write(const std::string& path, int error);

}  // namespace geodescent::cli
