// Certificates: how they are made, what they say when something was changed, and their files.
#include "geodescent/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "support/certificate_problems.hpp"
#include "support/input_errors.hpp"
#include "support/reference/quad_risk.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

LinearModel model_of(const std::string& loss, double l2, const Vector& weights, Bias bias = Bias::none,
                     double bias_weight = 0) {
  LinearModel model;
  model.risk.loss = loss;
  model.risk.l2 = l2;
  model.risk.bias = bias;
  model.weights = weights;
  model.bias_weights = {bias_weight};
  return model;
}

struct Made {
  Dataset data;
  LinearModel model;
  Certificate certificate;
};

Made make(std::uint64_t seed = 5) {
  Random random(seed);
  Made made;
  constexpr std::size_t rows = 200, features = 5;
  std::vector<Vector> entries;
  Vector targets;
  for (std::size_t i = 0; i < rows; ++i) {
    entries.push_back(random.normal_vector(features));
    targets.push_back(entries.back()[0] + random.normal() > 0 ? 1 : -1);
  }
  made.data = dataset_of(entries, targets);
  made.model = model_of("logistic", 1e-3, Vector(features, 0));
  made.model = QuadRisk(made.data, made.model.risk).minimiser();
  made.certificate = certify(made.data, made.model, {});
  return made;
}

int bytes_of(const Certificate& certificate) {
  std::int64_t largest = 1;
  for (const std::int64_t step : certificate.dual.steps) largest = std::max(largest, std::abs(step));
  return (64 - __builtin_clzll(static_cast<unsigned long long>(largest)) + 8) / 8;
}

TEST(Certify, GoodWeightsNeedMoreBytesThanPoorOnes) {
  Made made = make();
  EXPECT_LT(made.certificate.relative_gap, 1e-10);
  EXPECT_TRUE(verify(made.data, made.model, made.certificate).holds);
  const int bytes = bytes_of(made.certificate);
  made.model.weights[0] += 0.01;
  const Certificate poor = certify(made.data, made.model, {});
  EXPECT_GT(poor.relative_gap, 1e-6);
  EXPECT_LT(bytes_of(poor), bytes);
}

TEST(Certify, ProvesWhatTheSlopesCanProve) {
  Made made = make();
  const Vector good = slopes_at(made.data, made.model);
  made.model.weights[0] += 0.1;
  const Certificate own = certify(made.data, made.model, {});
  const Certificate given = certify(made.data, made.model, good);
  EXPECT_LT(given.relative_gap, 0.9 * own.relative_gap);
  EXPECT_EQ(certify(made.data, made.model, slopes_at(made.data, made.model)).lower_bound, own.lower_bound);
  const Certificate useless = certify(made.data, made.model, Vector(good.size(), 0.0));
  EXPECT_EQ(useless.lower_bound, 0) << "poor slopes prove little, never too much";
  EXPECT_TRUE(verify(made.data, made.model, useless).holds);
}

TEST(Certify, WrongHintsChangeNoClaim) {
  const Made made = make();
  const Vector slopes = slopes_at(made.data, made.model);
  for (const double hint : {0.0, 0.1, 10.0, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    const Certificate found = certify(made.data, made.model, slopes, {.lower_bound = hint});
    EXPECT_TRUE(verify(made.data, made.model, found).holds) << hint;
  }
}

TEST(Verify, SaysWhatIsWrong) {
  const Made made = make();
  const auto reason = [&](const std::function<void(Made&)>& change) {
    Made other = made;
    change(other);
    const Verification found = verify(other.data, other.model, other.certificate);
    EXPECT_EQ(found.holds, found.reason.empty());
    return found.reason;
  };
  const auto expect_reason = [&](const std::function<void(Made&)>& change, const std::string& part) {
    EXPECT_NE(reason(change).find(part), std::string::npos) << reason(change);
  };
  EXPECT_EQ(reason([](Made&) {}), "");
  EXPECT_EQ(reason([](Made& m) {
              m.model.risk.loss = "";
              m.model.risk.l2 = 0;
            }),
            "")
      << "a model that does not know";
  expect_reason([](Made& m) { m.model.risk.loss = "squared-hinge"; },
                "the loss is squared-hinge in the model and logistic");
  expect_reason([](Made& m) { m.model.risk.l2 = 2e-3; }, "the l2 is 0.002 in the model and 0.001 in the certificate");
  expect_reason([](Made& m) { m.model.risk.bias = Bias::free; }, "the bias is free in the model and none");
  expect_reason([](Made& m) { m.model.weights.push_back(0); }, "the number of features is 6 in the model and 5");
  expect_reason(
      [](Made& m) {
        m.certificate.class_weights = {{1, 2}};
      },
      "the class weights of the data are none, those of the certificate 2 for label 1");
  EXPECT_EQ(reason([](Made& m) { m.data.class_weights = m.certificate.class_weights = {{1, 1}}; }), "");
  expect_reason([](Made& m) { m.data.targets[3] *= -1; }, "the data are not those of the certificate");
  expect_reason([](Made& m) { m.data.targets.pop_back(); }, " has 199 rows, but the certificate is for 200");
  expect_reason([](Made& m) { m.model.weights[1] += 1e-3; }, "the value of the model is ");
  expect_reason([](Made& m) { m.certificate.value -= 1e-6; }, ", more than the ");
  expect_reason([](Made& m) { m.certificate.lower_bound += 1e-6; }, "the lower bound is ");
  expect_reason([](Made& m) { m.certificate.relative_gap = 0; }, "the relative gap is ");
  expect_reason([](Made& m) { m.certificate.dual.steps[7] = 0; }, "the lower bound is ");
  expect_reason([](Made& m) { m.certificate.dual.steps[7] = 1; }, "the dual value of row 8 is ");
  expect_reason([](Made& m) { m.model.labels = BinaryLabels{0, 1, 100, 100}; }, "the labels 0 and 1");
}

TEST(Verify, WithoutAProofTheGapIsInfinite) {
  Made made = make();
  made.model.risk.l2 = 2e-3;
  EXPECT_EQ(verify(made.data, made.model, made.certificate).proven.gap(), std::numeric_limits<double>::infinity());
}

// Files ------------------------------------------------------------------------------------------

TEST(CertificateFile, RoundTrip) {
  const TemporaryFolder folder;
  Random random(9);
  for (int bits = 1; bits <= 54; ++bits) {
    Certificate made;
    made.risk = {"huber", 0.1, 1e-8, Bias::regularized, 2.5};
    if (bits % 3 > 0) made.class_weights = {{-0.1, 1.0 / 3}, {2, 0}};
    for (int k = 0; bits == 2 && k < 62; ++k) made.class_weights.push_back({1e300 * (2.0 / 3 + k), 1e-300 / 3});
    made.fingerprint = fingerprint(dataset_of({{1}}, {1}));
    made.features = 3;
    made.value = 1.0 / 3;
    made.lower_bound = 0.1;
    made.relative_gap = bits == 1 ? INFINITY : 1e-300;
    made.dual.exponent = -bits;
    const auto most = static_cast<std::size_t>((std::uint64_t{1} << (bits - 1)));
    for (int k = 0; k < 100; ++k) {
      const auto size = static_cast<std::int64_t>(random.below(most));
      made.dual.steps.push_back(random.chance(0.5) ? size : -size);
    }
    made.rows = made.dual.steps.size();
    write_certificate(made, folder / "c");
    const Certificate read = read_certificate(folder / "c");
    EXPECT_EQ(read.risk.loss, made.risk.loss);
    EXPECT_EQ(read.risk.loss_parameter, made.risk.loss_parameter);
    EXPECT_EQ(read.risk.l2, made.risk.l2);
    EXPECT_EQ(read.risk.bias, made.risk.bias);
    EXPECT_EQ(read.risk.constant, made.risk.constant);
    EXPECT_EQ(read.class_weights, made.class_weights);
    EXPECT_EQ(read.fingerprint, made.fingerprint);
    EXPECT_EQ(read.rows, made.rows);
    EXPECT_EQ(read.features, made.features);
    EXPECT_EQ(read.value, made.value);
    EXPECT_EQ(read.lower_bound, made.lower_bound);
    EXPECT_EQ(read.relative_gap, made.relative_gap);
    EXPECT_EQ(read.dual.exponent, made.dual.exponent);
    EXPECT_EQ(read.dual.steps, made.dual.steps) << bits;
  }
}

class CertificateText : public ::testing::Test {
 protected:
  CertificateText() {
    write_certificate(make().certificate, folder / "c");
    bytes = contents(folder / "c");
  }
  std::string with(const std::string& from, const std::string& to) const {
    std::string text = bytes;
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos);
    return text.replace(place, from.size(), to);
  }
  std::string line_of(const std::string& key) const {
    const std::size_t begin = bytes.find("\n" + key + " ") + 1;
    return bytes.substr(begin, bytes.find('\n', begin) - begin);
  }
  void expect_refused(const std::string& text, const std::string& part) const {
    expect_error([&] { (void)parse_certificate(text, "c"); }, part);
  }
  const TemporaryFolder folder;
  std::string bytes;
};

TEST_F(CertificateText, HeaderIsStable) {
  const std::string start =
      "geodescent-certificate 2\nloss logistic\nloss_parameter 0\nl2 0.001\nbias none\nconstant 1\nrows 200\n"
      "total_weight 200\nfeatures 5\ndata sha256:";
  EXPECT_EQ(bytes.substr(0, start.size()), start);
}

TEST_F(CertificateText, EveryTruncationIsAnError) {
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW((void)parse_certificate(bytes.substr(0, length), "c"), InputError) << length;
  }
}

TEST_F(CertificateText, HostileHeaders) {
  expect_refused("", "c:1: the header has no end");
  std::string windows = with("", "");
  for (std::size_t at = windows.find('\n'); at != std::string::npos; at = windows.find('\n', at + 2))
    windows.replace(at, 1, "\r\n");
  expect_refused(windows,
                 "c:1: the lines end with CRLF: a transfer as text has changed the file; copy it again, as binary");
  expect_refused("geodescent-model 1\n", "c:1: not a geodescent certificate, starts with 'geodescent-model 1'");
  expect_refused("geodescent-certificate 4\n",
                 "c:1: certificate version '4', but this program supports the versions 2 and 3");
  expect_refused(with("certificate 2", "certificate 3"), "c:7: expected the line 'classes ...', found 'rows 200'");
  expect_refused(with("rows 200", "classes 3\nrows 200"), "c:7: expected the line 'rows ...', found 'classes 3'");
  expect_refused(with("loss logistic", "loss softmax"), "c:2: a certificate of version 2 is not for the loss softmax");
  expect_refused("geodescent-certificate 1\n",
                 "c:1: certificate version 1 is not supported; train again, or judge the coefficients alone");
  expect_refused(std::string(100000, 'x'), "c:1: the header has no end");
  expect_refused(with("loss logistic", "loss hinge"), "c:2: unknown loss 'hinge'");
  expect_refused(with("loss_parameter 0", "loss_parameter 1"),
                 "c:3: the loss_parameter is 1, which the loss logistic does not allow");
  expect_refused(with("loss_parameter 0", "loss_parameter 5e-324"), "c:3: the loss_parameter is 5e-324");
  expect_refused(with("loss logistic", "loss huber"), "c:3: the loss_parameter is 0, which the loss huber does not");
  expect_refused(with("l2 0.001", "l2 0"), "c:4: the l2 is '0'");
  expect_refused(with("l2 0.001", "l2 -1"), "c:4: the l2 is '-1'");
  expect_refused(with("l2 0.001", "l2 nan"), "c:4: 'nan' is not finite");
  expect_refused(with("l2 0.001", "l2 0.001\nl2 0.001"), "c:5: expected the line 'bias ...', found 'l2 0.001'");
  expect_refused(with("bias none", "bias all"), "c:5: unknown bias 'all'");
  expect_refused(with("rows 200", "class_weights \nrows 200"),
                 "c:7: class_weights must be 1 to 64 pairs of a label and");
  expect_refused(with("rows 200", "class_weights\nrows 200"), "c:7: expected the line 'rows ...'");
  expect_refused(with("rows 200", "class_weights 1\nrows 200"), "c:7: '' is not a number");
  expect_refused(with("rows 200", "class_weights 1 2 3\nrows 200"), "c:7: '' is not a number");
  expect_refused(with("rows 200", "class_weights 1  2\nrows 200"), "c:7: '' is not a number");
  expect_refused(with("rows 200", "class_weights 1 2 \nrows 200"), "c:7: class_weights must be 1 to 64 pairs");
  expect_refused(with("rows 200", "class_weights 1 -2\nrows 200"), "c:7: the class weight is '-2', less than 0");
  expect_refused(with("rows 200", "class_weights 1 inf\nrows 200"), "c:7: 'inf' is not finite");
  expect_refused(with("rows 200", "class_weights nan 1\nrows 200"), "c:7: 'nan' is not finite");
  expect_refused(with("rows 200", "class_weights 2 1 1 1\nrows 200"), "c:7: the label 1 follows 2; labels increase");
  expect_refused(with("rows 200", "class_weights 1 1 1 1\nrows 200"), "c:7: the label 1 follows 1; labels increase");
  std::string many = "class_weights";
  for (int label = 0; label < 65; ++label) many += " " + std::to_string(label) + " 1";
  expect_refused(with("rows 200", many + "\nrows 200"), "c:7: class_weights must be 1 to 64 pairs");
  expect_refused(with("rows 200", "class_weights 1 1\nclass_weights 1 1\nrows 200"),
                 "c:8: expected the line 'rows ...'");
  expect_refused(with("rows 200", "rows 0"), "c:7: rows 0; it must be from 1 to ");
  expect_refused(with("rows 200", "rows -5"), "c:7: '-5' is not a whole number");
  expect_refused(with("rows 200", "rows 99999999999999"), "bytes, but its header announces");
  expect_refused(with("rows 200", "rows 9999999999999999999"), "c:7: rows 9999999999999999999");
  expect_refused(with("features 5", "features 5000000000"), "c:9: features 5000000000");
  expect_refused(with("data sha256:", "data md5:"), "c:10: 'md5:");
  expect_refused(with(line_of("value"), "value inf"), "c:11: 'inf' is not finite");
  expect_refused(with(line_of("value"), "value 1e999"), "c:11: '1e999' is not finite");
  expect_refused(with(line_of("lower_bound"), "lower_bound -1"), "c:12: the lower_bound is '-1'");
  expect_refused(with(line_of("relative_gap"), "relative_gap nan"), "c:13: 'nan' is not finite");
  expect_refused(with(line_of("relative_gap"), "relative_gap -0.5"), "c:13: the relative_gap is '-0.5'");
  expect_refused(with(line_of("exponent"), "exponent 99999"), "c:14: the exponent is '99999'");
  expect_refused(with(line_of("exponent"), "exponent 1.5"), "c:14: the exponent is '1.5'");
  expect_refused(with(line_of("bytes_per_row"), "bytes_per_row 0"), "c:15: bytes_per_row 0; it must be from 1 to 8");
  expect_refused(with(line_of("bytes_per_row"), "bytes_per_row 200"), "c:15: bytes_per_row 200");
  expect_refused(with("\ndual\n", "\nduel\n"), "c:16: expected the line 'dual'");
  expect_refused(bytes + "more", "bytes, but its header announces");
  expect_refused(with("l2 0.001", "l2 0.002"), "do not match its checksum");
}

TEST_F(CertificateText, BytesAreReadExactlyAndNoFurtherThanNeeded) {
  Certificate odd = parse_certificate(bytes, "c");
  for (std::size_t i = 0; i < odd.rows; ++i) odd.dual.steps[i] = static_cast<std::int64_t>(i * 655);  // all byte values
  write_certificate(odd, folder / "odd");
  EXPECT_EQ(read_certificate(folder / "odd").dual.steps, odd.dual.steps);
  put(folder / "long", bytes + std::string(10000000, 'x'));
  expect_error([&] { (void)read_certificate(folder / "long"); }, "but its header announces");
  expect_error([&] { (void)read_certificate("/dev/zero"); }, "/dev/zero:1: the header has no end");
  expect_error([&] { (void)read_certificate(folder / "none"); }, "no such file");
}

}  // namespace
}  // namespace geodescent::testing
