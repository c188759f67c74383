// Shared by the files of `geodescent predict`.
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
  std::size_t top = 0;        ///< best labels of each row; 0: not asked for
  std::string index_base = "auto";
  std::size_t line_limit = default_line_limit;
  bool json = false;
  bool quiet = false;
};

/// The score in words. `top`: labels that count for the accuracy of the best ones.
std::string score_text(const Score& score, const LinearModel& model, std::size_t top, bool zero_based);
/// All of it for programs, without the options.
nlohmann::ordered_json score_json(const Score& score, const LinearModel& model, bool zero_based);

}  // namespace geodescent::cli
