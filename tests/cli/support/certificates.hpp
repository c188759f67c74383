// Every certificate that a test produces is checked by scripts/check.py, which shares nothing with
// the library.
//
// Checked is right after the training, since tests overwrite and remove their files. One Python
// process serves all trainings of a process of tests: its start takes longer than most checks.
#pragma once

#include <string>
#include <vector>

namespace geodescent::testing {

/// What scripts/check.py has against the certificates of a training with these arguments (those
/// after `train`), which ran in `folder` (empty: here) with the file `input` as its standard input
/// and ended with `code`. Empty: nothing.
std::string objection_to_training(const std::vector<std::string>& arguments, int code, const std::string& folder,
                                  const std::string& input);

}  // namespace geodescent::testing
