#include "common/options/data_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "common/command.hpp"
#include "common/options/command_line.hpp"
#include "common/options/options.hpp"
#include "data/binary/binary_reader.hpp"
#include "data/io/text_source.hpp"
#include "data/text/file_kind.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {

void add_data_files(Command& app, const std::string& description, std::vector<std::string>& data) {
  add_words(app, {"DATA", "DATA", description}, data)->required();
}

void add_data_and_model(Command& app, const std::string& description, std::vector<std::string>& data,
                        std::string& model) {
  add_data_files(app, description, data);
  add_text(app, {"--model", "FILE", "MODEL, for several files of data: then all others are DATA"}, model);
}

void settle_data_and_model(const Command& app, std::vector<std::string>& data, std::string& model,
                           const std::vector<std::string*>& rest) {
  if (!model.empty()) return;
  if (data.size() > 2 + rest.size())
    throw UsageError(
        fmt::format("{} files; name the model of several files of data by an option: {} --model MODEL "
                    "DATA...",
                    data.size(), full_name_of(app)));
  for (std::size_t k = 0; k < rest.size(); ++k)
    if (data.size() > 2 + k) *rest[k] = data[2 + k];
  if (data.size() > 1) model = data[1];
  data.resize(1);
}

void require_no_data(const std::string& path, std::string_view option) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  std::string start;
  try {
    TextSource source(path);
    start = source.read();
  } catch (const InputError&) {  // writing it says what is wrong
    return;
  }
  if (is_binary(start) || kind_of_file(start + '\n') == "LIBSVM text")
    throw UsageError(
        option.empty()
            ? fmt::format("{}: MODEL would replace this file, which has data; for several files of data name "
                          "the model by --model",
                          path)
            : fmt::format("{}: {} would replace this file, which has data; name another file", path, option));
}

}  // namespace geodescent::cli
