// The area under the ROC curve, in constant memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace geodescent {

/// A number that is known to lie between two others; known exactly when they are equal.
struct Interval {
  double low = 0;   ///< the lower end
  double high = 0;  ///< the upper end

  double middle() const { return low + 0.5 * (high - low); }  ///< the middle
  double half_width() const { return 0.5 * (high - low); }    ///< half of its length
};

/// The area under the ROC curve: of all pairs of a positive and a negative row, the part where the
/// positive row has the larger decision value, equal ones counted half. Exact up to `most_kept`
/// rows. More rows are counted in 2^20 bins by the leading bits of their values; pairs within a bin
/// widen the interval.
class RocArea {
 public:
  /// The default number of rows that are kept.
  static constexpr std::size_t default_most_kept = std::size_t{1} << 21;

  /// Keeps at most `most_kept` rows.
  explicit RocArea(std::size_t most_kept = default_most_kept) : most_kept_(most_kept) {}

  void add(double decision, bool positive);  ///< adds a row
  /// Empty when there is no such pair, and when a decision value was not a number.
  std::optional<Interval> value() const;

 private:
  void count(std::uint64_t key, bool positive);
  void fold_into_bins();
  Interval exact_value() const;
  Interval binned_value() const;

  std::size_t most_kept_;
  std::uint64_t positives_ = 0;
  std::uint64_t negatives_ = 0;
  bool ordered_ = true;  ///< no decision value was nan
  // Decision values as whole numbers in the same order.
  std::vector<std::uint64_t> positive_keys_;
  std::vector<std::uint64_t> negative_keys_;
  std::vector<std::array<std::uint64_t, 2>> bins_;  ///< negative and positive rows of each; empty if all are kept
};

}  // namespace geodescent
