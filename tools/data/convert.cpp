// `geodescent convert`: text to the binary form that loads at once.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/text/counted.hpp"
#include "common/command.hpp"
#include "common/options/options.hpp"
#include "common/output.hpp"
#include "common/progress.hpp"
#include "geodescent/data/convert.hpp"
#include "geodescent/threads.hpp"
#include "geodescent/version.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* convert_description =
    R"(Converts LIBSVM text to a binary file that loads in milliseconds.

Every command that reads data takes the binary file in place of the text and gives the same models, certificates and scores. The file is mapped into memory, so training works on files larger than memory. A damaged file and one of another version are refused. The conversion needs little memory for any size of the text, and room on the disk for the result twice.

The file contains the numbering of the features: --index-base and --features mean the same as for 'train'.)";

constexpr const char* convert_examples = R"(Examples:

  geodescent convert data.svm.xz data.gdm
  geodescent train data.gdm data.model
  zcat *.svm.gz | geodescent convert - all.gdm)";

struct ConvertOptions {
  std::string data;
  std::string output;
  std::string index_base = "auto";
  std::size_t line_limit = default_line_limit;
  std::optional<std::size_t> features;
  int threads = geodescent::threads();
  bool json = false;
  bool quiet = false;
};

std::string text_of(const Conversion& c, const ConvertOptions& o) {
  return fmt::format("{}: {}, {}, {}{}, stored {} in {} bytes\n", one_line(o.output), counted(c.rows, "row"),
                     counted(c.columns, "feature"), counted(c.nonzeros, "nonzero"),
                     c.zero_based ? ", indices from 0" : "", c.dense ? "dense" : "sparse", c.bytes);
}

nlohmann::ordered_json json_of(const Conversion& c, const ConvertOptions& o) {
  return {{"data", o.data == "-" ? "standard input" : o.data},
          {"output", o.output},
          {"rows", c.rows},
          {"features", c.columns},
          {"nonzeros", c.nonzeros},
          {"index_base", c.zero_based ? 0 : 1},
          {"matrix_form", c.dense ? "dense" : "sparse"},
          {"bytes", c.bytes},
          {"version", GEODESCENT_VERSION_STRING}};
}

int convert(const ConvertOptions& o) {
  if (o.json && o.output == "-")
    throw UsageError("--json and OUTPUT - both write to standard output; name a file for OUTPUT");
  require_distinct({{"OUTPUT", o.output}}, {{"DATA", o.data}});
  require_writable(o.output);
  set_threads(o.threads);
  ProgressLine line(o.quiet);
  line.announce("converting " + o.data);
  const Conversion made = convert_libsvm(
      o.data, o.output, {.index_base = index_base(o.index_base), .features = o.features, .line_limit = o.line_limit});
  line.clear();
  if (!o.quiet) o.json || o.output == "-" ? print_error(text_of(made, o)) : print_out(text_of(made, o));
  if (o.json) print_json(json_of(made, o));
  return success;
}

}  // namespace

void add_convert(Command& program, Action& action) {
  const auto o = std::make_shared<ConvertOptions>();
  Command& app = program.add_command("convert", convert_description);
  add_text(app, {"DATA", "DATA", "LIBSVM text, plain or compressed; - for standard input"}, o->data)->required();
  add_text(app, {"OUTPUT", "OUTPUT", "the binary file, usually called .gdm; - for standard output"}, o->output)
      ->required();
  add_whole(app, {"--features", "N", "number of features, if the file does not show all; a larger index is an error"},
            o->features, feature_counts);
  add_index_base(app, o->index_base);
  add_line_limit(app, o->line_limit);
  add_whole(app,
            {"--threads", "N", "number of threads; the file has the same bytes for every number (default: all cores)"},
            o->threads, {.least = 1, .most = most_threads});
  add_switch(app, "--json", o->json, "the result as JSON on standard output, the report on standard error");
  add_switch(app, "-q,--quiet", o->quiet, "no progress and no closing line; errors and --json remain");
  app.footer = convert_examples;
  app.callback = [o, &action] { action = [o] { return convert(*o); }; };
}

}  // namespace geodescent::cli
