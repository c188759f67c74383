#include "data/text/text_chunks.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "data/text/digits.hpp"
#include "data/text/line_limit.hpp"

namespace geodescent {
namespace {

/// Takes ownership of a text and adds the last newline and padding if they are missing.
void keep(TextChunk& chunk, std::string text) {
  chunk.unterminated = !text.ends_with('\n');
  const std::size_t size = text.size() + (chunk.unterminated ? 1 : 0);
  text.resize(size + text_padding, '\n');
  chunk.own = std::make_unique<std::string>(std::move(text));
  chunk.text = std::string_view(*chunk.own).substr(0, size);
}

}  // namespace

ChunksOfMemory::ChunksOfMemory(std::string_view text, std::size_t chunk_size, std::size_t line_limit,
                               const MappedFile* file)
    : rest_(text), chunk_size_(chunk_size), line_limit_(effective_line_limit(line_limit)), file_(file) {}

bool ChunksOfMemory::next(TextChunk& chunk) {
  chunk = {};
  const std::lock_guard lock(mutex_);
  if (rest_.empty()) return false;
  chunk.number = count_++;
  // Only the last line of a chunk can be long. Parts of a mapped file that are not searched are not
  // loaded.
  const std::size_t last_line = rest_.substr(0, chunk_size_ - 1).rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t newline = rest_.substr(0, last_line + line_limit_ + 1).find('\n', chunk_size_ - 1);
  if (newline == std::string_view::npos && rest_.size() - last_line > line_limit_) {
    chunk.text = std::exchange(rest_, {}).substr(0, last_line);
    chunk.long_line_follows = true;
  } else if (newline != std::string_view::npos && newline + 1 + text_padding <= rest_.size()) {
    chunk.text = rest_.substr(0, newline + 1);
    rest_.remove_prefix(newline + 1);
  } else {  // the end has no padding, and perhaps no newline
    keep(chunk, std::string(std::exchange(rest_, {})));
  }
  return true;
}

void ChunksOfMemory::release(const TextChunk& chunk) {
  if (file_ != nullptr && !chunk.own) file_->release(chunk.text);
}

ChunksOfSource::ChunksOfSource(TextSource& source, std::string_view first, std::size_t chunk_size, int threads,
                               std::size_t line_limit)
    : source_(source),
      chunk_size_(chunk_size),
      line_limit_(effective_line_limit(line_limit)),
      begun_(first),
      ended_(first.empty()),
      most_ready_(static_cast<std::size_t>(threads) + 2) {
  if (threads <= 1) return;
  ready_.reserve(most_ready_);  // the thread must not throw
  try {
    reader_ = std::thread([this] { read_ahead(); });
  } catch (const std::system_error&) {  // the system refuses a thread: callers of `next` read
  }
}

ChunksOfSource::~ChunksOfSource() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (reader_.joinable()) reader_.join();
}

bool ChunksOfSource::next(TextChunk& chunk) {
  std::unique_lock lock(mutex_);
  if (!reader_.joinable()) return produce(chunk);
  changed_.wait(lock, [this] { return !ready_.empty() || finished_; });
  if (ready_.empty()) return false;
  chunk = std::move(ready_.front());
  ready_.erase(ready_.begin());
  lock.unlock();
  changed_.notify_all();
  return true;
}

void ChunksOfSource::read_ahead() {
  for (bool more = true; more;) {
    TextChunk chunk;
    more = produce(chunk);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ready_.size() < most_ready_ || stop_; });
    if (stop_) return;
    if (more)
      ready_.push_back(std::move(chunk));
    else
      finished_ = true;
    lock.unlock();
    changed_.notify_all();
  }
}

bool ChunksOfSource::produce(TextChunk& chunk) {
  chunk = {};
  chunk.number = count_;
  std::string text = std::exchange(begun_, {});
  try {
    if (!fill(text, chunk.long_line_follows)) return false;
    if (!text.empty()) keep(chunk, std::move(text));
  } catch (...) {
    ended_ = true;
    chunk.error = std::current_exception();
  }
  ++count_;
  return true;
}

/// Reads until there are enough whole lines, and leaves the start of the next line in begun_. A
/// line that is too long is dropped with all that follows.
bool ChunksOfSource::fill(std::string& text, bool& long_line_follows) {
  text.reserve(chunk_size_ + chunk_size_ / 4);
  std::size_t searched = 0;  // the part without a newline so far
  for (;;) {
    if (text.size() >= chunk_size_) {
      // The first line alone can span many pieces.
      if (std::min(text.find('\n', searched), text.size()) > line_limit_) {
        text.clear();
        ended_ = long_line_follows = true;
        return true;
      }
      const std::size_t newline = std::string_view(text).substr(searched).rfind('\n');
      if (newline != std::string::npos) {
        begun_ = text.substr(searched + newline + 1);
        text.resize(searched + newline + 1);
        return true;
      }
      // A NUL is always an error. Meeting it now, and not at the end of its line, ends endless
      // input such as /dev/zero.
      if (const std::size_t nul = text.find('\0', searched); nul != std::string::npos) {
        text.resize(nul + 1);
        text += '\n';
        ended_ = true;
        return true;
      }
      searched = text.size();
    }
    const std::string_view piece = ended_ ? std::string_view() : source_.read();
    ended_ = ended_ || piece.empty();
    if (ended_) return !text.empty();
    append_piece(text, piece, line_limit_);
  }
}

}  // namespace geodescent
