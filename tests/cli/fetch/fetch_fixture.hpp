// A server with a data set, a folder to fetch it into, and what there is to say about the outcome.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cli/fetch/http_server.hpp"
#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {

/// No proxy stands between us and the loopback, and nothing of the user's settings counts.
Surroundings clean();

/// LIBSVM text with these counts; the first rows have the label -1, the others +1.
std::string text_with(std::size_t rows, std::size_t features, std::size_t nonzeros, std::size_t negative_rows);
/// Text that passes for this set of the catalogue, if its labels are -1 and +1.
std::string right_text(const std::string& name);

/// Waits, within bounds, for something that another process does.
bool comes_true(const std::function<bool()>& condition);

/// heart_scale, or text that passes for it, is what the tests fetch.
class Fetch : public ::testing::Test {
 protected:
  using Ranges = std::vector<std::string>;

  std::vector<std::string> arguments(std::vector<std::string> more) const;
  Outcome fetch(const std::vector<std::string>& more) const;

  void serve(const std::function<void(Resource&)>& change);
  /// What an earlier run left: the first 1000 bytes.
  void leave_a_part(const std::function<void(Resource&)>& change = [](Resource&) {});
  void expect_fetched(const Outcome& outcome) const;
  /// The text with other values, but the same counts.
  std::string other_values() const;
  /// Parts in the folder.
  std::size_t left_over() const;
  bool part_has_come() const;
  /// The download is an error that says this; nothing of it is kept.
  void expect_refused(const Outcome& outcome, const std::string& said) const;
  /// What the server was asked for so far.
  Ranges ranges() const;

  const TemporaryFolder folder;
  const std::string data = folder / "data";
  const std::string file = data + "/heart_scale";
  const std::string part = file + ".part";
  const std::string checksums = data + "/SHA256SUMS";
  const std::string text = right_text("heart_scale");
  HttpServer server;
};

}  // namespace geodescent::testing
