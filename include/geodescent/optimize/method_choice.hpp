// The methods of the library, each with its settings. A method is chosen by its settings or by text:
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

/// What a setting may be.
enum class Allowed {
  counts,          ///< 1, 2, 3, ...
  zero_or_counts,  ///< 0, 1, 2, ...
  positive,        ///< and finite
  not_negative,
  below_one,  ///< from 0 on
  names       ///< one of a list
};

enum class LineSearch { wolfe, exact };

// Each has a name and a summary, tells its settings with the names they have in text, and makes the method; that is
// defined in its file in src/methods. What is absent is chosen by the method.
//
// smoothness: beta. If absent, the objective's; if that is unknown, estimated.
// line_tolerance: exact line searches stop at |slope(t)| <= line_tolerance |slope(0)|. It affects the rate, never a
// certificate; below 1e-1 no effect on the number of iterations was seen (docs/explanations/method.md).

struct Geod {
  static constexpr std::string_view name = "geod";
  static constexpr std::string_view summary =
      "Geometric Descent (Algorithm 2 of the paper); needs only the strong convexity";
  /// Balls of single points that are kept and intersected with the enclosing ball. 1 keeps only the newest, which is
  /// Algorithm 1 of the paper.
  std::size_t balls = 1;
  double line_tolerance = 1e-2;

  void each_setting(auto&& take) {
    take("balls", balls, Allowed::counts);
    take("line-tolerance", line_tolerance, Allowed::below_one);
  }
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

struct GeodFixed {
  static constexpr std::string_view name = "geod-fixed";
  static constexpr std::string_view summary = "Geometric Descent with steps 1/beta (section 3, Theorem 1)";
  std::optional<double> smoothness = {};
  double line_tolerance = 1e-2;

  void each_setting(auto&& take) {
    take("smoothness", smoothness, Allowed::positive);
    take("line-tolerance", line_tolerance, Allowed::below_one);
  }
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

struct GeodMemory {
  static constexpr std::string_view name = "geod-memory";
  static constexpr std::string_view summary = "Geometric Descent that remembers directions and balls";
  /// Directions searched at once, or pairs where it searches quasi-Newton directions; the rest is chosen beside them.
  std::optional<std::size_t> memory = {};
  /// What it keeps may take so many bytes.
  double memory_limit = 2e9;
  /// One of direction_names(). Where it is open and `memory` is given, gradients.
  std::string directions{automatic_directions};
  /// Balls of single points, besides the enclosing one.
  std::optional<std::size_t> balls = {};
  /// Of steps and changes of the gradient, where it searches gradients.
  std::optional<std::size_t> pairs = {};
  /// The relative gap that its memory is planned for. If absent, the gap that the run stops at.
  std::optional<double> plan_for = {};
  double line_tolerance = 1e-2;

  void each_setting(auto&& take) {
    take("memory", memory, Allowed::counts);
    take("memory-limit", memory_limit, Allowed::positive);
    take("directions", directions, Allowed::names);
    take("balls", balls, Allowed::counts);
    take("pairs", pairs, Allowed::zero_or_counts);
    take("plan-for", plan_for, Allowed::not_negative);
    take("line-tolerance", line_tolerance, Allowed::below_one);
  }
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

struct BallMethod {
  static constexpr std::string_view name = "ball";
  static constexpr std::string_view summary = "the suboptimal ball method (section 2.1), rate 1 - 1/kappa";
  std::optional<double> smoothness = {};

  void each_setting(auto&& take) { take("smoothness", smoothness, Allowed::positive); }
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

struct Sd {
  static constexpr std::string_view name = "sd";
  static constexpr std::string_view summary = "steepest descent with exact line search";
  double line_tolerance = 1e-2;

  void each_setting(auto&& take) { take("line-tolerance", line_tolerance, Allowed::below_one); }
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

struct Afg {
  static constexpr std::string_view name = "afg";
  static constexpr std::string_view summary = "Nesterov's accelerated gradient, constant step scheme II";
  std::optional<double> smoothness = {};

  void each_setting(auto&& take) { take("smoothness", smoothness, Allowed::positive); }
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

struct Afgwr {
  static constexpr std::string_view name = "afgwr";
  static constexpr std::string_view summary = "accelerated gradient with function restart and exact line search";
  std::optional<double> smoothness = {};
  double line_tolerance = 1e-2;

  void each_setting(auto&& take) {
    take("smoothness", smoothness, Allowed::positive);
    take("line-tolerance", line_tolerance, Allowed::below_one);
  }
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

struct Lbfgs {
  static constexpr std::string_view name = "lbfgs";
  static constexpr std::string_view summary = "limited-memory BFGS with strong Wolfe or exact line search";
  std::size_t memory = 100;                    ///< pairs remembered
  LineSearch line_search = LineSearch::wolfe;  ///< strong Wolfe with c1 = 1e-4, c2 = 0.9
  double line_tolerance = 1e-2;                ///< of the exact one

  void each_setting(auto&& take) {
    take("memory", memory, Allowed::counts);
    take("line-search", line_search, Allowed::names);
    take("line-tolerance", line_tolerance, Allowed::below_one);
  }
  std::unique_ptr<Method> make(const Purpose& purpose) const;
};

/// All methods of the library, in the order in which they are listed.
using AnyMethod = std::variant<Geod, GeodFixed, GeodMemory, BallMethod, Sd, Afg, Afgwr, Lbfgs>;

template <class M, class Methods>
struct is_one_of;
template <class M, class... Methods>
struct is_one_of<M, std::variant<Methods...>> : std::bool_constant<(std::is_same_v<M, Methods> || ...)> {};

/// What `minimize` and `geodescent train` use unless told otherwise.
inline constexpr std::string_view default_method = GeodMemory::name;

/// A method and its settings.
class MethodChoice {
 public:
  MethodChoice() : settings_(GeodMemory{}) {}
  template <class M, class = std::enable_if_t<is_one_of<M, AnyMethod>::value>>
  MethodChoice(M method) : settings_(std::in_place_type<M>, std::move(method)) {}  // NOLINT: implicit, to be passed on
  /// "name" or "name:setting=value:setting=value". Throws std::invalid_argument, with the choices, for what is unknown,
  /// given twice, out of range or no setting of the method.
  MethodChoice(std::string_view text);                                             // NOLINT: as above
  MethodChoice(const char* text) : MethodChoice(std::string_view(text)) {}         // NOLINT
  MethodChoice(const std::string& text) : MethodChoice(std::string_view(text)) {}  // NOLINT

  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] bool has(std::string_view setting) const;
  /// As in text. Throws as above.
  void set(std::string_view setting, std::string_view value);
  /// Throws std::invalid_argument if a setting is out of its range.
  void check() const;
  /// Its settings, if it is this method; otherwise null.
  template <class M>
  [[nodiscard]] M* get_if() {
    return std::get_if<M>(&settings_);
  }
  template <class M>
  [[nodiscard]] const M* get_if() const {
    return std::get_if<M>(&settings_);
  }
  [[nodiscard]] const AnyMethod& settings() const { return settings_; }

  [[nodiscard]] std::unique_ptr<Method> make(const Purpose& purpose = {}) const;

 private:
  AnyMethod settings_;
};

struct MethodInfo {
  std::string_view name;
  std::string_view summary;
};
/// What there is to choose from.
[[nodiscard]] std::span<const MethodInfo> methods();
/// The names of the methods that have a setting of this name.
[[nodiscard]] std::vector<std::string_view> methods_with(std::string_view setting);

}  // namespace geodescent
