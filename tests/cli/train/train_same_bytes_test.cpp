// A model file and the proof in it have the same bytes whatever instructions the processor, or the
// C library, may use.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

TEST(TrainSameBytes, WithoutVectorsAndWithoutFma) {
  if (sanitized()) GTEST_SKIP() << "the unit and contract tests compare all instruction sets with sanitizers";
  const TemporaryFolder folder;
  // glibc then takes its functions of old processors; another C library does not know the variable.
  const std::map<std::string, std::string> old_processor{
      {"GEODESCENT_ISA", "portable"}, {"GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"}};
  for (int k = 0; k < 12; ++k) {
    const std::string data = folder / ("data" + std::to_string(k));
    generate_data(data, {"--rows", std::to_string(20 + 7 * k), "--features", std::to_string(2 + k), "--seed",
                         std::to_string(k), "--noise", "0.3"});
    for (const char* bias : {"none", "free"}) {
      const std::vector<std::string> command{"train", data,     "--loss", "logistic", "--l2",
                                             "1e-3",  "--bias", bias,     "--quiet"};
      const auto with = [&](std::string name, const Surroundings& surroundings) {
        std::vector<std::string> whole = command;
        whole.insert(whole.begin() + 2, folder / name);
        EXPECT_EQ(geodescent(whole, surroundings).code, 0);
        return contents(folder / name);
      };
      EXPECT_EQ(with("here", {}), with("old", {.environment = old_processor})) << k << bias;
      EXPECT_EQ(geodescent({"verify", data, folder / "here"}, {.environment = old_processor}).code, 0);
    }
  }
}

}  // namespace
}  // namespace geodescent::testing
