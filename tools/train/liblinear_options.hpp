// The options of liblinear-train that `geodescent train` understands, each with its own meaning.
#pragma once

namespace geodescent::cli {

struct Command;
struct TrainCommand;

/// -s, -B and -C; answers to those that have no counterpart. The other options of the command are there already.
void add_liblinear_options(Command& app, TrainCommand& target);
/// What -C asks for and other options have not said.
void settle_liblinear_options(TrainCommand& command);

}  // namespace geodescent::cli
