#include "data/assemble/row_spool.hpp"

#include <array>
#include <cstring>
#include <string_view>

namespace geodescent {
namespace {

constexpr std::size_t alignment = 8;

std::size_t padded(std::size_t size) { return (size + alignment - 1) / alignment * alignment; }

}  // namespace

void RowSpool::add(const RowChunk& chunk) {
  static_assert(sizeof(RowChunk::Shape) % alignment == 0);
  static constexpr std::array<std::byte, alignment> padding{};
  file_.append(std::as_bytes(std::span(&chunk.shape(), 1)));
  file_.append(chunk.bytes());
  file_.append(std::span(padding).first(padded(chunk.bytes().size()) - chunk.bytes().size()));
}

void RowSpool::for_each(const std::function<void(const RowChunk&)>& body) const {
  const auto file = file_.map();
  if (!file) return;
  for (std::string_view rest = file->bytes(); !rest.empty();) {
    RowChunk::Shape shape;
    std::memcpy(&shape, rest.data(), sizeof shape);
    body(RowChunk(shape, reinterpret_cast<const std::byte*>(rest.data() + sizeof shape)));
    const std::size_t size = sizeof shape + padded(shape.bytes());
    file->release(rest.substr(0, size));
    rest.remove_prefix(size);
  }
}

}  // namespace geodescent
