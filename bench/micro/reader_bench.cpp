// The speed of reading LIBSVM text, on one thread and on all: from a file in the page cache, as
// text and in binary form. The lower bounds are finding the newlines of the text, and adding up the
// bytes of the matrix.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/parallel.hpp"
#include "files/mapped_file.hpp"
#include "geodescent/data/convert.hpp"
#include "geodescent/data/generate.hpp"
#include "geodescent/data/libsvm.hpp"

namespace {

using namespace geodescent;

struct Shape {
  const char* preset;
  double row_factor;
};

// About 70, 45 and 60 MB of text, which exceeds the caches.
constexpr Shape a9a{"a9a", 30};
constexpr Shape rcv1{"rcv1", 2};
constexpr Shape news20{"news20", 0.5};

/// Text and binary form of a generated set; deleted at exit.
class Files {
 public:
  explicit Files(const Shape& shape)
      : base_((std::filesystem::temp_directory_path() /
               ("geodescent-bench-" + std::to_string(::getpid()) + "-" + shape.preset))
                  .string()) {
    std::string rows;
    std::ofstream out(text(), std::ios::binary);
    generate_rows(preset_options(shape.preset, shape.row_factor), [&](double target, auto indices, auto values) {
      rows.clear();
      append_libsvm_row(rows, target, indices, values);
      out << rows;
    });
    out.close();
    convert_libsvm(text(), binary());
  }
  ~Files() {
    std::filesystem::remove(text());
    std::filesystem::remove(binary());
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  std::string text() const { return base_ + ".svm"; }
  std::string binary() const { return base_ + ".gdm"; }

 private:
  std::string base_;
};

const Files& files_of(const Shape& shape) {
  static std::map<std::string, Files> files;
  return files.try_emplace(shape.preset, shape).first->second;
}

void count_bytes(benchmark::State& state, const std::string& path) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(std::filesystem::file_size(path)));
}

void read_file(benchmark::State& state, const std::string& path) {
  const int before = threads();
  if (state.range(0) > 0) set_threads(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(read_dataset(path));
  set_threads(before);
  count_bytes(state, path);
}

void read_text(benchmark::State& state, const Shape& shape) { read_file(state, files_of(shape).text()); }
void load_binary(benchmark::State& state, const Shape& shape) { read_file(state, files_of(shape).binary()); }

void find_newlines(benchmark::State& state, const Shape& shape) {
  const std::string path = files_of(shape).text();
  for (auto _ : state) {
    const auto file = MappedFile::open(path);
    const char* p = file->bytes().data();
    const char* const end = p + file->bytes().size();
    std::size_t lines = 0;
    for (; p < end; ++p, ++lines) {
      p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
      if (p == nullptr) break;
    }
    benchmark::DoNotOptimize(lines);
  }
  count_bytes(state, path);
}

void add_up_binary(benchmark::State& state, const Shape& shape) {
  const std::string path = files_of(shape).binary();
  for (auto _ : state) {
    const auto file = MappedFile::open(path);
    std::uint64_t sum = 0, word = 0;
    for (std::size_t k = 0; k + sizeof word <= file->bytes().size(); k += sizeof word) {
      std::memcpy(&word, file->bytes().data() + k, sizeof word);
      sum += word;
    }
    benchmark::DoNotOptimize(sum);
  }
  count_bytes(state, path);
}

// The argument is the number of threads; 0 means all.
#define GEODESCENT_READ(shape)                                                                                \
  BENCHMARK_CAPTURE(read_text, shape, shape)->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);   \
  BENCHMARK_CAPTURE(find_newlines, shape, shape)->UseRealTime()->Unit(benchmark::kMillisecond);               \
  BENCHMARK_CAPTURE(load_binary, shape, shape)->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(add_up_binary, shape, shape)->UseRealTime()->Unit(benchmark::kMillisecond)

GEODESCENT_READ(a9a);
GEODESCENT_READ(rcv1);
GEODESCENT_READ(news20);

}  // namespace
