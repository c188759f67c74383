// Output files that are replaced atomically.
#pragma once

#include <string>
#include <string_view>

namespace geodescent {

/// A file that is being written. The text goes to a temporary file in the same folder, and commit()
/// renames it to `path`. Without commit() an existing file is unchanged. An existing file keeps its
/// permission bits. A symbolic link stays, and its target is replaced. A device, a pipe or standard
/// output ("-" or /dev/stdout) is written directly. Temporary files of killed writers are removed
/// by the next writer into the folder. Every failure is an InputError ("path: cannot write: reason;
/// remedy").
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();  ///< removes the temporary file unless commit() has succeeded
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);  ///< buffered
  /// Writes the buffer, waits for the disk and renames. Call it once, after the last write.
  void commit();

 private:
  void open_target();
  void open_aside(unsigned permissions, bool keep_permissions);
  void open_directly();
  void flush();
  void close();
  [[noreturn]] void fail(int error) const;

  std::string path_;       ///< as given by the user, for messages
  std::string target_;     ///< symbolic links resolved
  std::string temporary_;  ///< empty if written directly
  int descriptor_ = -1;
  std::string buffer_;
};

}  // namespace geodescent
