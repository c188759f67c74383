// A function of the caller.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>

#include "watch.hpp"

namespace geodescent::python {
namespace {

using Gradient = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// f(x) -> (value, gradient), called with the GIL. Each call gets an array of its own, which f may
/// keep.
double evaluate(const nb::object& f, std::span<const double> x, std::span<double> gradient) {
  const nb::gil_scoped_acquire acquire;
  const nb::object answer = f(array_of(Vector(x.begin(), x.end())));
  const auto [value, array] = nb::cast<std::pair<double, Gradient>>(answer);
  if (array.size() != gradient.size())
    throw std::invalid_argument("the gradient has " + std::to_string(array.size()) + " entries, but x has " +
                                std::to_string(gradient.size()));
  std::copy_n(array.data(), array.size(), gradient.begin());
  return value;
}

nb::dict minimum(const nb::object& f, const Numbers& x0, double strong_convexity, std::optional<double> smoothness,
                 double relative_precision, const std::string& method, const Options& options, nb::object callback) {
  Watch watch(std::move(callback), 0);
  const Vector start = vector_of(x0);
  Result result;
  {
    const nb::gil_scoped_release release;
    const FunctionObjective objective(
        {start.size(), strong_convexity, smoothness, relative_precision},
        [&](std::span<const double> x, std::span<double> gradient) { return evaluate(f, x, gradient); });
    result = minimize(objective, MethodChoice(method), start, options, [&](const Progress& p) { return watch(p); });
  }
  nb::dict answer;
  answer["status"] = watch.interrupted() ? "interrupted" : std::string(to_string(result.status));
  answer["message"] = result.message;
  answer["x"] = array_of(std::move(result.x));
  answer["fun"] = result.value;
  answer["lower_bound"] = result.lower_bound;
  answer["gap"] = result.gap();
  answer["relative_gap"] = result.relative_gap();
  answer["proven"] = result.proven();
  answer["gradient_norm"] = result.gradient_norm;
  answer["nit"] = result.iterations;
  answer["nfev"] = result.counts.function_evaluations;
  return answer;
}

}  // namespace

void bind_minimize(nb::module_& m) {
  nb::class_<Options>(m, "Options")
      .def(
          "__init__",
          [](Options* self, double tolerance, double absolute, double gradient, std::uint64_t iterations,
             double seconds) {
            new (self) Options{.gap_tolerance = tolerance,
                               .absolute_gap_tolerance = absolute,
                               .gradient_tolerance = gradient,
                               .max_iterations = iterations,
                               .max_seconds = seconds};
          },
          nb::arg("tolerance"), nb::arg("absolute_gap"), nb::arg("gradient"), nb::arg("max_iterations"),
          nb::arg("max_seconds"));
  m.def("minimize", &minimum, nb::arg("fun"), nb::arg("x0"), nb::arg("strong_convexity"), nb::arg("smoothness").none(),
        nb::arg("relative_precision"), nb::arg("method"), nb::arg("options"), nb::arg("callback").none());
}

}  // namespace geodescent::python
