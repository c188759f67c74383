// Conversion in two steps. First the rows go to a temporary file in their order, each chunk in its
// narrowest form. Then the form that fits all of them is known, and the result is written section
// by section.
#include "geodescent/data/convert.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "data/assemble/chunk_matrix.hpp"
#include "data/assemble/chunk_reader.hpp"
#include "data/assemble/row_spool.hpp"
#include "data/binary/binary_writer.hpp"
#include "data/io/data_source.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

class Writer {
 public:
  Writer(const RowSpool& rows, const BinaryHeader& header, const std::string& output)
      : rows_(rows), header_(header), base_(header.zero_based == 1 ? 0 : 1), file_(output, header) {}

  std::uint64_t write() {
    write_targets();
    if (header_.dense == 0) {
      write_offsets();
      header_.index_bytes == 2 ? write_indices<std::uint16_t>() : write_indices<std::uint32_t>();
    }
    file_.go_to(file_.layout().values);
    if (header_.dense == 1) {
      header_.value_bytes == 8 ? write_dense<double>() : write_dense<float>();
    } else if (header_.value_bytes != 0) {
      header_.value_bytes == 8 ? write_values<double>() : write_values<float>();
    }
    file_.commit();
    return file_.layout().size;
  }

 private:
  static constexpr std::size_t piece = 8192;  // numbers that are converted at a time

  void write_targets() {
    file_.go_to(file_.layout().targets);
    rows_.for_each([&](const RowChunk& chunk) { file_.write(chunk.targets()); });
  }

  void write_offsets() {
    file_.go_to(file_.layout().offsets);
    std::uint64_t offset = 0;
    file_.write(std::span<const std::uint64_t>(&offset, 1));
    std::vector<std::uint64_t> offsets;
    rows_.for_each([&](const RowChunk& chunk) {
      offsets.clear();
      for (const std::uint32_t length : chunk.lengths()) offsets.push_back(offset += length);
      file_.write(std::span<const std::uint64_t>(offsets));
    });
  }

  /// copy(chunk, begin, count, to) for all entries, in pieces.
  template <class Number, class Copy>
  void write_entries(const Copy& copy) {
    std::array<Number, piece> numbers;
    rows_.for_each([&](const RowChunk& chunk) {
      for (std::size_t begin = 0; begin < chunk.shape().entries; begin += piece) {
        const std::size_t count = std::min<std::size_t>(piece, chunk.shape().entries - begin);
        copy(chunk, begin, count, numbers.data());
        file_.write(std::span<const Number>(numbers.data(), count));
      }
    });
  }

  template <class Index>
  void write_indices() {
    file_.go_to(file_.layout().indices);
    write_entries<Index>([this](const RowChunk& chunk, std::size_t begin, std::size_t count, Index* to) {
      copy_indices(chunk, begin, count, base_, to);
    });
  }

  template <class Value>
  void write_values() {
    write_entries<Value>(copy_values<Value>);
  }

  template <class Value>
  void write_dense() {
    std::vector<Value> row(header_.columns);
    rows_.for_each([&](const RowChunk& chunk) {
      std::size_t begin = 0;
      for (const std::uint32_t length : chunk.lengths()) {
        copy_dense_row(chunk, begin, length, base_, std::span<Value>(row));
        file_.write(std::span<const Value>(row));
        begin += length;
      }
    });
  }

  const RowSpool& rows_;
  BinaryHeader header_;
  std::uint32_t base_;
  BinaryWriter file_;
};

BinaryHeader header_of(const FormOfChunks& form, const LibsvmState& state, const LibsvmOptions& options) {
  BinaryHeader header;
  header.rows = form.rows();
  header.columns = columns_of(state, options);
  header.nonzeros = form.entries();
  header.zero_based = state.zero_based ? 1 : 0;
  header.dense = form.is_dense(header.columns) ? 1 : 0;
  header.entries = header.dense == 1 ? header.rows * header.columns : header.nonzeros;
  header.index_bytes = header.dense == 1 ? 0 : form.index_bytes(header.columns);
  header.value_bytes = header.dense == 1 ? form.dense_value_bytes() : form.value_bytes();
  if (header.value_bytes == 0) header.repeated = form.repeated();
  return header;
}

}  // namespace

Conversion convert_libsvm(const std::string& path, const std::string& output, const LibsvmOptions& options) {
  DataSource source(path);
  if (source.is_binary())
    throw InputError(source.name() + ": the data are binary already; copy the file, or convert the text it came from");
  RowSpool rows(output);
  FormOfChunks form;
  const LibsvmState state =
      read_chunks(source.chunks(options.line_limit), source.name(), options, [&](const RowChunk& chunk) {
        form.add(chunk);
        rows.add(chunk);
      });
  const BinaryHeader header = header_of(form, state, options);
  Conversion result{header.rows, header.columns, header.nonzeros, state.zero_based, header.dense == 1, 0};
  result.bytes = Writer(rows, header, output).write();
  return result;
}

}  // namespace geodescent
