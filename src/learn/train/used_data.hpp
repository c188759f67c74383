// The data that a training works on: without the columns that have no entries, where these are
// many. Their optimal coefficients are 0. Proofs use the original data. Internal to the library.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "data/ranks/shared_rows.hpp"
#include "geodescent/data/dataset.hpp"
#include "matrix/used_columns.hpp"

namespace geodescent {

class UsedData {
 public:
  /// Borrows the data.
  explicit UsedData(const Dataset& data) : all_(data) {
    if (std::optional<UsedColumns> used = used_columns(data)) {
      reduced_ = data;
      reduced_.rows = used->reduced(*data.rows);
      if (data.ranks) data.ranks->order_rows(reduced_);
      used_ = std::make_shared<const UsedColumns>(std::move(*used));
    }
  }
  /// For data with the same matrix: the reduced one is shared.
  UsedData(const UsedData& other, const Dataset& data) : all_(data), used_(other.used_) {
    if (!used_) return;
    reduced_ = data;
    reduced_.rows = other.reduced_.rows;
  }
  UsedData(const UsedData&) = delete;
  UsedData& operator=(const UsedData&) = delete;

  const Dataset& all() const { return all_; }  ///< the original data
  const Dataset& data() const { return used_ ? reduced_ : all_; }
  /// From coefficients of all columns, to coefficients of all columns; `outputs` consecutive ones
  /// for each column.
  Vector reduced(Vector x, std::size_t outputs = 1) const {
    return used_ ? used_->reduced(std::span<const double>(x), outputs) : x;
  }
  Vector expanded(Vector x, std::size_t outputs = 1) const { return used_ ? used_->expanded(x, outputs) : x; }

 private:
  static std::optional<UsedColumns> used_columns(const Dataset& data) {
    if (!data.ranks) return UsedColumns::of(*data.rows);
    return UsedColumns::of(*data.rows, data.ranks->nonzeros, *data.ranks->ranks);
  }

  const Dataset& all_;
  std::shared_ptr<const UsedColumns> used_;
  Dataset reduced_;
};

}  // namespace geodescent
