// The data sets of the paper, as `bench paper` and `bench balls` find them.
#pragma once

#include <string>
#include <vector>

#include "bench/data.hpp"

namespace geodescent::cli {

struct SuiteOptions {
  std::string data;
  std::vector<std::string> sets;
  bool stand_ins = false;
  bool quick = false;
};

/// --data, --sets, --stand-ins and --quick, which `quick` explains.
void add_suite(Command& app, SuiteOptions& suite, const std::string& quick);

/// Small sets, three regularisations, six decades, 2000 iterations, unless they were given.
void make_quick(DataBenchOptions& bench, Command& given);

/// The sets, or stand-ins for them. Notes for the reader go to the warnings of the report and to
/// standard error. Throws InputError if there are none.
std::vector<lab::DataSource> sources_of(const SuiteOptions& suite, const BenchOutput& output, lab::Report& report);

}  // namespace geodescent::cli
