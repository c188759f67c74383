// `geodescent generate`: synthetic data.
#include "geodescent/data/generate.hpp"
#include "base/text/counted.hpp"
#include "files/output_file.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "common/command.hpp"
#include "common/interrupt.hpp"
#include "common/options/options.hpp"
#include "common/output.hpp"
#include "common/progress.hpp"
#include "geodescent/error.hpp"
#include "pages/help.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* generate_summary = "Writes synthetic data of a given shape.";

constexpr const char* generate_details =
    R"(Targets come from a random linear model, so there is something to learn. The same options give the same bytes on every machine. Options override the preset.

Presets, shaped like well-known data sets:

)";

constexpr const char* generate_examples = R"(Examples:

  geodescent generate --rows 1000 --features 50 data.svm
  geodescent generate --preset covtype --scale 0.01 --seed 2 small.svm
  geodescent generate --preset rcv1 | xz > rcv1.svm.xz)";

/// The options of the command line; defaults are those of the preset, or else of the library.
struct GenerateWishes {
  std::string output;
  std::string preset;
  std::optional<double> scale;
  std::optional<std::uint64_t> rows;
  std::optional<std::uint64_t> features;
  std::optional<std::uint64_t> classes;
  std::optional<double> density;
  std::optional<double> power_law;
  std::optional<double> conditioning;
  std::optional<double> noise;
  std::optional<std::uint64_t> seed;
  bool binary_values = false;
  bool positive_values = false;
  bool unit_rows = false;
  bool regression = false;
  bool quiet = false;
};

GenerateOptions preset_of(const GenerateWishes& w) {
  if (w.preset.empty()) return {};
  try {
    return preset_options(w.preset, w.scale.value_or(1));
  } catch (const InputError& error) {  // here the options are the input
    throw UsageError(error.what());
  }
}

GenerateOptions options_of(const GenerateWishes& w) {
  GenerateOptions o = preset_of(w);
  o.rows = w.rows.value_or(o.rows);
  o.features = w.features.value_or(o.features);
  o.classes = w.classes.value_or(o.classes);
  o.density = w.density.value_or(o.density);
  o.power_law = w.power_law.value_or(o.power_law);
  o.conditioning = w.conditioning.value_or(o.conditioning);
  o.label_noise = w.noise.value_or(o.label_noise);
  o.seed = w.seed.value_or(o.seed);
  o.binary_values |= w.binary_values;
  o.positive_values |= w.positive_values;
  o.unit_rows |= w.unit_rows;
  o.regression |= w.regression;
  if (o.regression && w.classes) throw UsageError("--regression has no classes; leave out --classes or --regression");
  if (!o.regression && o.label_noise > 1) throw UsageError("--noise is a part of the labels for classes, at most 1");
  return o;
}

int generate(const GenerateWishes& w) {
  const GenerateOptions options = options_of(w);
  const InterruptGuard guard;
  OutputFile file(w.output);
  ProgressLine line(w.quiet);
  std::string text;
  std::size_t rows = 0;
  generate_rows(options, [&](double target, auto indices, auto values) {
    if (interrupted() != 0) throw Interrupted{interrupted()};
    text.clear();
    append_libsvm_row(text, target, indices, values);
    file.write(text);
    ++rows;
    line.update([&] { return fmt::format("{} of {}", rows, counted(options.rows, "row")); });
  });
  file.commit();
  line.clear();
  if (!w.quiet && w.output != "-") {
    print_error(fmt::format("{}: {}, {}, seed {}\n", one_line(w.output), counted(options.rows, "row"),
                            counted(options.features, "feature"), options.seed));
  }
  return success;
}

void add_shape(Command& app, GenerateWishes& w) {
  const GenerateOptions o;
  app.start_group("Shape");
  std::vector<std::string> names;
  for (const GeneratePreset& preset : generate_presets()) names.emplace_back(preset.name);
  Option* const preset = add_choice(app, {"--preset", "", "the shape of a well-known data set"}, w.preset, names);
  Option* const scale =
      add_real(app, {"--scale", "S", "with --preset: multiplies the number of rows by S"}, w.scale, positive)
          ->needs(preset);
  add_whole(app, {"--rows", "N", fmt::format("rows (default {})", o.rows)}, w.rows, {.least = 1})->excludes(scale);
  add_whole(app, {"--features", "N", fmt::format("columns (default {})", o.features)}, w.features,
            {.least = 1, .most = 4294967294.0});
  add_whole(
      app,
      {"--classes", "K",
       fmt::format("number of classes (default {}, with the labels -1 and 1); more than two have the labels 1 to K",
                   o.classes)},
      w.classes, {.least = 2, .most = 65536});
  add_real(app, {"--density", "D", fmt::format("part of the entries that are stored (default {})", o.density)},
           w.density, {.least = 0, .least_allowed = false, .most = 1});
  add_real(app,
           {"--power-law", "P",
            "the frequency of the k-th most frequent column is proportional to 1/k^P (default 0: all equal)"},
           w.power_law, {.least = 0, .most = 4});
}

void add_values(Command& app, GenerateWishes& w) {
  app.start_group("Values");
  add_real(app, {"--conditioning", "K", "ratio of the largest and the smallest scale of a column (default 1)"},
           w.conditioning, {.least = 1, .most = 1e9});
  add_switch(app, "--binary-values", w.binary_values, "all stored values are 1, before any scaling");
  add_switch(app, "--positive-values", w.positive_values, "no negative values, as in word counts");
  add_switch(app, "--unit-rows", w.unit_rows, "rows scaled to length 1");
  add_real(app,
           {"--noise", "S", "share of the labels that are changed; regression: ratio of noise and signal (default 0)"},
           w.noise, {.least = 0, .most = 1e6});
  add_switch(app, "--regression", w.regression, "real targets instead of the classes -1 and 1");
  add_whole(app, {"--seed", "N", "another seed gives other data of the same shape (default 1)"}, w.seed, not_negative);
}

}  // namespace

void add_generate(Command& program, Action& action) {
  const auto w = std::make_shared<GenerateWishes>();
  std::string presets;
  for (const GeneratePreset& preset : generate_presets()) presets += list_line(preset.name, preset.description);
  Command& app =
      program.add_command("generate", fmt::format("{}\n\n{}{}", generate_summary, generate_details, presets));
  add_text(app, {"OUTPUT", "OUTPUT", "file for the LIBSVM text (default: standard output)"}, w->output);
  add_shape(app, *w);
  add_values(app, *w);
  app.start_group("Output");
  add_switch(app, "-q,--quiet", w->quiet, "no progress and no closing line");
  app.footer = generate_examples;
  app.callback = [w, &action] {
    action = [w] {
      if (w->output.empty()) w->output = "-";
      return generate(*w);
    };
  };
}

}  // namespace geodescent::cli
