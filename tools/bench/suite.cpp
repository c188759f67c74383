#include "bench/suite.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "catalogue/catalogue.hpp"
#include "common/output.hpp"
#include "experiments/paper/paper.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {
namespace {

constexpr std::size_t quick_nonzeros = 35'000;
constexpr std::size_t quick_rows = 200;  // of stand-ins

constexpr const char* remedies =
    "get the data with 'geodescent fetch', name a folder that has them with --data, or use generated data with "
    "--stand-ins";

std::vector<std::string> wanted_sets(const SuiteOptions& suite) {
  if (!suite.sets.empty()) return suite.sets;
  std::vector<std::string> names;
  for (const std::string& name : lab::paper_suite())
    if (!suite.quick || lab::find_entry(name)->nonzeros <= quick_nonzeros) names.push_back(name);
  return names;
}

std::vector<lab::DataSource> find_sources(const SuiteOptions& o, const BenchOutput& output, lab::Report& report) {
  const auto generated = [&] {
    report.warnings.push_back(
        "The data are generated, with the shapes of well-known sets. They are not the data of the paper and say "
        "nothing "
        "about its experiment.");
    return o.quick ? lab::stand_ins(quick_rows) : lab::stand_ins();
  };
  if (o.stand_ins) return generated();
  const std::string folder = o.data.empty() ? lab::default_data_folder() : o.data;
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    if (!o.data.empty()) throw InputError(fmt::format("{}: no such folder; {}", folder, remedies));
    if (!o.quick || !o.sets.empty()) throw InputError(fmt::format("{}: no data sets; {}", folder, remedies));
    if (!output.quiet)
      print_error(fmt::format("geodescent: no data sets in {}; this run uses generated data ({})\n", one_line(folder),
                              remedies));
    return generated();
  }
  lab::Suite suite = lab::sets_in(folder, wanted_sets(o));
  if (suite.sources.empty())
    throw InputError(
        fmt::format("{}: none of the data sets is there ({}); {}", folder, fmt::join(suite.missing, ", "), remedies));
  if (!suite.missing.empty() && !o.sets.empty())
    throw InputError(fmt::format("{}: missing: {}; {}", folder, fmt::join(suite.missing, ", "), remedies));
  if (!suite.missing.empty())
    report.warnings.push_back(
        fmt::format("Missing in the data folder, and so not part of this run: {}.", fmt::join(suite.missing, ", ")));
  return std::move(suite.sources);
}

}  // namespace

void add_suite(Command& app, SuiteOptions& o, const std::string& quick) {
  app.start_group("The data");
  add_text(app, {"--data", "DIR", "the folder with the data sets (default: where 'geodescent fetch' puts them)"},
           o.data);
  Option* const sets = add_list(app, {"--sets", "LIST", "names of the sets (default: the paper's suite)"}, o.sets);
  add_switch(app, "--stand-ins", o.stand_ins, "uses generated data with the shapes of well-known sets")->excludes(sets);
  add_switch(app, "--quick", o.quick, quick);
}

void make_quick(DataBenchOptions& bench, Command& given) {
  lab::ExperimentOptions& e = bench.experiment;
  if (!given.option("--l2")->given) e.lambdas = {1e-4, 1e-6, 1e-8};
  if (!given.option("--max-iterations")->given) e.limits.iterations = 2000;
  if (!given.option("--decades")->given) bench.decades = 6;
}

std::vector<lab::DataSource> sources_of(const SuiteOptions& o, const BenchOutput& output, lab::Report& report) {
  std::vector<lab::DataSource> sources = find_sources(o, output, report);
  for (const std::string& warning : report.warnings)
    if (!output.quiet) print_error(fmt::format("geodescent: {}\n", one_line(warning)));
  return sources;
}

}  // namespace geodescent::cli
