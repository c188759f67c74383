// The options of liblinear-train that `geodescent train` understands, each with its own meaning.
#pragma once

namespace geodescent::cli {

struct Command;
struct TrainCommand;

/// Adds -s, -B and -C, and answers to options without a counterpart. The command must have its
/// other options already.
void add_liblinear_options(Command& app, TrainCommand& target);
/// Sets what -C implies, unless other options have set it.
void settle_liblinear_options(TrainCommand& command);

}  // namespace geodescent::cli
