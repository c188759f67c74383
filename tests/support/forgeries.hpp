// What a forger does who has the files: changes one word and updates the checksum.
#pragma once

#include <string>
#include <vector>

#include "geodescent/data/dataset.hpp"

namespace geodescent::testing {

struct Forgery {
  std::string text;
  std::string what;
};

/// Each word of each line of a certified model except the dual point, with each of many
/// replacements.
std::vector<Forgery> forgeries(const std::string& text);

/// The data as `verify` reads them: with the class weights that the certificate states. Throws
/// InputError where a label has no rows then.
Dataset with_class_weights(Dataset data, const std::vector<ClassWeight>& of_classes);

}  // namespace geodescent::testing
