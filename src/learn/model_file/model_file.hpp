// The parts of a model file, for who reads or writes more than the model itself. Internal to the library.
#pragma once

#include <string>
#include <string_view>

#include "data/io/text_source.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent {

class OutputFile;

/// A certificate begins with this word, in a file of its own or behind a model.
inline constexpr std::string_view certificate_first_word = "geodescent-certificate";
inline constexpr std::string_view certificate_version = "2";

/// Both parts of the model: LIBLINEAR's and ours.
void write_model_parts(const LinearModel& model, OutputFile& file);

/// The text of a model as far as its certificate, if it has one, whose beginning goes to `certificate`, as far as it
/// was read. `text` is what has been read of it before.
std::string read_model_text(TextSource& source, std::string& certificate, std::string text = {});

}  // namespace geodescent
