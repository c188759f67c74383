#include "micro/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "geodescent/data/generate.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/data/row_matrix.hpp"
#include "kernels/kernels.hpp"

namespace geodescent::bench {

const Dataset& data_like(const std::string& preset, double row_factor) {
  static std::map<std::string, Dataset> known;
  Dataset& data = known[preset];
  if (data.rows) return data;
  const char* const folder = std::getenv("GEODESCENT_BENCH_DATA");
  const std::filesystem::path file = std::filesystem::path(folder ? folder : "") / preset;
  LibsvmData read = folder && std::filesystem::exists(file) ? read_libsvm(file.string())
                                                            : generate(preset_options(preset, row_factor));
  const std::size_t nonzeros = read.rows.nonzeros();
  data = {preset, in_best_form(std::move(read.rows)), std::move(read.targets), nonzeros};
  return data;
}

double seconds_to_stream(double bytes) {
  static const Vector numbers(std::size_t{1} << 26, 1.0);
  const std::size_t count = std::min(numbers.size(), static_cast<std::size_t>(bytes / 8) + 1);
  double best = 1e9;
  for (int k = 0; k < 20; ++k) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(kernels().sum(numbers.data(), count));
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best * bytes / (8 * static_cast<double>(count));
}

void times_floor(benchmark::State& state, double seconds, double floor) { state.counters["x floor"] = seconds / floor; }

}  // namespace geodescent::bench
