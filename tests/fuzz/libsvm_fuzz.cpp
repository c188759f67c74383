// Any bytes are either rows or one InputError with a place, and the same whether they come whole,
// in pieces or in chunks that are parsed by themselves.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "data/assemble/chunk_reader.hpp"
#include "data/libsvm/libsvm_parser.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

/// The first byte of the input chooses the options, so that the fuzzer reaches all of them.
LibsvmOptions options_from(std::uint8_t byte) {
  LibsvmOptions options;
  if (byte % 3 == 1) options.index_base = IndexBase::zero;
  if (byte % 3 == 2) options.index_base = IndexBase::one;
  if (byte >= 128) options.features = byte % 16;
  return options;
}

/// Rows and outcome as one comparable list of numbers and text.
struct Outcome {
  std::vector<std::uint64_t> numbers;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

Outcome in_pieces(std::string_view text, const LibsvmOptions& options, std::size_t length) {
  Outcome outcome;
  LibsvmParser parser("t", options, [&](double label, auto indices, auto values) {
    outcome.numbers.push_back(std::bit_cast<std::uint64_t>(label));
    outcome.numbers.push_back(indices.size());
    for (const std::uint32_t index : indices) outcome.numbers.push_back(index);
    for (const double value : values) outcome.numbers.push_back(std::bit_cast<std::uint64_t>(value));
  });
  try {
    for (std::size_t begin = 0; begin < text.size(); begin += length) {
      const std::string_view view = text.substr(begin, length);
      const std::vector<char> piece(view.begin(), view.end());  // a copy: reads beyond its end are seen
      parser.feed({piece.data(), piece.size()});
    }
    parser.finish();
    outcome.numbers.push_back(parser.columns());
    outcome.numbers.push_back(parser.zero_based() ? 1 : 0);
  } catch (const InputError& error) {
    outcome.error = error.what();
    require(outcome.error.starts_with("t:") && outcome.error.find("; ") != std::string::npos);
  }
  return outcome;
}

Outcome in_chunks(std::string_view text, const LibsvmOptions& options, std::size_t length) {
  Outcome outcome;
  ChunksOfMemory chunks(text, length);
  const std::string name = "t";
  try {
    const LibsvmState state = read_chunks(chunks, name, options, [&](const RowChunk& chunk) {
      std::size_t k = 0;
      for (std::size_t i = 0; i < chunk.shape().rows; ++i) {
        outcome.numbers.push_back(std::bit_cast<std::uint64_t>(chunk.targets()[i]));
        outcome.numbers.push_back(chunk.lengths()[i]);
        chunk.visit([&](const auto* indices, const auto* values) {
          const std::size_t begin = k, end = k += chunk.lengths()[i];
          for (std::size_t j = begin; j < end; ++j) outcome.numbers.push_back(indices[j]);
          for (std::size_t j = begin; j < end; ++j)
            outcome.numbers.push_back(std::bit_cast<std::uint64_t>(values == nullptr ? chunk.shape().repeated
                                                                                     : static_cast<double>(values[j])));
        });
      }
    });
    outcome.numbers.push_back(columns_of(state, options));
    outcome.numbers.push_back(state.zero_based ? 1 : 0);
  } catch (const InputError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

/// The rows before an error may have been handed on, or not.
bool agree(const Outcome& whole, const Outcome& chunks) {
  return whole.error == chunks.error && (!whole.error.empty() || whole.numbers == chunks.numbers);
}

void check(std::string_view text, const LibsvmOptions& options, std::size_t length) {
  const Outcome whole = in_pieces(text, options, text.size() + 1);
  require(whole == in_pieces(text, options, length));
  require(whole == in_pieces(text, options, 1));
  const std::vector<char> exact(text.begin(), text.end());  // reads beyond its end are seen
  require(agree(whole, in_chunks({exact.data(), exact.size()}, options, length)));
  require(agree(whole, in_chunks({exact.data(), exact.size()}, options, 1)));
  try {
    const LibsvmData data = parse_libsvm(text, "t", options);
    require(whole.error.empty());
    require(data.targets.size() == data.rows.rows());
  } catch (const InputError& error) {
    require(whole.error == error.what());
  }
}

}  // namespace
}  // namespace geodescent

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  geodescent::check(text, {}, 7);
  if (text.empty()) return 0;
  const std::uint8_t choice = bytes[0];
  geodescent::check(std::string_view(text).substr(1), geodescent::options_from(choice), 2 + choice % 31);
  return 0;
}
