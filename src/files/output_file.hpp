// Output files that appear whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace geodescent {

/// A file being written. The text goes to a temporary file in the same folder; commit() puts it in place of `path`, and
/// without commit() the old file, if any, stays as it was. An existing file keeps its permission bits, and a symbolic
/// link keeps pointing to the file, which is replaced. What is no regular file (a device, a pipe, standard output as
/// "-" or /dev/stdout) is written directly. What a writer that was killed left in the folder is removed by the next.
/// Every failure is an InputError ("path: cannot write: reason; remedy").
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();  ///< removes the temporary file when commit() was not called or failed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);  ///< buffered
  /// Writes what is buffered, waits until it is on the disk and renames. To be called once, after the last write.
  void commit();

 private:
  void open_target();
  void open_aside(unsigned permissions, bool keep_permissions);
  void open_directly();
  void flush();
  void close();
  [[noreturn]] void fail(int error) const;

  std::string path_;       ///< as the user wrote it, for messages
  std::string target_;     ///< links resolved
  std::string temporary_;  ///< empty when written directly
  int descriptor_ = -1;
  std::string buffer_;
};

}  // namespace geodescent
