// The parts of a model file, for readers and writers of certificates. Internal to the library.
#pragma once

#include <string>
#include <string_view>

#include "data/io/text_source.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent {

class OutputFile;

/// The first word of a certificate, in a file of its own or behind a model.
inline constexpr std::string_view certificate_first_word = "geodescent-certificate";
inline constexpr std::string_view certificate_version = "2";
inline constexpr std::string_view certificate_version_of_classes = "3";  ///< of models with several columns

/// Both parts of the model: LIBLINEAR's and ours.
void write_model_parts(const LinearModel& model, OutputFile& file);

/// The text of a model up to its certificate. The bytes of the certificate that have been read go
/// to `certificate`. `text`: bytes of the model that have been read before.
std::string read_model_text(TextSource& source, std::string& certificate, std::string text = {});

}  // namespace geodescent
