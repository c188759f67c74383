// Any bytes are either a data set that keeps its promises or one InputError. Checksums are put
// right first: otherwise nothing behind them would ever be reached.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "data/binary/binary_reader.hpp"
#include "geodescent/error.hpp"
#include "support/binary_file.hpp"

namespace {

using namespace geodescent;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const std::string& file) {
  const std::size_t words = file.size() / 8 + 1;  // never none: the place must not be null
  const auto aligned = std::make_shared<std::vector<std::uint64_t>>(words);
  std::memcpy(aligned->data(), file.data(), file.size());
  try {
    const Dataset data =
        dataset_of(read_binary({reinterpret_cast<const char*>(aligned->data()), file.size()}, aligned, "b"), "b", {});
    require(data.targets.size() == data.rows->rows() && data.rows->rows() > 0);
    for (const double target : data.targets) require(std::isfinite(target));
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    for (std::size_t i = 0; i < data.rows->rows(); ++i) {
      data.rows->copy_row(i, indices, values);
      for (std::size_t k = 0; k < indices.size(); ++k) {
        require(indices[k] < data.rows->columns() && std::isfinite(values[k]));
        require(k == 0 || indices[k - 1] < indices[k]);
      }
    }
  } catch (const InputError& error) {
    const std::string what = error.what();
    require(what.starts_with("b: ") && what.find("; ") != std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string file(bytes, bytes + size);
  check(file);
  if (size < sizeof(BinaryHeader)) return 0;
  testing::seal(file);
  check(file);
  return 0;
}
