// Regularised empirical risk, the objective of the paper's experiments (section 4.1):
//     f(w) = 1/n sum_i phi(a_i.w, y_i) + lambda/2 |w|^2,
// or, where rows have weights, their weighted mean; and with a free intercept F(w) = min_b f(w, b).
// Its image is the vector of margins (y_i a_i.w for classification) or predictions (a_i.w for
// regression).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/detail/row_loss.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/regularizer.hpp"
#include "geodescent/optimize/objective.hpp"

namespace geodescent {

struct RiskProblem;

/// +1 for rows of the positive class, -1 for the others: of the rows here, with the two classes of
/// all rows. Throws InputError when there are not two classes.
std::vector<std::int8_t> signs_of_classes(const Dataset& data);

/// A regularised risk, with any loss. With Bias::free the function is F(w) = min_b f(w, b), as
/// strongly convex as f is in w: the intercept is optimised wherever F is evaluated, from the image
/// alone. (With Bias::regularized it is a feature of the data.) Several threads may minimise one
/// risk at once.
///
/// Data on ranks (on_ranks): values, gradients and runs have the bits of one process with all rows,
/// for every number of ranks. All ranks call the constructor and then the same members in the same
/// order, on one thread; minimize stops on all of them when the time is up, or the observer returns
/// false, on one. There are no dual epochs; dual values are those of the rows here. An exception
/// that only some ranks get must end the others, too (MPI_Abort).
class LinearRisk : public Objective {
 public:
  /// Classification: the two labels of `data` become -1 and +1 (InputError when there are not two).
  LinearRisk(const Dataset& data, L2 regularizer, const std::shared_ptr<const RowLoss>& loss, Bias bias);

  std::size_t dimension() const override;
  double strong_convexity() const override;
  double evaluate(std::span<const double> w, std::span<double> gradient) const override;
  std::unique_ptr<Oracle> oracle() const override;

  /// An upper bound on beta that costs nothing: the largest eigenvalue of A'A/n is at most the mean
  /// of |a_i|^2.
  [[nodiscard]] double smoothness_bound() const;
  /// The optimal intercept at w; 0 when there is none. One pass each way.
  [[nodiscard]] double intercept(std::span<const double> w) const;
  /// Where the search for the intercept starts: a warm start. Not thread-safe; call it before a
  /// run.
  void expect_intercept(double b) { expected_intercept_ = b; }

 private:
  std::shared_ptr<const RiskProblem> problem_;
  double expected_intercept_;
};

/// A regularised risk with a loss of your own.
template <Loss L>
class RegularizedRisk final : public LinearRisk {
 public:
  /// The risk of these data; lambda is the strength of the regularisation.
  RegularizedRisk(const Dataset& data, double lambda, L loss = {}, Bias bias = Bias::none)
      : LinearRisk(data, L2(lambda), std::make_shared<RowLossOf<L>>(std::move(loss)), bias) {}
};

/// The risk with a loss of the library's table. No parameter: the default of the loss. Throws
/// std::invalid_argument for an unknown name or a parameter that the loss cannot have, InputError
/// for data that do not fit the loss.
[[nodiscard]] std::unique_ptr<LinearRisk> make_risk(std::string_view loss, const Dataset& data, double lambda,
                                                    std::optional<double> loss_parameter = {}, Bias bias = Bias::none);

}  // namespace geodescent
