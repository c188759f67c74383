// Files of data on the command line. Several files are one data set, one after the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geodescent::cli {

struct Command;

/// DATA..., for all words that are no options.
void add_data_files(Command& app, const std::string& description, std::vector<std::string>& data);

/// DATA... and the option --model. Without the option MODEL stands behind a single file of data,
/// and `rest` behind it.
void add_data_and_model(Command& app, const std::string& description, std::vector<std::string>& data,
                        std::string& model);
/// Call it after parsing: takes MODEL, and up to as many words as `rest` has, from the words of
/// DATA. Throws UsageError for more words than that.
void settle_data_and_model(const Command& app, std::vector<std::string>& data, std::string& model,
                           const std::vector<std::string*>& rest = {});

/// Throws UsageError if the file has data: MODEL would replace it.
void require_no_data(const std::string& path, std::string_view option = {});

}  // namespace geodescent::cli
