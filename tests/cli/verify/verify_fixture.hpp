// Trains a model and asks `geodescent verify`, and beside it the checker that shares nothing with
// the library.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/support/program.hpp"
#include "geodescent/certificate.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {

class Verify : public ::testing::Test {
 protected:
  Verify() { generate_data(data, {"--rows", "300", "--features", "6", "--noise", "0.3"}); }

  void train(std::vector<std::string> options) const {
    options.insert(options.begin(), {"train", "--quiet", "--tol", "1e-7"});
    options.insert(options.end(), {data, model});
    const Outcome outcome = geodescent(options);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  Outcome verify(std::vector<std::string> options = {}) const {
    if (options.empty() || (options.size() == 2 && (options[0] == "--row-weights" || options[0] == "--tol")))
      check(options);
    options.insert(options.begin(), "verify");
    options.insert(options.end(), {data, model});
    return geodescent(options);
  }
  /// The checker that shares nothing with the library.
  static Outcome checker(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"python3", GEODESCENT_CHECKER});
    return run(arguments);
  }
  /// It has the verdict of `verify`. The exit code for a file that is of no use is 2 there and 3
  /// here.
  void check(std::vector<std::string> options) const {
    options.insert(options.end(), {data, model});
    const Outcome by_checker = checker(options);
    options.insert(options.begin(), {"verify", "--quiet"});
    const int code = geodescent(options).code;
    const std::string said = by_checker.out + by_checker.err;
    if (code == 3) {
      expect_unusable(by_checker, model);
    } else {
      EXPECT_EQ(by_checker.code, code) << said;
      const char* const verdicts[] = {"holds: ", "does not hold: ", "", "", "says nothing: "};
      EXPECT_TRUE(by_checker.out.starts_with(verdicts[code])) << said;
    }
  }
  /// The checker cannot use a file: exit code 2 and one line, which contains `part`.
  static void expect_unusable(const Outcome& outcome, const std::string& part) {
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("check.py: ") && outcome.err.find('\n') == outcome.err.size() - 1)
        << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
  nlohmann::json verify_json(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"--json", "--quiet"});
    const Outcome outcome = verify(options);
    EXPECT_EQ(outcome.err, "");
    nlohmann::json found = nlohmann::json::parse(outcome.out);
    found["exit_code"] = outcome.code;
    return found;
  }
  void expect_failure(const std::string& part) const {
    const nlohmann::json found = verify_json();
    EXPECT_EQ(found["exit_code"], 1);
    EXPECT_EQ(found["verdict"], "fails");
    EXPECT_NE(found["reason"].get<std::string>().find(part), std::string::npos) << found["reason"];
    const Outcome words = verify();
    EXPECT_EQ(words.code, 1);
    EXPECT_NE(words.out.find("verdict     fails: "), std::string::npos) << words.out;
  }
  void expect_error(const Outcome& outcome, int code, const std::string& part) const {
    EXPECT_EQ(outcome.code, code);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
  template <class Change>
  void change_model(Change change) const {
    CertifiedModel changed = read_certified_model(model);
    change(changed.model);
    write_model(changed.model, *changed.certificate, model);
  }
  template <class Change>
  void change_certificate(Change change) const {
    CertifiedModel changed = read_certified_model(model);
    change(*changed.certificate);
    write_model(changed.model, *changed.certificate, model);
  }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  const std::string model = folder / "data.model";
  const std::string certificate = folder / "data.model.cert";  ///< where it was before models contained theirs
};

}  // namespace geodescent::testing
