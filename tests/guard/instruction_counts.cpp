// Three fixed runs whose instructions callgrind counts: a slowdown shows as a number, on a busy
// machine as on an idle one.
//     instruction_counts RUN          does the run; only its work is counted, not making its data
//     instruction_counts --compiler   prints whose counts in counts.txt are to be compared with
// Exit code 77: counts of this build, or on this processor, are not comparable; the reason is
// printed.
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "geodescent/data/generate.hpp"
#include "geodescent/geodescent.hpp"
#include "geodescent/instruction_set.hpp"
#include "support/temporary_folder.hpp"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION static_cast<void>(0)
#define CALLGRIND_STOP_INSTRUMENTATION static_cast<void>(0)
#define GEODESCENT_COUNTS_NOTHING
#endif

namespace geodescent {
namespace {

constexpr int not_comparable = 77;

/// Empty when the counts can be compared with those of other machines.
std::string why_not_comparable() {
#ifdef GEODESCENT_COUNTS_NOTHING
  return "valgrind/callgrind.h was not found when this was compiled (Debian: apt-get install valgrind)";
#elif defined(__x86_64__)
  // Some code beside the kernels, the C library's included, is compiled for several processors and
  // chosen at start. Valgrind knows no instructions beyond these, so that all processors that have
  // them count the same.
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return "the recorded counts are those of processors with AVX2 and FMA, which this one has not";
#endif
  return GEODESCENT_COUNTS_ARE_NOT_COMPARABLE;
}

std::string compiler() {
#if defined(__clang__)
  const std::string name = "clang-" + std::to_string(__clang_major__);
#elif defined(__GNUC__)
  const std::string name = "gcc-" + std::to_string(__GNUC__);
#else
  const std::string name = "unknown";
#endif
  return name + "-" GEODESCENT_PROCESSOR;
}

void count(const std::function<void()>& work) {
  CALLGRIND_START_INSTRUMENTATION;
  work();
  CALLGRIND_STOP_INSTRUMENTATION;
}

void train_and_count(const GenerateOptions& shape, const Risk& risk, std::string_view directions) {
  const Dataset data = dataset_of(generate(shape), "generated");
  TrainOptions options;
  // What is chosen from the sizes today may be chosen differently tomorrow; each run is to keep its
  // kind of work.
  options.method = GeodMemory{.directions = std::string(directions)};
  // Without the proof: what is counted is the minimisation.
  const std::unique_ptr<LinearRisk> f = make_risk(risk.loss, data, risk.l2, {}, risk.bias);
  Result run;
  count([&] { run = minimize(*f, options.method, {}, run_options(options)); });
  if (run.status != Status::converged) throw std::runtime_error("it did not converge: " + run.message);
  std::printf("%zu iterations\n", static_cast<std::size_t>(run.iterations));
}

/// Few columns: Newton's directions, sums of losses over many rows, reduced Hessians.
void newton() {
  train_and_count({.rows = 12000, .features = 60, .density = 0.2, .conditioning = 30, .label_noise = 0.05, .seed = 11},
                  {.loss = "logistic", .l2 = 1e-4, .bias = Bias::free}, "newton");
}

/// More columns than rows: gradients, remembered as combinations of the rows.
void wide() {
  train_and_count({.rows = 300, .features = 3000, .density = 0.02, .power_law = 1, .label_noise = 0.05, .seed = 12},
                  {.loss = "smoothed-hinge", .l2 = 1e-4, .bias = Bias::none}, "gradients");
}

/// LIBSVM text of 3 MB, from the file to the matrix.
void read() {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "data.svm";
  std::string text;
  generate_rows({.rows = 4000, .features = 5000, .density = 0.012, .power_law = 1, .unit_rows = true, .seed = 13},
                [&](double target, auto indices, auto values) { append_libsvm_row(text, target, indices, values); });
  std::ofstream(path) << text;
  Dataset data;
  count([&] { data = read_dataset(path); });
  std::printf("%zu rows\n", data.rows->rows());
}

struct Run {
  std::string_view name;
  void (*work)();
};
constexpr Run runs[] = {{"newton", newton}, {"wide", wide}, {"read", read}};

int run(std::string_view wanted) {
  if (const std::string reason = why_not_comparable(); !reason.empty()) {
    std::printf("%s\n", reason.c_str());
    return not_comparable;
  }
  if (wanted == "--compiler") {
    std::printf("%s\n", compiler().c_str());
    return 0;
  }
  set_threads(1);
  set_instruction_set(InstructionSet::portable);
  for (const Run& candidate : runs)
    if (candidate.name == wanted) {
      candidate.work();
      return 0;
    }
  throw std::runtime_error("there is no run of this name");
}

}  // namespace
}  // namespace geodescent

int main(int argc, char** argv) {
  const std::string wanted = argc == 2 ? argv[1] : "";
  try {
    return geodescent::run(wanted);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "instruction_counts %s: %s\n", wanted.c_str(), error.what());
    return 1;
  }
}
