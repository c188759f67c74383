// A host program may have changed how its thread computes: a rounding mode set for interval arithmetic and not set
// back, numbers flushed to zero by a library that was linked with -ffast-math, an x87 that keeps 53 bits. Every error
// bound of the proof would then be wrong without a sign of it. The questions are asked by computing, not by reading
// registers: volatile keeps the compiler from answering them itself.
#include "certificate/proof/self_test.hpp"

#include <cfenv>
#include <cmath>
#include <limits>
#include <string>

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

bool keeps_long_digits() {
  const volatile long double one = 1, last = std::numeric_limits<long double>::epsilon();
  return one + last > one;
}

/// Within two units in the last place, as the proof assumes.
bool is_near(double computed, double truth) {
  return std::abs(computed - truth) <= 2 * std::numeric_limits<double>::epsilon() * truth;
}

bool library_is_sound() {
  const volatile double one = 1, ten = 10, twenty = 20;
  return is_near(std::exp(one), 0x1.5bf0a8b145769p+1) && is_near(std::exp(twenty), 0x1.ceb088b68e804p+28) &&
         is_near(std::log(ten), 0x1.26bb1bbb55516p+1) && is_near(std::log1p(one), 0x1.62e42fefa39efp-1);
}

void require(bool sound, const char* what, const char* remedy) {
  if (!sound) throw InputError(std::string("no proof can be made here: ") + what + "; " + remedy);
}

}  // namespace

void require_sound_arithmetic() {
  require(rounds_to_nearest(), "this thread does not round to nearest", "set it back with fesetround(FE_TONEAREST)");
  require(keeps_small_numbers(), "this thread takes small numbers for 0",
          "set it back (flush-to-zero); some library may have been linked with -ffast-math");
  require(keeps_long_digits(), "this thread cuts the digits of long double", "set the precision of the x87 back");
  require(library_is_sound(), "exp or log of the C library is wrong", "use another C library");
}

}  // namespace geodescent::proof
