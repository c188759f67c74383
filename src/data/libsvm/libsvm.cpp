// From LIBSVM text to a matrix; or to a function, row by row.
#include "geodescent/data/libsvm.hpp"

#include <utility>

#include "data/assemble/chunk_matrix.hpp"
#include "data/assemble/chunk_reader.hpp"
#include "data/io/data_source.hpp"
#include "data/libsvm/libsvm_parser.hpp"

namespace geodescent {
namespace {

LibsvmData data_of(ChunkedRows rows) {
  const bool zero_based = rows.zero_based;
  Vector targets;
  SparseRows matrix(sparse_arrays(std::move(rows), targets));
  return {std::move(matrix), std::move(targets), zero_based};
}

/// Rows on their way from the parser to a function, their indices made 0-based.
class RowStream {
 public:
  RowStream(const std::string& name, const LibsvmOptions& options, const RowFunction& row)
      : parser_(name, options, [this](double label, auto indices, auto values) { pass(label, indices, values); }),
        row_(row) {}
  RowStream(const RowStream&) = delete;  // the parser's sink points here
  RowStream& operator=(const RowStream&) = delete;

  void feed(std::string_view piece) { parser_.feed(piece); }
  void finish() { parser_.finish(); }

 private:
  void pass(double label, std::span<const std::uint32_t> indices, std::span<const double> values) {
    if (!indices.empty()) parser_.settle_base();
    if (parser_.zero_based()) return row_(label, indices, values);
    indices_.assign(indices.begin(), indices.end());
    for (std::uint32_t& index : indices_) --index;
    row_(label, indices_, values);
  }

  LibsvmParser parser_;
  const RowFunction& row_;
  std::vector<std::uint32_t> indices_;
};

}  // namespace

LibsvmData read_libsvm(const std::string& path, const LibsvmOptions& options) {
  DataSource source(path);
  if (source.is_binary()) return libsvm_of(source.binary(), source.name(), options);
  return data_of(read_rows(source.chunks(options.line_limit), source.name(), options));
}

LibsvmData parse_libsvm(std::string_view text, const std::string& name, const LibsvmOptions& options) {
  ChunksOfMemory chunks(text, usual_chunk, options.line_limit);
  return data_of(read_rows(chunks, name, options));
}

void for_each_row(const std::string& path, const LibsvmOptions& options, const RowFunction& row) {
  DataSource source(path);
  if (source.is_binary()) return for_each_row(source.binary(), source.name(), options, row);
  RowStream stream(source.name(), options, row);
  for (std::string_view piece = source.read(); !piece.empty(); piece = source.read()) stream.feed(piece);
  stream.finish();
}

Dataset dataset_of(LibsvmData data, std::string name) {
  const std::size_t nonzeros = data.rows.nonzeros();
  return {std::move(name), in_best_form(data.rows), std::move(data.targets), nonzeros, {}, data.zero_based};
}

Dataset read_dataset(const std::string& path, const LibsvmOptions& options) {
  DataSource source(path);
  if (source.is_binary()) return dataset_of(source.binary(), source.name(), options);
  return dataset_of(read_rows(source.chunks(options.line_limit), source.name(), options), source.name());
}

}  // namespace geodescent
