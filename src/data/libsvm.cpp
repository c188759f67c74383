// From LIBSVM text to a matrix: the rows of the parser, collected; or handed on one by one.
#include "geodescent/libsvm.hpp"

#include <algorithm>
#include <utility>

#include "data/libsvm_parser.hpp"
#include "data/text_source.hpp"

namespace geodescent {
namespace {

class Collector {
 public:
  Collector(const std::string& name, const LibsvmOptions& options)
      : parser_(name, options, [this](double label, auto indices, auto values) { add(label, indices, values); }) {}
  Collector(const Collector&) = delete;  // the parser's sink points here
  Collector& operator=(const Collector&) = delete;

  void feed(std::string_view piece) {
    parser_.feed(piece);
    bytes_ += piece.size();
  }

  /// Makes room for a text of `size` bytes that goes on like the part seen so far, so that the arrays grow once. An
  /// unused rest is never touched and costs address space only.
  void expect(std::uint64_t size) {
    if (bytes_ == 0 || size <= bytes_) return;
    const double growth = 1.05 * static_cast<double>(size) / static_cast<double>(bytes_);
    const auto scaled = [growth](std::size_t count) {
      return static_cast<std::size_t>(growth * static_cast<double>(count));
    };
    indices_.reserve(scaled(indices_.size()));
    values_.reserve(scaled(values_.size()));
    offsets_.reserve(scaled(offsets_.size()));
    targets_.reserve(scaled(targets_.size()));
  }

  LibsvmData finish() {
    parser_.finish();
    if (!parser_.zero_based()) {
      for (std::uint32_t& index : indices_) --index;
    }
    SparseRows rows(std::move(offsets_), std::move(indices_), std::move(values_), parser_.columns());
    return {std::move(rows), std::move(targets_), parser_.zero_based()};
  }

 private:
  void add(double label, std::span<const std::uint32_t> indices, std::span<const double> values) {
    targets_.push_back(label);
    indices_.insert(indices_.end(), indices.begin(), indices.end());
    values_.insert(values_.end(), values.begin(), values.end());
    offsets_.push_back(values_.size());
  }

  LibsvmParser parser_;
  std::uint64_t bytes_ = 0;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
  Vector targets_;
};

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
  TextSource source(path);
  Collector collector(source.name(), options);
  bool first = true;
  for (std::string_view piece = source.read(); !piece.empty(); piece = source.read()) {
    collector.feed(piece);
    if (std::exchange(first, false)) collector.expect(source.expected_size());
  }
  return collector.finish();
}

LibsvmData parse_libsvm(std::string_view text, const std::string& name, const LibsvmOptions& options) {
  Collector collector(name, options);
  constexpr std::size_t sample = std::size_t{1} << 18;
  collector.feed(text.substr(0, sample));
  collector.expect(text.size());
  collector.feed(text.substr(std::min(sample, text.size())));
  return collector.finish();
}

void for_each_row(const std::string& path, const LibsvmOptions& options, const RowFunction& row) {
  TextSource source(path);
  RowStream stream(source.name(), options, row);
  for (std::string_view piece = source.read(); !piece.empty(); piece = source.read()) stream.feed(piece);
  stream.finish();
}

Dataset dataset_of(LibsvmData data, std::string name) {
  const std::size_t nonzeros = data.rows.nonzeros();
  return {std::move(name), in_best_form(std::move(data.rows)), std::move(data.targets), nonzeros, {}, data.zero_based};
}

Dataset read_dataset(const std::string& path, const LibsvmOptions& options) {
  return dataset_of(read_libsvm(path, options), path);
}

}  // namespace geodescent
