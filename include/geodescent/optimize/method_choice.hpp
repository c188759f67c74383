// The methods of the library, each with its settings. A method is chosen by its settings or by
// text:
//   minimize(f, Lbfgs{.memory = 10}, x0)
//   minimize(f, "lbfgs:memory=10", x0)
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "geodescent/optimize/method.hpp"

namespace geodescent {

/// The allowed values of a setting.
enum class Allowed {
  counts,          ///< 1, 2, 3, ...
  zero_or_counts,  ///< 0, 1, 2, ...
  positive,        ///< and finite
  not_negative,    ///< 0 or more, and finite
  below_one,       ///< from 0 on
  names            ///< one of a list
};

/// The line search of L-BFGS.
enum class LineSearch {
  wolfe,  ///< strong Wolfe conditions with c1 = 1e-4, c2 = 0.9
  exact   ///< a minimum along the line
};

// The settings of each method. `make` is defined in its file in src/methods. The method chooses
// settings that are empty.

/// Settings of Geometric Descent.
struct Geod {
  static constexpr std::string_view name = "geod";  ///< its name in text
  /// One line for help texts.
  static constexpr std::string_view summary =
      "Geometric Descent (Algorithm 2 of the paper); needs only the strong convexity";
  /// Balls of single points that are kept and intersected with the enclosing ball. 1 keeps only the
  /// newest, which is Algorithm 1 of the paper.
  std::size_t balls = 1;
  /// Exact line searches stop at |slope(t)| <= line_tolerance |slope(0)|. Affects the rate, never a
  /// certificate.
  double line_tolerance = 1e-2;

  /// Calls take(name, setting, allowed) for every setting.
  void each_setting(auto&& take) {
    take("balls", balls, Allowed::counts);
    take("line-tolerance", line_tolerance, Allowed::below_one);
  }
  /// The method with these settings.
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

/// Settings of Geometric Descent with fixed steps.
struct GeodFixed {
  static constexpr std::string_view name = "geod-fixed";  ///< its name in text
  /// One line for help texts.
  static constexpr std::string_view summary = "Geometric Descent with steps 1/beta (section 3, Theorem 1)";
  /// Beta; absent: that of the objective, else estimated.
  std::optional<double> smoothness = {};
  /// Exact line searches stop at |slope(t)| <= line_tolerance |slope(0)|. Affects the rate, never a
  /// certificate.
  double line_tolerance = 1e-2;

  /// Calls take(name, setting, allowed) for every setting.
  void each_setting(auto&& take) {
    take("smoothness", smoothness, Allowed::positive);
    take("line-tolerance", line_tolerance, Allowed::below_one);
  }
  /// The method with these settings.
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

/// Settings of Geometric Descent with memory, the default method.
struct GeodMemory {
  static constexpr std::string_view name = "geod-memory";  ///< its name in text
  /// One line for help texts.
  static constexpr std::string_view summary = "Geometric Descent that remembers directions and balls";
  /// Number of directions searched at once, or of pairs with quasi-Newton directions. The planner
  /// chooses the rest.
  std::optional<std::size_t> memory = {};
  /// Limit of its memory in bytes, without the data.
  double memory_limit = 2e9;
  /// One of direction_names(). With `memory` given, the default is gradients.
  std::string directions{automatic_directions};
  /// Balls of single points, besides the enclosing one.
  std::optional<std::size_t> balls = {};
  /// Number of pairs (step, change of the gradient), with the search gradients.
  std::optional<std::size_t> pairs = {};
  /// The relative gap that its memory is planned for. If absent, the gap that the run stops at.
  std::optional<double> plan_for = {};
  /// Exact line searches stop at |slope(t)| <= line_tolerance |slope(0)|. Affects the rate, never a
  /// certificate.
  double line_tolerance = 1e-2;

  /// Calls take(name, setting, allowed) for every setting.
  void each_setting(auto&& take) {
    take("memory", memory, Allowed::counts);
    take("memory-limit", memory_limit, Allowed::positive);
    take("directions", directions, Allowed::names);
    take("balls", balls, Allowed::counts);
    take("pairs", pairs, Allowed::zero_or_counts);
    take("plan-for", plan_for, Allowed::not_negative);
    take("line-tolerance", line_tolerance, Allowed::below_one);
  }
  /// The method with these settings.
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

/// Settings of the ball method.
struct BallMethod {
  static constexpr std::string_view name = "ball";  ///< its name in text
  /// One line for help texts.
  static constexpr std::string_view summary = "the suboptimal ball method (section 2.1), rate 1 - 1/kappa";
  /// Beta; absent: that of the objective, else estimated.
  std::optional<double> smoothness = {};

  /// Calls take(name, setting, allowed) for every setting.
  void each_setting(auto&& take) { take("smoothness", smoothness, Allowed::positive); }
  /// The method with these settings.
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

/// Settings of steepest descent.
struct Sd {
  static constexpr std::string_view name = "sd";  ///< its name in text
  /// One line for help texts.
  static constexpr std::string_view summary = "steepest descent with exact line search";
  /// Exact line searches stop at |slope(t)| <= line_tolerance |slope(0)|. Affects the rate, never a
  /// certificate.
  double line_tolerance = 1e-2;

  /// Calls take(name, setting, allowed) for every setting.
  void each_setting(auto&& take) { take("line-tolerance", line_tolerance, Allowed::below_one); }
  /// The method with these settings.
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

/// Settings of Nesterov's accelerated gradient.
struct Afg {
  static constexpr std::string_view name = "afg";  ///< its name in text
  /// One line for help texts.
  static constexpr std::string_view summary = "Nesterov's accelerated gradient, constant step scheme II";
  /// Beta; absent: that of the objective, else estimated.
  std::optional<double> smoothness = {};

  /// Calls take(name, setting, allowed) for every setting.
  void each_setting(auto&& take) { take("smoothness", smoothness, Allowed::positive); }
  /// The method with these settings.
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

/// Settings of accelerated gradient with restarts.
struct Afgwr {
  static constexpr std::string_view name = "afgwr";  ///< its name in text
  /// One line for help texts.
  static constexpr std::string_view summary = "accelerated gradient with function restart and exact line search";
  /// Beta; absent: that of the objective, else estimated.
  std::optional<double> smoothness = {};
  /// Exact line searches stop at |slope(t)| <= line_tolerance |slope(0)|. Affects the rate, never a
  /// certificate.
  double line_tolerance = 1e-2;

  /// Calls take(name, setting, allowed) for every setting.
  void each_setting(auto&& take) {
    take("smoothness", smoothness, Allowed::positive);
    take("line-tolerance", line_tolerance, Allowed::below_one);
  }
  /// The method with these settings.
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

/// Settings of limited-memory BFGS.
struct Lbfgs {
  static constexpr std::string_view name = "lbfgs";  ///< its name in text
  /// One line for help texts.
  static constexpr std::string_view summary = "limited-memory BFGS with strong Wolfe or exact line search";
  std::size_t memory = 100;                    ///< pairs remembered
  LineSearch line_search = LineSearch::wolfe;  ///< the conditions of a step
  double line_tolerance = 1e-2;                ///< of the exact one, as for Geod

  /// Calls take(name, setting, allowed) for every setting.
  void each_setting(auto&& take) {
    take("memory", memory, Allowed::counts);
    take("line-search", line_search, Allowed::names);
    take("line-tolerance", line_tolerance, Allowed::below_one);
  }
  /// The method with these settings.
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

/// All methods of the library, in the order in which they are listed.
using AnyMethod = std::variant<Geod, GeodFixed, GeodMemory, BallMethod, Sd, Afg, Afgwr, Lbfgs>;

/// Whether M is one of the alternatives of a variant.
template <class M, class Methods>
struct is_one_of;
/// Whether M is one of the alternatives of a variant.
template <class M, class... Methods>
struct is_one_of<M, std::variant<Methods...>> : std::bool_constant<(std::is_same_v<M, Methods> || ...)> {};

/// The default of `minimize` and `geodescent train`.
inline constexpr std::string_view default_method = GeodMemory::name;

/// A method and its settings.
class MethodChoice {
 public:
  /// The default method with its default settings.
  MethodChoice() : settings_(GeodMemory{}) {}
  /// A method by its settings.
  template <class M, class = std::enable_if_t<is_one_of<M, AnyMethod>::value>>
  MethodChoice(M method) : settings_(std::in_place_type<M>, std::move(method)) {}  // NOLINT: implicit, to be passed on
  /// "name" or "name:setting=value:setting=value". Throws std::invalid_argument, with the choices,
  /// for what is unknown, given twice, out of range or no setting of the method.
  MethodChoice(std::string_view text);  // NOLINT: as above
  /// The same for a literal.
  MethodChoice(const char* text) : MethodChoice(std::string_view(text)) {}  // NOLINT
  /// The same for a string.
  MethodChoice(const std::string& text) : MethodChoice(std::string_view(text)) {}  // NOLINT

  [[nodiscard]] std::string_view name() const;             ///< its name in text
  [[nodiscard]] bool has(std::string_view setting) const;  ///< whether the method has a setting of this name
  /// Sets a setting by its text. Throws as above.
  void set(std::string_view setting, std::string_view value);
  /// Throws std::invalid_argument if a setting is out of its range.
  void check() const;
  /// Its settings, if it is this method; otherwise null.
  template <class M>
  [[nodiscard]] M* get_if() {
    return std::get_if<M>(&settings_);
  }
  template <class M>
  /// @copydoc get_if().
  [[nodiscard]] const M* get_if() const {
    return std::get_if<M>(&settings_);
  }
  /// Its settings, as the type of the method.
  [[nodiscard]] const AnyMethod& settings() const { return settings_; }

  /// The method itself, for one run.
  [[nodiscard]] std::unique_ptr<Method> make(const Purpose& purpose = {}) const;

 private:
  AnyMethod settings_;
};

/// An entry of the list of methods.
struct MethodInfo {
  std::string_view name;     ///< its name in text
  std::string_view summary;  ///< one line for help texts
};
/// All methods.
[[nodiscard]] std::span<const MethodInfo> methods();
/// The names of the methods that have a setting of this name.
[[nodiscard]] std::vector<std::string_view> methods_with(std::string_view setting);

}  // namespace geodescent
