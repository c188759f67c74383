// The memory of a training, predicted before it starts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/optimize/method.hpp"

namespace geodescent::cli {

/// The additional sizes of a training with several classes.
struct TrainingShape {
  std::size_t outputs = 1;   ///< columns of coefficients of a problem: those of softmax have one for each class
  std::size_t problems = 1;  ///< one for each class against the rest, of which each thread trains one
  std::size_t ranks = 1;     ///< among which the rows of the data are to be divided
};

struct MemoryStatement {
  Memory plan;  ///< its bytes are the largest possible; memory that is not touched does not count
  double matrix_bytes = 0;
  double peak_bytes = 0;  ///< all of it, with the vectors of the data set and the program itself
  /// The peak of a run that changes from Newton's directions to gradients; 0 if it cannot.
  double peak_after_guard = 0;
};

/// For a run with this plan on the data of these files, working on this number of columns: of each
/// rank. Data on ranks are divided already.
MemoryStatement memory_statement(const Dataset& data, std::size_t used_columns, const std::vector<std::string>& paths,
                                 const Memory& plan, const TrainingShape& shape = {});
std::string size_text(double bytes);
std::string text_of(const MemoryStatement& statement);
nlohmann::ordered_json json_of(const MemoryStatement& statement);

}  // namespace geodescent::cli
