// Chunks are parsed independently, in parallel, and joined in order. A chunk that fails, or whose
// result depends on earlier chunks, is parsed again in its turn with their state. So the first
// error of the file is the one reported, with its true line number. Lines are counted only when
// chunks are joined.
#include "data/assemble/chunk_reader.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "base/parallel.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

/// Not the first line, which may have a byte order mark.
constexpr LibsvmState somewhere_inside{.lines = 1};

class ChunkReader {
 public:
  ChunkReader(TextChunks& chunks, const std::string& name, const LibsvmOptions& options, const LibsvmState& before,
              const RowChunkSink& sink)
      : chunks_(chunks), name_(name), options_(options), sink_(sink), starts_file_(before.lines == 0), total_(before) {
    if (options.index_base == IndexBase::zero) total_.zero_based = true;
  }

  /// The work of each thread.
  void work() noexcept {
    try {
      RowBuffer rows;
      BlockSupply memory;
      for (TextChunk chunk; !failed_ && chunks_.next(chunk);) deliver(parse(chunk, rows, memory));
    } catch (...) {
      fail(std::current_exception());
    }
  }

  LibsvmState finish() {
    if (error_) std::rethrow_exception(error_);
    return total_;
  }

 private:
  struct Parsed {
    std::size_t number = 0;
    LibsvmState state;
    RowChunk rows;
    bool again = false;
    TextChunk text;  ///< kept if the chunk may have to be parsed again
  };

  /// The state that a chunk is first parsed with.
  LibsvmState before(std::size_t number) const {
    return starts_file_ && number == 0 ? LibsvmState{} : somewhere_inside;
  }

  LibsvmState parse(const TextChunk& chunk, const LibsvmState& before, RowBuffer& rows) const {
    LibsvmLines lines(name_, options_, before);
    const char* const begin = chunk.text.data();
    const char* const end = begin + chunk.text.size();
    if (chunk.unterminated) lines.set_end_of_text(end - 1);
    rows.make_room(chunk.text.size());
    lines.parse(begin, end, rows);
    if (chunk.long_line_follows) lines.refuse_next_line();
    return lines.state();
  }

  Parsed parse(TextChunk& chunk, RowBuffer& rows, BlockSupply& memory) const {
    Parsed parsed;
    parsed.number = chunk.number;
    if (!chunk.error) try {
        parsed.state = parse(chunk, before(chunk.number), rows);
        parsed.state.lines -= before(chunk.number).lines;
        parsed.rows = RowChunk(rows, memory);
      } catch (const InputError&) {
        parsed.again = true;
      }
    // With a limit on features, the index base found in earlier lines may make an index of this
    // chunk too large.
    const bool depends = options_.features && options_.index_base == IndexBase::automatic &&
                         (parsed.state.zero_based || parsed.state.line_at_limit > 0);
    if (chunk.error || parsed.again || depends)
      parsed.text = std::move(chunk);
    else
      chunks_.release(chunk);
    return parsed;
  }

  void deliver(Parsed parsed) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(parsed.number, std::move(parsed));
    for (auto next = waiting_.begin(); !failed_ && next != waiting_.end() && next->first == joined_;
         next = waiting_.erase(next), ++joined_)
      join(next->second);
  }

  void join(Parsed& chunk) {
    if (chunk.text.error) std::rethrow_exception(chunk.text.error);
    const bool limits_meet =
        (total_.zero_based && chunk.state.line_at_limit > 0) || (total_.line_at_limit > 0 && chunk.state.zero_based);
    if (chunk.again || limits_meet) {
      RowBuffer rows;
      parse(chunk.text, total_, rows);  // throws like the first attempt, which did not know the state before the chunk
      throw std::logic_error("a part of the text is wrong by itself and right in its place");
    }
    if (chunk.state.line_at_limit > 0 && total_.line_at_limit == 0)
      total_.line_at_limit = total_.lines + chunk.state.line_at_limit - before(chunk.number).lines;
    total_.lines += chunk.state.lines;
    total_.rows += chunk.state.rows;
    total_.zero_based |= chunk.state.zero_based;
    total_.largest_index = std::max(total_.largest_index, chunk.state.largest_index);
    if (chunk.state.rows > 0) sink_(std::move(chunk.rows));
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!failed_) error_ = std::move(error);
    failed_ = true;
  }

  TextChunks& chunks_;
  const std::string& name_;
  const LibsvmOptions& options_;
  const RowChunkSink& sink_;
  bool starts_file_;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::map<std::size_t, Parsed> waiting_;  ///< waiting for earlier chunks
  std::size_t joined_ = 0;
  LibsvmState total_;
  std::exception_ptr error_;
};

}  // namespace

LibsvmState read_part(TextChunks& chunks, const std::string& name, const LibsvmOptions& options,
                      const LibsvmState& before, const RowChunkSink& sink) {
  ChunkReader reader(chunks, name, options, before, sink);
  parallel::run(
      static_cast<std::size_t>(threads()), [](void* r, std::size_t) { static_cast<ChunkReader*>(r)->work(); }, &reader);
  return reader.finish();
}

LibsvmState read_chunks(TextChunks& chunks, const std::string& name, const LibsvmOptions& options,
                        const RowChunkSink& sink) {
  const LibsvmState state = read_part(chunks, name, options, {}, sink);
  require_rows(state, name);
  return state;
}

ChunkedRows read_rows(TextChunks& chunks, const std::string& name, const LibsvmOptions& options) {
  ChunkedRows rows;
  const LibsvmState state = read_chunks(chunks, name, options, [&](RowChunk chunk) { rows.add(std::move(chunk)); });
  rows.columns = columns_of(state, options);
  rows.zero_based = state.zero_based;
  return rows;
}

}  // namespace geodescent
