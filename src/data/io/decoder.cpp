#include "data/io/decoder.hpp"

#include <stdexcept>
#include <utility>

#ifndef GEODESCENT_NO_COMPRESSION
#include "data/io/bzip2_decoder.hpp"
#include "data/io/gzip_decoder.hpp"
#include "data/io/xz_decoder.hpp"
#include "data/io/zstd_decoder.hpp"
#endif

namespace geodescent {
namespace {

// Small enough to stay in the second-level cache until it is parsed.
constexpr std::size_t text_size = std::size_t{1} << 18;

}  // namespace

Decoder::Decoder(NextRaw next_raw) : next_raw_(std::move(next_raw)), text_(text_size) {}

std::string_view Decoder::read() {
  size_ = 0;
  while (error_ == nullptr && size_ == 0) {
    if (raw_.empty() && !raw_ended_) {
      raw_ = next_raw_();
      raw_ended_ = raw_.empty();
    }
    if (raw_ended_ && complete_) break;
    step();
    // A library may hold back text until it is called again without input. Without output then,
    // there is none left.
    const bool stuck = raw_ended_ && !complete_ && size_ == 0;
    if (stuck && error_ == nullptr) error_ = "unexpected end";
  }
  return {text_.data(), size_};
}

#ifndef GEODESCENT_NO_COMPRESSION
std::unique_ptr<Decoder> make_decoder(std::string_view format, Decoder::NextRaw next_raw) {
  if (format == "gzip") return std::make_unique<GzipDecoder>(std::move(next_raw));
  if (format == "bzip2") return std::make_unique<Bzip2Decoder>(std::move(next_raw));
  if (format == "xz") return std::make_unique<XzDecoder>(std::move(next_raw), XzDecoder::Container::xz);
  if (format == "lzma") return std::make_unique<XzDecoder>(std::move(next_raw), XzDecoder::Container::lzma);
  if (format == "zstd") return std::make_unique<ZstdDecoder>(std::move(next_raw));
  throw std::invalid_argument("no compression of this name");
}
#else
std::unique_ptr<Decoder> make_decoder(std::string_view, Decoder::NextRaw) { return nullptr; }
#endif

}  // namespace geodescent
