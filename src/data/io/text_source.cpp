// Plain files are read directly, compressed ones through a decoder of their format: no external
// program is ever started.
#include "data/io/text_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/core.h>

namespace geodescent {
namespace {

// Large enough to make system calls cheap, small enough to stay in the second-level cache between
// read and parse.
constexpr std::size_t buffer_size = std::size_t{1} << 18;

struct Compression {
  std::string_view magic;
  std::string_view name;
};

using std::string_view_literals::operator""sv;
constexpr std::array compressions{
    Compression{"\x1f\x8b"sv, "gzip"},         Compression{"BZh"sv, "bzip2"},     Compression{"\xfd\x37zXZ\0"sv, "xz"},
    Compression{"\x28\xb5\x2f\xfd"sv, "zstd"}, Compression{"\x5d\0\0"sv, "lzma"},
};
constexpr std::size_t longest_magic = 6;
// The bytes that are read to recognise a format; the file is then often mapped and not read
// further.
constexpr std::size_t first_look = 4096;

/// A skippable frame may precede those of zstd, as pzstd writes it.
bool is_skippable_frame(std::string_view start) {
  return start.size() >= 4 && (static_cast<unsigned char>(start[0]) & 0xf0) == 0x50 &&
         start.substr(1, 3) == "\x2a\x4d\x18"sv;
}

/// The compression that the first bytes announce; empty for none. None of these bytes can start
/// LIBSVM text.
std::string_view compression_of(std::string_view start) {
  for (const Compression& c : compressions) {
    if (start.substr(0, c.magic.size()) == c.magic) return c.name;
  }
  return is_skippable_frame(start) ? "zstd" : "";
}

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void throw_cannot_open(const std::string& name, int error) {
  if (error == ENOENT) throw ReadError(fmt::format("{}: no such file; check the path", name));
  if (error == EACCES) throw ReadError(fmt::format("{}: no permission to read it; change its mode (chmod +r)", name));
  throw ReadError(fmt::format("{}: cannot open: {}; check the path", name, reason(error)));
}

}  // namespace

InputFile::InputFile(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw_cannot_open(name_, errno);
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return;  // the first read reports the error
  if (S_ISDIR(status.st_mode)) {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
    throw ReadError(fmt::format("{}: is a folder; give a file of it", name_));
  }
  if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() {
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

std::size_t InputFile::read(std::span<char> buffer) {
  for (;;) {
    const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EINTR) continue;
    throw ReadError(fmt::format("{}: cannot read: {}; check the device or copy the file again", name_, reason(errno)));
  }
}

TextSource::TextSource(const std::string& path)
    : file_(path), buffer_(std::make_unique_for_overwrite<char[]>(buffer_size)) {
  while (pending_ < longest_magic) {  // a pipe may return single bytes
    const std::size_t count = file_.read(std::span(buffer_.get(), first_look).subspan(pending_));
    if (count == 0) break;
    pending_ += count;
  }
  format_ = compression_of({buffer_.get(), pending_});
  if (format_.empty()) return;
  decoder_ = make_decoder(format_, [this] { return next_raw(); });
  if (!decoder_)
    throw InputError(
        fmt::format("{}: {} data, but this build does not read compressed data; decompress the file, or build "
                    "geodescent with -DGEODESCENT_COMPRESSION=ON",
                    name(), format_));
}

TextSource::~TextSource() = default;

std::string_view TextSource::read() {
  if (format_.empty()) return next_raw();
  if (!decoder_) return {};
  const std::string_view text = decoder_->read();
  if (decoder_->error() != nullptr) throw_broken(decoder_->error());
  if (!text.empty()) return text;
  decoder_.reset();  // frees the dictionary, which may be large, before the matrix is made
  return {};
}

std::string_view TextSource::next_raw() {
  const std::size_t count = pending_ > 0 ? std::exchange(pending_, 0) : file_.read({buffer_.get(), buffer_size});
  return {buffer_.get(), count};
}

std::size_t decoder_bytes(const std::string& path) try {
  std::error_code error;
  if (path == "-" || !std::filesystem::is_regular_file(path, error)) return 0;
  TextSource source(path);
  source.read();
  return source.decoder_bytes();
} catch (const InputError&) {  // it was readable before and has changed since
  return 0;
}

void TextSource::throw_broken(const char* detail) const {
  throw InputError(fmt::format("{}: the {} data is truncated or corrupt ({}); copy or download the file again", name(),
                               format_, detail));
}

}  // namespace geodescent
