// The data as every peer can read them: plain text, with the labels -1 and +1 unless targets are learned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "geodescent/data/dataset.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent::lab {

/// A folder that goes away with this object and all that is in it.
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
  std::string vw_file;  ///< the same in the format of vw; empty when nobody asked for it
  std::size_t rows = 0, features = 0, nonzeros = 0;
  std::uintmax_t bytes = 0;  ///< of libsvm_file
  std::string note;          ///< how labels became two classes, where that is not plain
  Dataset data;              ///< for judging
};

/// What a data set is written for.
struct PreparedFor {
  bool regression = false;  ///< targets stay as they are
  bool vw = false;          ///< vw_file, too
};

/// Makes the labels -1 and +1: of two labels the larger is +1, of more whole numbers the odd ones are (parity of the
/// class). What was done with more than two; empty for two. Throws InputError when the targets are no classes.
std::string make_binary(LibsvmData& data, const std::string& name);

/// Reads `file`, in whatever compression, and writes it to `scratch`, numbers with all their digits, features counted
/// from 1. Throws InputError.
PeerData prepare_data(const std::string& name, const std::string& file, const ScratchFolder& scratch,
                      const PreparedFor& purpose);

}  // namespace geodescent::lab
