// Data in forms that every peer can read: plain text, with labels -1 and +1 unless it is a
// regression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "geodescent/data/dataset.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent::lab {

/// A temporary folder, deleted with its content by the destructor.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

struct PeerData {
  std::string name;
  std::string libsvm_file;
  std::string vw_file;  ///< the same in the format of vw; empty if it was not requested
  std::size_t rows = 0, features = 0, nonzeros = 0;
  std::uintmax_t bytes = 0;  ///< of libsvm_file
  std::string note;          ///< how labels became two classes, if not obvious
  std::size_t classes = 0;   ///< all classes are learned, with labels from 1 to this number; 0: two, or a regression
  Dataset data;              ///< for the judge
};

/// The forms in which a data set is written.
struct PreparedFor {
  bool regression = false;  ///< targets stay as they are
  bool classes = false;     ///< all classes, with labels from 1 on
  bool vw = false;          ///< vw_file, too
};

/// Maps the labels to -1 and +1: of two labels the larger becomes +1, of more whole numbers the odd
/// ones. Returns a description of the latter, empty for two labels. Throws InputError if the
/// targets are not classes.
std::string make_binary(LibsvmData& data, const std::string& name);

/// Numbers the labels from 1 on, in increasing order, and returns how many there are. Throws
/// InputError for less than three.
std::size_t number_classes(LibsvmData& data, const std::string& name);

/// Reads `file` in any compression and writes it to `scratch`, with all digits and features counted
/// from 1. Throws InputError.
PeerData prepare_data(const std::string& name, const std::string& file, const ScratchFolder& scratch,
                      const PreparedFor& purpose);

}  // namespace geodescent::lab
