// One fetch at a time in a folder.
#pragma once

#include <string>

namespace geodescent::cli {

/// Held for its lifetime; the system frees it however the program ends. Creates the folder if
/// necessary. If another program holds it, says so on standard error and waits. Throws InputError
/// and Interrupted.
class FolderLock {
 public:
  FolderLock(const std::string& folder, bool quiet);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  void wait(const std::string& folder, bool quiet) const;

  int descriptor_ = -1;
};

}  // namespace geodescent::cli
