// What the files of `geodescent predict` share.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "geodescent/data/libsvm.hpp"
#include "geodescent/learn/prediction.hpp"

namespace geodescent::cli {

struct PredictOptions {
  std::string data;
  std::string model;
  std::string output;
  std::string output_kind;    ///< empty: labels
  std::string probabilities;  ///< LIBLINEAR's -b: 0, 1 or empty
  std::string index_base = "auto";
  std::size_t line_limit = default_line_limit;
  bool json = false;
  bool quiet = false;
};

/// The score in words.
std::string score_text(const Score& score, const LinearModel& model, bool zero_based);
/// All of it for programs, without the options.
nlohmann::ordered_json score_json(const Score& score, const LinearModel& model, bool zero_based);

}  // namespace geodescent::cli
