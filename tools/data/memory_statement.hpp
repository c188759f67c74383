// What training will take of the memory, said before it starts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "geodescent/data/dataset.hpp"
#include "geodescent/optimize/method.hpp"

namespace geodescent::cli {

struct MemoryStatement {
  Memory plan;  ///< its bytes are what it may keep at most: what is never reached is never touched
  double matrix_bytes = 0;
  double peak_bytes = 0;  ///< all of it, with the vectors of the data set and the program itself
  /// The peak of a run that has to leave Newton's directions for gradients; 0 where there are none to leave.
  double peak_after_guard = 0;
};

/// For a run with this memory on the data of this file.
MemoryStatement memory_statement(const Dataset& data, const std::string& path, const Memory& plan);
std::string size_text(double bytes);
std::string text_of(const MemoryStatement& statement);
nlohmann::ordered_json json_of(const MemoryStatement& statement);

}  // namespace geodescent::cli
