// Certificates of several classes: their file, and what the reader refuses.
#include <gtest/gtest.h>

#include <cmath>

#include "geodescent/certificate.hpp"
#include "geodescent/error.hpp"
#include "support/input_errors.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

DualPoint random_dual(std::size_t values, int bits, Random& random) {
  DualPoint dual;
  dual.exponent = -bits;
  for (std::size_t v = 0; v < values; ++v) {
    const auto size = static_cast<std::int64_t>(random.below(std::uint64_t{1} << (bits - 1)));
    dual.steps.push_back(random.chance(0.5) ? size : -size);
  }
  return dual;
}

Certificate random_certificate(bool softmax, std::size_t classes, Random& random) {
  Certificate made;
  made.risk = {softmax ? "softmax" : "squared-hinge", 0, random.log_uniform(1e-9, 1), Bias::free, 1};
  made.fingerprint = "sha256:" + std::string(64, 'e');
  made.rows = 1 + random.below(40);
  made.total_weight = 12.5;
  made.features = 4;
  made.classes = classes;
  made.value = random.log_uniform(1e-9, 1e9);
  made.lower_bound = 0.1;
  made.relative_gap = random.chance(0.5) ? INFINITY : 1e-300;
  if (softmax) {
    made.dual = random_dual(made.rows * classes, 1 + static_cast<int>(random.below(53)), random);
    return made;
  }
  for (std::size_t k = 0; k < classes; ++k)
    made.claims.push_back({random.log_uniform(1e-9, 1e9), random.uniform(), random.chance(0.5) ? INFINITY : 0.25,
                           random_dual(made.rows, 1 + static_cast<int>(random.below(53)), random)});
  return made;
}

void expect_equal(const Certificate& read, const Certificate& made) {
  EXPECT_EQ(read.risk.loss, made.risk.loss);
  EXPECT_EQ(read.classes, made.classes);
  EXPECT_EQ(read.rows, made.rows);
  EXPECT_EQ(read.value, made.value);
  EXPECT_EQ(read.relative_gap, made.relative_gap);
  EXPECT_EQ(read.dual.exponent, made.dual.exponent);
  EXPECT_EQ(read.dual.steps, made.dual.steps);
  ASSERT_EQ(read.claims.size(), made.claims.size());
  for (std::size_t k = 0; k < made.claims.size(); ++k) {
    EXPECT_EQ(read.claims[k].value, made.claims[k].value);
    EXPECT_EQ(read.claims[k].lower_bound, made.claims[k].lower_bound);
    EXPECT_EQ(read.claims[k].relative_gap, made.claims[k].relative_gap);
    EXPECT_EQ(read.claims[k].dual.exponent, made.claims[k].dual.exponent);
    EXPECT_EQ(read.claims[k].dual.steps, made.claims[k].dual.steps);
  }
}

TEST(CertificateOfClasses, RoundTrip) {
  const TemporaryFolder folder;
  Random random(2301);
  for (const bool softmax : {true, false})
    for (const std::size_t classes : {softmax ? 2U : 3U, 5U, 40U, 700U}) {  // 700: a header of more than 4096 bytes
      const Certificate made = random_certificate(softmax, classes, random);
      write_certificate(made, folder / "c");
      expect_equal(read_certificate(folder / "c"), made);
    }
}

class ClassesText : public ::testing::Test {
 protected:
  std::string text_of(bool softmax, std::size_t classes) {
    write_certificate(random_certificate(softmax, classes, random), folder / "c");
    return contents(folder / "c");
  }
  static std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return place == std::string::npos ? text : text.replace(place, from.size(), to);
  }
  static std::string line_of(const std::string& text, const std::string& key) {
    const std::size_t begin = text.find("\n" + key + " ") + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  }
  static void expect_refused(const std::string& text, const std::string& part) {
    expect_error([&] { (void)parse_certificate(text, "c"); }, part);
  }

  const TemporaryFolder folder;
  Random random{2302};
};

TEST_F(ClassesText, HostileHeaders) {
  const std::string joint = text_of(true, 4);
  EXPECT_EQ(joint.substr(0, 40), "geodescent-certificate 3\nloss softmax\nlo");
  expect_refused(with(joint, "certificate 3", "certificate 2"), "c:2: a certificate of version 2 is not for the loss ");
  expect_refused(with(joint, "loss softmax", "loss squared"), "c:2: a certificate of version 3 is not for the loss ");
  expect_refused(with(joint, "loss_parameter 0", "loss_parameter 1"), "c:3: the loss_parameter is 1, which the loss ");
  expect_refused(with(joint, "classes 4", "classes 1"), "c:7: classes 1; it must be from 2 to 65536");
  expect_refused(with(joint, "classes 4", "classes 65537"), "c:7: classes 65537; it must be from 2 to 65536");
  expect_refused(with(joint, "classes 4", "classes 5"), "bytes, but its header announces");
  expect_refused(with(joint, "classes 4\n", ""), "c:7: expected the line 'classes ...'");
  expect_refused(with(joint, line_of(joint, "rows"), "rows 281474976710656"), "c:8: rows 281474976710656; it must be");
  expect_refused(with(joint, "bytes_per_value", "bytes_per_row"), "c:16: expected the line 'bytes_per_value ...'");
  const std::string rest = text_of(false, 4), line = line_of(rest, "class");
  expect_refused(with(rest, "classes 4", "classes 2"), "c:7: classes 2; it must be from 3 to 65536");
  expect_refused(with(rest, "classes 4", "classes 3"), "c:18: expected the line 'dual'");
  expect_refused(with(rest, "classes 4", "classes 5"), "c:19: expected the line 'class ...', found 'dual'");
  expect_refused(with(rest, "loss squared-hinge", "loss softmax"), "c:15: expected the line 'exponent ...'");
  const auto with_line = [&](const std::string& to) { return with(rest, line, to); };
  expect_refused(with_line("class"), "c:15: expected the line 'class ...', found 'class'");
  expect_refused(with_line("class 1 0.5 0.25 -3"), "c:15: '' is not a whole number");
  expect_refused(with_line("class 1 0.5 0.25 -3 2 1"), "c:15: text after the numbers of a class");
  expect_refused(with_line("class 1 0.5 0.25 -3 2 "), "c:15: text after the numbers of a class");
  expect_refused(with_line("class 1  0.5 0.25 -3 2"), "c:15: '' is not a number");
  expect_refused(with_line("class inf 0.5 0.25 -3 2"), "c:15: 'inf' is not finite");
  expect_refused(with_line("class 1 -0.5 0.25 -3 2"), "c:15: the lower_bound is '-0.5', less than 0");
  expect_refused(with_line("class 1 0.5 nan -3 2"), "c:15: 'nan' is not finite");
  expect_refused(with_line("class 1 0.5 0.25 -3000 2"), "c:15: the exponent is '-3000'; it must be from ");
  expect_refused(with_line("class 1 0.5 0.25 -3 9"), "c:15: bytes 9; it must be from 1 to 8");
}

TEST_F(ClassesText, EveryTruncationAndEveryChangedBitIsAnError) {
  for (const bool softmax : {true, false}) {
    const std::string text = text_of(softmax, 3);
    for (std::size_t length = 0; length < text.size(); ++length)
      EXPECT_THROW((void)parse_certificate(text.substr(0, length), "c"), InputError) << length;
    EXPECT_THROW((void)parse_certificate(text + "x", "c"), InputError);
    for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
      std::string changed = text;
      changed[bit / 8] ^= static_cast<char>(1 << bit % 8);
      EXPECT_THROW((void)parse_certificate(changed, "c"), InputError) << bit;
    }
  }
}

TEST_F(ClassesText, IsReadNoFurtherThanNeeded) {
  const std::string text = text_of(false, 700);
  put(folder / "long", text + std::string(10000000, 'x'));
  expect_error([&] { (void)read_certificate(folder / "long"); }, "but its header announces");
  // A header may be as long as its number of classes allows, and no longer.
  const std::string start = with(text.substr(0, text.find("\nrows ")), "classes 700", "classes 3");
  put(folder / "endless", start + "\nrows 1" + std::string(10000000, '1'));
  expect_error([&] { (void)read_certificate(folder / "endless"); }, ":8: the header has no end");
}

}  // namespace
}  // namespace geodescent::testing
