#include "learn/model_file/columns.hpp"

namespace geodescent {

LinearModel column_of(const LinearModel& model, std::size_t k) {
  const std::size_t outputs = model.outputs();
  LinearModel column;
  column.risk = model.risk;
  column.zero_based = model.zero_based;
  std::size_t rows = 0;
  for (const ClassRows& one : model.classes) rows += one.rows;
  column.labels = BinaryLabels{-1, 1, rows - model.classes[k].rows, model.classes[k].rows};
  column.weights.resize(model.features());
  for (std::size_t j = 0; j < column.weights.size(); ++j) column.weights[j] = model.weights[j * outputs + k];
  if (!model.bias_weights.empty()) column.bias_weights = {model.bias_weights[k]};
  return column;
}

}  // namespace geodescent
