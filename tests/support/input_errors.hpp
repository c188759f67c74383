// The message of the InputError that a piece of work throws.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "geodescent/error.hpp"

namespace geodescent::testing {

inline std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline void expect_error(const std::function<void()>& work, const std::string& part) {
  const std::string error = error_of(work);
  EXPECT_NE(error.find(part), std::string::npos) << error;
  EXPECT_NE(error.find("; "), std::string::npos) << "no remedy: " << error;
}

}  // namespace geodescent::testing
