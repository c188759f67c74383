// Reads binary data files without copying them. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "geodescent/data/dataset.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent {

/// Whether these first bytes identify a binary data file.
bool is_binary(std::string_view start);

struct BinaryData {
  std::variant<std::shared_ptr<const SparseRows>, std::shared_ptr<const DenseRows>> matrix;
  Vector targets;
  std::size_t nonzeros = 0;
  bool zero_based = false;
};

/// `owner` keeps the bytes alive, which are aligned for doubles; the matrix refers to them. Throws
/// InputError ("name: reason; remedy") if a byte has changed since writing, or if a number could
/// not come from text.
BinaryData read_binary(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name);

/// What the header says, before anything else is read. Throws InputError as read_binary.
struct BinaryShape {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
};
BinaryShape binary_shape(std::string_view bytes, const std::string& name);
/// The rows from begin to end. Other rows are neither read nor checked. The nonzeros of dense rows
/// are a part of all that is proportional to the rows.
BinaryData read_binary_rows(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name,
                            std::uint64_t begin, std::uint64_t end);

/// The data with the options applied. Throws InputError if the options contradict the file.
Dataset dataset_of(BinaryData data, const std::string& name, const LibsvmOptions& options);
LibsvmData libsvm_of(const BinaryData& data, const std::string& name, const LibsvmOptions& options);
void for_each_row(const BinaryData& data, const std::string& name, const LibsvmOptions& options,
                  const RowFunction& row);

}  // namespace geodescent
