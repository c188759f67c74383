// A host program may have changed the arithmetic of its thread: a rounding mode that was not
// restored, or subnormal numbers flushed to zero by a library linked with -ffast-math. All error
// bounds of a proof would then be silently wrong. The tests compute instead of reading control
// registers. `volatile` prevents the compiler from evaluating them.
#include "certificate/numbers/self_test.hpp"

#include <array>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "certificate/numbers/bounded.hpp"
#include "geodescent/error.hpp"

namespace geodescent::proof {
namespace {

bool rounds_to_nearest() {
  const volatile double one = 1, third = std::numeric_limits<double>::epsilon() / 3;
  return std::fegetround() == FE_TONEAREST && one + third == 1 && one + 2 * third > 1 && -one - third == -1 &&
         -one - 2 * third < -1;
}

bool keeps_small_numbers() {
  const volatile double smallest_normal = std::numeric_limits<double>::min();
  const volatile double half = smallest_normal / 2;
  return half > 0 && half + half == smallest_normal;
}

/// A product that fits neither a double nor a long double, and its remainder: exact with one
/// rounding, not with two.
bool multiplies_exactly() {
  const volatile double factor = 1 + 0x1p-52, rounded = 1 + 0x1p-51;
  return std::fma(factor, factor, -rounded) == 0x1p-104;
}

/// Detects compilers that reorder sums, which removes the error terms, or that assume there are no
/// infinities.
bool computes_as_written() {
  const volatile double one = 1, small = 0x1p-60, big = 1e300;
  ProductSum sum;
  sum.add({one, 0});
  sum.add({small, 0});
  return two_sum(one, small).low == small && sum.low() == small && !std::isfinite(big * big) &&
         !Bounded{big * big, 0}.known();
}

bool is_near(double computed, double truth) {
  return std::abs(computed - truth) <= function_error_of_double * std::numeric_limits<double>::epsilon() * truth;
}

bool functions_are_sound() {
  const volatile double one = 1, ten = 10, twenty = 20;
  const DoubleDouble back = log(exp(DoubleDouble(one)));
  return abs(back - 1) <= 0x1p-95 && is_near(exp(one), 0x1.5bf0a8b145769p+1) &&
         is_near(exp(twenty), 0x1.ceb088b68e804p+28) && is_near(log(ten), 0x1.26bb1bbb55516p+1) &&
         is_near(log1p(one), 0x1.62e42fefa39efp-1);
}

/// Whether functions of many numbers, which a compiler turns into vector instructions, agree with
/// those of one.
bool vectors_are_sound() {
  struct Function {
    void (*of_many)(std::span<double>);
    double (*of_one)(double);
    double factor;
  };
  const volatile double small = 0x1p-20;
  for (const auto& [of_many, of_one, factor] :
       {Function{exp_each, exp, -30}, Function{log_each, log, 1}, Function{log1p_each, log1p, 1}}) {
    std::array<double, 19> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = factor * (small + static_cast<double>(i) / 20);
    const std::array<double, 19> arguments = all;
    of_many(all);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] != of_one(arguments[i])) return false;
  }
  return true;
}

void require(bool sound, const char* what, const char* remedy) {
  if (!sound) throw InputError(std::string("no proof can be made here: ") + what + "; " + remedy);
}

}  // namespace

void require_sound_arithmetic() {
  require(rounds_to_nearest(), "this thread does not round to nearest", "set it back with fesetround(FE_TONEAREST)");
  require(keeps_small_numbers(), "this thread flushes subnormal numbers to 0",
          "set it back (flush-to-zero); some library may have been linked with -ffast-math");
  require(multiplies_exactly(), "fma of the C library rounds twice", "use another C library");
  require(computes_as_written(), "the compiler has changed sums", "compile the library without -ffast-math");
  require(functions_are_sound() && vectors_are_sound(), "exp or log is wrong",
          "compile the library without -ffast-math");
}

}  // namespace geodescent::proof
