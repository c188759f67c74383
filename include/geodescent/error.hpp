// The one exception of the library: bad input at its boundary, with the place and the remedy.
#pragma once

#include <stdexcept>
#include <string>

namespace geodescent {

/// Input that cannot be used. what() reads "place: reason; remedy", for example
/// "data.svm:17:23: index 5 after 9; indices must increase".
/// Numerical trouble is never an exception: it is a Status, and the best point is returned with it.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace geodescent
