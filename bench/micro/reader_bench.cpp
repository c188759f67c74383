// How fast LIBSVM text becomes a matrix, on one thread: from memory, and from a file in the page cache.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "geodescent/generate.hpp"
#include "geodescent/libsvm.hpp"

namespace {

using namespace geodescent;

struct Shape {
  const char* preset;
  double row_factor;
};

// About 70 and 45 MB of text: more than the caches hold.
constexpr Shape a9a{"a9a", 30};
constexpr Shape rcv1{"rcv1", 2};

const std::string& text_of(const Shape& shape) {
  static std::map<std::string, std::string> texts;
  std::string& text = texts[shape.preset];
  if (text.empty()) {
    generate_rows(preset_options(shape.preset, shape.row_factor),
                  [&](double target, auto indices, auto values) { append_libsvm_row(text, target, indices, values); });
  }
  return text;
}

void count_bytes(benchmark::State& state, std::size_t size) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(size));
}

void parse_memory(benchmark::State& state, const Shape& shape) {
  const std::string& text = text_of(shape);
  for (auto _ : state) benchmark::DoNotOptimize(parse_libsvm(text, "memory"));
  count_bytes(state, text.size());
}

void read_file(benchmark::State& state, const Shape& shape) {
  const std::string& text = text_of(shape);
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("geodescent-bench-" + std::to_string(::getpid()) + "-" + shape.preset + ".svm");
  std::ofstream(path, std::ios::binary) << text;
  for (auto _ : state) benchmark::DoNotOptimize(read_libsvm(path.string()));
  std::filesystem::remove(path);
  count_bytes(state, text.size());
}

BENCHMARK_CAPTURE(parse_memory, a9a, a9a)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parse_memory, rcv1, rcv1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_file, a9a, a9a)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_file, rcv1, rcv1)->Unit(benchmark::kMillisecond);

}  // namespace
