// A rank does not know the state of the text before its share: its lines are counted from there,
// and whether features are numbered from 0 is not known yet. So a part that fails, or contradicts
// what comes before it, is read again with that state, as single chunks are (chunk_reader.cpp).
// Rank 0, and a single process, know the state at once.
#include "data/shares/share_reader.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "data/assemble/row_weights.hpp"
#include "data/io/data_source.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

constexpr std::size_t entries_of_chunk = std::size_t{1} << 16;

/// The start of the first line that begins at `place` or later.
std::size_t first_line_from(std::string_view text, std::size_t place) {
  if (place == 0 || place >= text.size()) return std::min(place, text.size());
  const std::size_t newline = text.find('\n', place - 1);
  return newline == std::string_view::npos ? text.size() : newline + 1;
}

[[noreturn]] void fail_changed(const DataFile& file) {
  throw InputError(fmt::format("{}: the file has changed while it was read; start again", file.path));
}

/// The bytes of a converted file.
std::string_view matrix_in(const DataSource& source, const DataFile& file) {
  if (!source.mapped() || !source.is_binary()) fail_changed(file);
  return source.mapped()->bytes();
}

/// What was found in a part, counted from its start.
struct PartState {
  bool failed = false;
  LibsvmState text = {};
  std::size_t nonzeros = 0;
};

class PartReader {
 public:
  PartReader(std::span<const DataFile> files, const LibsvmOptions& options) : files_(files), options_(options) {}

  /// `before`: the state before the part, if it is known.
  PartState read(const FilePart& part, const std::optional<LibsvmState>& before, const RowChunkSink& sink) const {
    const DataFile& file = files_[part.file];
    if (file.form == FileForm::text) {
      const auto mapped = MappedFile::open(file.path);
      if (!mapped || mapped->bytes().size() != file.bytes) fail_changed(file);
      const std::size_t begin = first_line_from(mapped->bytes(), part.begin),
                        end = first_line_from(mapped->bytes(), part.end);
      ChunksOfMemory chunks(mapped->bytes().substr(begin, end - begin), usual_chunk, options_.line_limit, mapped.get());
      return read_text(chunks, file.path, begin == 0, before, sink);
    }
    DataSource source(file.path);
    if (file.form == FileForm::binary) {
      const BinaryData data =
          read_binary_rows(matrix_in(source, file), source.mapped(), file.path, part.begin, part.end);
      return read_rows_of(data, file.path, before, sink);
    }
    if (source.is_binary()) return read_rows_of(source.binary(), source.name(), before, sink);
    return read_text(source.chunks(options_.line_limit), source.name(), true, before, sink);
  }

 private:
  PartState read_text(TextChunks& chunks, const std::string& name, bool starts_file,
                      const std::optional<LibsvmState>& before, const RowChunkSink& sink) const {
    const LibsvmState start = before ? *before : LibsvmState{.lines = starts_file ? 0U : 1U};
    PartState found;
    found.text = read_part(chunks, name, options_, start, [&](RowChunk chunk) {
      found.nonzeros += chunk.shape().entries;
      sink(std::move(chunk));
    });
    found.text.lines -= start.lines;
    found.text.rows -= start.rows;
    if (start.line_at_limit > 0)
      found.text.line_at_limit = 0;
    else if (found.text.line_at_limit > 0)
      found.text.line_at_limit -= start.lines;
    return found;
  }

  PartState read_rows_of(const BinaryData& data, const std::string& name, const std::optional<LibsvmState>& before,
                         const RowChunkSink& sink) const {
    const std::uint32_t base = data.zero_based ? 0 : 1;
    std::size_t columns = 0;
    RowBuffer buffer;
    BlockSupply memory;
    const auto flush = [&] {
      if (buffer.rows() > 0) sink(RowChunk(buffer, memory));
      buffer.clear();
    };
    std::visit([&](const auto& matrix) { columns = matrix->columns(); }, data.matrix);
    if (before && before->zero_based && !data.zero_based && options_.features == columns)
      throw InputError(
          fmt::format("{}: {} features numbered from 1, but other data are numbered from 0: over the limit "
                      "of {}; raise the number of features",
                      name, columns, columns));
    const std::size_t room = entries_of_chunk + columns;
    buffer.make_room(4 * room);  // bytes of text: an entry has four
    for_each_row(data, name, options_, [&](double target, auto indices, auto values) {
      std::ranges::transform(indices, buffer.next_index(), [&](std::uint32_t index) { return index + base; });
      std::ranges::copy(values, buffer.next_value());
      buffer.add_row(target, indices.size());
      if (buffer.indices().size() >= entries_of_chunk || buffer.rows() >= entries_of_chunk) flush();
    });
    flush();
    PartState found{.nonzeros = data.nonzeros};
    found.text.rows = data.targets.size();
    found.text.zero_based = data.zero_based;
    found.text.largest_index = static_cast<std::int64_t>(columns + base) - 1;
    if (!data.zero_based && options_.features == columns) found.text.line_at_limit = 1;
    return found;
  }

  std::span<const DataFile> files_;
  const LibsvmOptions& options_;
};

/// The state of the text, part after part.
class RunningState {
 public:
  RunningState(std::span<const DataFile> files, const LibsvmOptions& options) : files_(files) {
    state.zero_based = options.index_base == IndexBase::zero;
  }

  /// Called before the part.
  void enter(const FilePart& part) {
    if (file_ && *file_ != part.file) {
      if (state.line_at_limit > 0 && state.file_at_limit.empty()) state.file_at_limit = files_[*file_].path;
      state.lines = 0;
    }
    file_ = part.file;
  }
  /// Whether it cannot come here. `features` are limited.
  bool contradicts(const LibsvmState& part) const {
    return (state.zero_based && part.line_at_limit > 0) || (state.line_at_limit > 0 && part.zero_based);
  }
  void add(const PartState& part) {
    if (part.text.line_at_limit > 0 && state.line_at_limit == 0)
      state.line_at_limit = state.lines + part.text.line_at_limit;
    state.lines += part.text.lines;
    state.rows += part.text.rows;
    state.zero_based |= part.text.zero_based;
    state.largest_index = std::max(state.largest_index, part.text.largest_index);
    nonzeros += part.nonzeros;
  }

  LibsvmState state;
  std::size_t nonzeros = 0;

 private:
  std::span<const DataFile> files_;
  std::optional<std::size_t> file_;
};

constexpr std::size_t numbers_of_state = 7;

void send(const PartState& part, std::vector<double>& numbers) {
  for (const double number : std::array<double, numbers_of_state>{
           part.failed ? 1.0 : 0.0, static_cast<double>(part.text.lines), static_cast<double>(part.text.rows),
           part.text.zero_based ? 1.0 : 0.0, static_cast<double>(part.text.largest_index),
           static_cast<double>(part.text.line_at_limit), static_cast<double>(part.nonzeros)})
    numbers.push_back(number);
}

PartState received(std::span<const double> numbers) {
  PartState part;
  part.failed = numbers[0] != 0;
  part.text.lines = static_cast<std::uint64_t>(numbers[1]);
  part.text.rows = static_cast<std::uint64_t>(numbers[2]);
  part.text.zero_based = numbers[3] != 0;
  part.text.largest_index = static_cast<std::int64_t>(numbers[4]);
  part.text.line_at_limit = static_cast<std::uint64_t>(numbers[5]);
  part.nonzeros = static_cast<std::size_t>(numbers[6]);
  return part;
}

struct PartOfRank {
  std::size_t rank = 0;
  FilePart part;
};

/// The first part that has failed or cannot come where it is. `numbers` are the states of all parts
/// that `send` has written, rank after rank. Adds to `total` the parts before it.
std::optional<PartOfRank> first_wrong_part(std::span<const std::vector<FilePart>> shares,
                                           std::span<const double> numbers, RunningState& total) {
  for (std::size_t rank = 0; rank < shares.size(); ++rank)
    for (const FilePart& part : shares[rank]) {
      const PartState found = received(numbers);
      numbers = numbers.subspan(numbers_of_state);
      total.enter(part);
      if (found.failed || total.contradicts(found.text)) return PartOfRank{rank, part};
      total.add(found);
    }
  return std::nullopt;
}

/// Whether all files together are one converted file that needs no change.
bool is_one_matrix(std::span<const DataFile> files, const LibsvmOptions& options, const Agreement& ranks) {
  if (files.size() != 1 || files[0].form != FileForm::binary) return false;
  std::size_t columns = 0;
  ranks.together([&] {
    const DataSource source(files[0].path);
    columns = binary_shape(matrix_in(source, files[0]), source.name()).columns;
  });
  return !options.features || *options.features == columns;
}

/// The rows of this rank in a converted file, in the file's form, without a copy.
Dataset rows_of_matrix(const DataFile& file, const LibsvmOptions& options, const Agreement& ranks) {
  const std::vector<FilePart> ours = shares_of({&file, 1}, ranks.ranks())[ranks.rank()];
  const FilePart part = ours.empty() ? FilePart{} : ours.front();
  Dataset data;
  ranks.together([&] {
    const DataSource source(file.path);
    data = dataset_of(read_binary_rows(matrix_in(source, file), source.mapped(), source.name(), part.begin, part.end),
                      source.name(), options);
  });
  return data;
}

}  // namespace

RowsOfFiles read_share(std::span<const DataFile> files, const LibsvmOptions& options, const Agreement& ranks,
                       const RowChunkSink& sink) {
  const std::vector<std::vector<FilePart>> shares = shares_of(files, ranks.ranks());
  const bool knows_state = ranks.rank() == 0;
  const PartReader reader(files, options);
  RunningState before(files, options);
  std::vector<double> numbers;
  std::exception_ptr error;
  for (const FilePart& part : shares[ranks.rank()]) {
    PartState found;
    before.enter(part);
    try {
      if (!error) found = reader.read(part, knows_state ? std::optional(before.state) : std::nullopt, sink);
      before.add(found);
    } catch (const std::exception&) {
      error = std::current_exception();
      found.failed = true;
    }
    send(found, numbers);
  }

  RunningState total(files, options);
  const std::optional<PartOfRank> wrong = first_wrong_part(shares, ranks.gather(numbers), total);
  ranks.together([&] {
    if (!wrong || wrong->rank != ranks.rank()) return;
    if (error && knows_state) std::rethrow_exception(error);
    // Throws like the first attempt, but knows the state.
    reader.read(wrong->part, total.state, [](const RowChunk&) {});
    if (error) std::rethrow_exception(error);
    throw std::logic_error("a part of the data is wrong in its place and cannot say why");
  });
  if (total.state.rows == 0) require_rows(total.state, files.back().path == "-" ? "standard input" : files.back().path);
  return {columns_of(total.state, options), total.state.zero_based, total.state.rows, total.nonzeros, before.nonzeros};
}

std::string name_of_files(std::span<const std::string> paths) {
  const auto name = [](const std::string& path) { return path == "-" ? "standard input" : path; };
  constexpr std::size_t most = 3;
  if (paths.size() > most) return fmt::format("{}, ... ({} files)", name(paths.front()), paths.size());
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : ", ") + name(path);
  return text;
}

Dataset read_dataset(std::span<const std::string> paths, const DatasetOptions& o, Communicator* communicator) {
  const Agreement ranks(communicator);
  if (paths.empty()) throw std::invalid_argument("a data set needs at least one file");
  if (ranks.alone() && paths.size() == 1) return read_dataset(paths.front(), o);
  const std::string name = name_of_files(paths);
  const std::vector<DataFile> files = files_at(paths, ranks);
  if (is_one_matrix(files, o.libsvm, ranks)) {
    Dataset data = rows_of_matrix(files.front(), o.libsvm, ranks);
    return is_plain(o) ? data : weighted(std::move(data), o, ranks);
  }
  ChunkedRows rows;
  const RowsOfFiles found = read_share(files, o.libsvm, ranks, [&](RowChunk chunk) { rows.add(std::move(chunk)); });
  rows.columns = found.columns;
  rows.zero_based = found.zero_based;
  rows.nonzeros = found.nonzeros_here;
  rows.dense = FormOfChunks::is_dense(found.rows, found.nonzeros, found.columns);
  return is_plain(o) ? agreed_dataset(std::move(rows), name, ranks) : weighted(std::move(rows), name, o, ranks);
}

}  // namespace geodescent
