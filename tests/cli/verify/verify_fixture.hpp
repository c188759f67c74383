// Trains a model and asks `geodescent verify`, and beside it the checker that shares nothing with the library.
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
    if (options.empty() || (options.size() == 2 && options[0] == "--row-weights")) check(options);
    options.insert(options.begin(), "verify");
    options.insert(options.end(), {data, model});
    return geodescent(options);
  }
  /// The checker that shares nothing with the library: the same verdict.
  void check(const std::vector<std::string>& options) const {
    std::vector<std::string> ours{"verify", "--quiet"}, theirs{"python3", GEODESCENT_CHECKER};
    for (std::vector<std::string>* command : {&ours, &theirs}) {
      command->insert(command->end(), options.begin(), options.end());
      command->insert(command->end(), {data, model});
    }
    const Outcome by_checker = run(theirs);
    const int code = geodescent(ours).code;
    const std::string said = by_checker.out + by_checker.err;
    if (code == 3) {  // what has no form it may also call false
      EXPECT_TRUE(by_checker.code == 2 || by_checker.out.starts_with("does not hold: ")) << said;
    } else {
      EXPECT_EQ(by_checker.code, code) << said;
      EXPECT_TRUE(by_checker.out.starts_with(code == 0   ? "holds: "
                                             : code == 1 ? "does not hold: "
                                                         : "says nothing: "))
          << said;
    }
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
