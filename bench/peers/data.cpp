#include "peers/data.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <vector>

#include "geodescent/error.hpp"

namespace geodescent::lab {
namespace {

namespace fs = std::filesystem;

/// One line per row: the label, the separator `before_entries`, the entries.
void write_rows(const LibsvmData& data, const std::string& path, bool as_they_are, const char* before_entries) {
  std::ofstream file(path, std::ios::binary);
  std::string text;
  for (std::size_t i = 0; i < data.rows.rows(); ++i) {
    if (as_they_are)
      fmt::format_to(std::back_inserter(text), "{}{}", data.targets[i], before_entries);
    else
      fmt::format_to(std::back_inserter(text), "{}{}", data.targets[i] > 0 ? "+1" : "-1", before_entries);
    const auto indices = data.rows.indices(i);
    const auto values = data.rows.values(i);
    for (std::size_t k = 0; k < indices.size(); ++k)
      fmt::format_to(std::back_inserter(text), " {}:{}", std::uint64_t{indices[k]} + 1, values[k]);
    text += '\n';
    if (text.size() < (1u << 20) && i + 1 < data.rows.rows()) continue;
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  }
  if (!file.flush())
    throw InputError(fmt::format("{}: cannot write: {}; set TMPDIR to a folder with room for the data as plain text",
                                 path, std::generic_category().message(errno)));
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "geodescent-peers-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw InputError(fmt::format("{}: cannot make a folder: {}; set TMPDIR to one that you may write to", name,
                                 std::generic_category().message(errno)));
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string make_binary(LibsvmData& data, const std::string& name) {
  const std::set<double> labels(data.targets.begin(), data.targets.end());
  if (labels.size() == 2) {
    for (double& target : data.targets) target = target == *labels.rbegin() ? 1 : -1;
    return "";
  }
  for (const double label : labels)
    if (labels.size() < 2 || label != std::floor(label) || std::abs(label) > 1e9)
      throw InputError(fmt::format(
          "{}: {}; give data of two classes, or of more that are whole numbers", name,
          labels.size() < 2 ? "all labels are the same" : fmt::format("the label {} is not a whole number", label)));
  for (double& target : data.targets) target = std::fmod(target, 2) != 0 ? 1 : -1;
  for (const double target : data.targets)
    if (target != data.targets[0]) return fmt::format("{} classes, made two by parity: odd is +1", labels.size());
  throw InputError(fmt::format("{}: all classes have the same parity; give data of two classes", name));
}

std::size_t number_classes(LibsvmData& data, const std::string& name) {
  const std::set<double> labels(data.targets.begin(), data.targets.end());
  const std::vector<double> known(labels.begin(), labels.end());
  if (known.size() < 3)
    throw InputError(fmt::format("{}: {} labels; --classes needs data of three or more classes", name, known.size()));
  for (double& target : data.targets)
    target = static_cast<double>(std::ranges::lower_bound(known, target) - known.begin() + 1);
  return known.size();
}

PeerData prepare_data(const std::string& name, const std::string& file, const ScratchFolder& scratch,
                      const PreparedFor& purpose) {
  LibsvmData read = read_libsvm(file);
  PeerData data;
  data.name = name;
  if (purpose.classes) data.classes = number_classes(read, file);
  if (!purpose.regression && !purpose.classes) data.note = make_binary(read, file);
  data.rows = read.rows.rows();
  data.features = read.rows.columns();
  data.nonzeros = read.rows.nonzeros();
  data.libsvm_file = scratch / "data.svm";
  const bool as_they_are = purpose.regression || purpose.classes;
  write_rows(read, data.libsvm_file, as_they_are, "");
  data.bytes = fs::file_size(data.libsvm_file);
  if (purpose.vw) write_rows(read, data.vw_file = scratch / "data.vw", as_they_are, " |");
  data.data = dataset_of(std::move(read), name);
  return data;
}

}  // namespace geodescent::lab
