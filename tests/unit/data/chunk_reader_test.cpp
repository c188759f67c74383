// Text parsed in chunks by several threads gives the rows, and the errors, of one parser that reads
// it from end to end.
#include "data/assemble/chunk_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <random>
#include <thread>

#include <fmt/core.h>

#include "data/assemble/chunk_matrix.hpp"
#include "data/libsvm/libsvm_parser.hpp"
#include "data/text/line_limit.hpp"
#include "geodescent/error.hpp"
#include "geodescent/threads.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent {
namespace {

using testing::contents;
using testing::put;
using testing::TemporaryFolder;

/// Rows, or the error alone: how many rows are handed on before an error is nobody's business.
std::string serial(std::string_view text, const LibsvmOptions& options) {
  std::string log;
  LibsvmParser parser("t", options, [&](double label, auto indices, auto values) {
    log += fmt::format("{:a}", label);
    for (std::size_t k = 0; k < indices.size(); ++k) log += fmt::format(" {}:{:a}", indices[k], values[k]);
    log += "\n";
  });
  try {
    parser.feed(text);
    parser.finish();
    return log + fmt::format("columns {} from {}", parser.columns(), parser.zero_based() ? 0 : 1);
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string in_chunks(TextChunks& chunks, const LibsvmOptions& options) {
  std::string log;
  const std::string name = "t";
  try {
    const LibsvmState state = read_chunks(chunks, name, options, [&](const RowChunk& chunk) {
      std::size_t k = 0;
      for (std::size_t i = 0; i < chunk.shape().rows; ++i) {
        log += fmt::format("{:a}", chunk.targets()[i]);
        const std::size_t end = k + chunk.lengths()[i];
        chunk.visit([&](const auto* indices, const auto* values) {
          for (; k < end; ++k)
            log += fmt::format(" {}:{:a}", indices[k],
                               values == nullptr ? chunk.shape().repeated : static_cast<double>(values[k]));
        });
        log += "\n";
      }
    });
    return log + fmt::format("columns {} from {}", columns_of(state, options), state.zero_based ? 0 : 1);
  } catch (const InputError& error) {
    return error.what();
  }
}

class ChunkReader : public ::testing::Test {
 protected:
  void TearDown() override { set_threads(before_); }

  void compare(std::string_view text, const LibsvmOptions& options = {}) {
    const std::string expected = serial(text, options);
    const std::vector<char> exact(text.begin(), text.end());  // so that a sanitizer sees every read beyond it
    for (const std::size_t size : {1, 5, 17, 64, 1000}) {
      ChunksOfMemory chunks({exact.data(), exact.size()}, size);
      ASSERT_EQ(in_chunks(chunks, options), expected) << "in chunks of " << size << " bytes:\n" << text;
    }
  }

  const int before_ = threads();
};

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const char* folder : {"accept", "reject"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(GEODESCENT_TEST_DATA "/") + folder))
      if (entry.path().extension() == ".svm") texts.push_back(contents(entry.path().string()));
  return texts;
}

/// Rows with all that the format allows; index 0 and the index 9 now and then.
std::string random_text(std::mt19937_64& random) {
  std::string text;
  const std::uint64_t zeros = random() % 3;
  for (std::uint64_t rows = random() % 40; rows > 0; --rows) {
    if (random() % 10 == 0) text += random() % 2 ? "\n" : "# comment\n";
    text += random() % 2 ? "-1" : "+1";
    if (random() % 9 == 0) text += " qid:3";
    for (std::uint64_t index = random() % 8 == 0 && zeros == 0 ? 0 : 1; index < 9 + random() % 20 / 19;
         index += 1 + random() % 5)
      text += fmt::format("{}{}:{}", random() % 9 ? " " : "\t ", index,
                          random() % 3 ? "1" : fmt::format("{}", 0.25 * static_cast<double>(random() % 9) - 1));
    text += random() % 20 ? "\n" : "\r\n";
  }
  if (random() % 3 == 0 && !text.empty()) text.pop_back();
  return text;
}

TEST_F(ChunkReader, AgreesWithTheParserOnTheCorpus) {
  for (const int count : {1, 3}) {
    set_threads(count);
    for (const std::string& text : corpus()) compare(text);
  }
}

TEST_F(ChunkReader, AgreesWithTheParserOnRandomTexts) {
  set_threads(3);
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    LibsvmOptions options;
    options.index_base = static_cast<IndexBase>(random() % 4 > 1 ? 0 : random() % 3);
    if (random() % 2) options.features = 8 + random() % 3;
    std::string text = random_text(random);
    compare(text, options);
    for (int damage = 0; damage < 3 && !text.empty(); ++damage) {
      static constexpr std::string_view bytes("\0\n\r\t :#-+.eqx019\x80", 18);
      text[random() % text.size()] = bytes[random() % bytes.size()];
      compare(text, options);
    }
  }
}

TEST_F(ChunkReader, TheFirstErrorIsReportedWithItsLine) {
  set_threads(3);
  std::string text;
  for (int k = 0; k < 5000; ++k) text += k == 3210 || k == 3300 ? "1 x:1\n" : "1 1:1 2:2\n";
  ChunksOfMemory chunks(text, 100);
  EXPECT_EQ(in_chunks(chunks, {}).substr(0, 38), "t:3211:3: 'x:1' is not an index:value ");
}

TEST_F(ChunkReader, SourcesThatComePieceByPieceGiveTheSame) {
  const TemporaryFolder folder;
  std::mt19937_64 random(4);
  for (const int count : {1, 3}) {
    set_threads(count);
    for (int trial = 0; trial < 200; ++trial) {
      std::string text = random_text(random);
      if (trial % 2 && !text.empty()) text[random() % text.size()] = trial % 4 == 1 ? '\0' : 'x';
      put(folder / "text", text);
      for (const std::size_t size : {1, 30, 100000}) {
        TextSource source(folder / "text");
        ChunksOfSource chunks(source, source.read(), size, count);
        ASSERT_EQ(in_chunks(chunks, {}), serial(text, {})) << size << ":\n" << text;
      }
    }
  }
}

// Lines before a long one are read, so that their errors come first and its number is right.
TEST_F(ChunkReader, ALineHasALimit) {
  const TemporaryFolder folder;
  const LibsvmOptions options{.line_limit = least_line_limit};
  const auto line = [](std::size_t length) {
    const std::string start = "-1 2:1 # ";
    return start + std::string(length - start.size(), 'c');
  };
  const auto outcome = [](const auto& read) -> std::string {
    try {
      read();
    } catch (const InputError& error) {
      return error.what();
    }
    return "read";
  };
  const std::string path = folder / "text";
  const auto expect_all = [&](const std::string& text, const std::string& expected) {
    put(path, text);
    EXPECT_EQ(outcome([&] { (void)parse_libsvm(text, path, options); }), expected);
    EXPECT_EQ(outcome([&] { (void)read_libsvm(path, options); }), expected);
    EXPECT_EQ(outcome([&] { for_each_row(path, options, [](double, auto, auto) {}); }), expected);
    EXPECT_EQ(outcome([&] {
                TextSource source(path);
                ChunksOfSource chunks(source, source.read(), usual_chunk, threads(), options.line_limit);
                (void)read_rows(chunks, path, options);
              }),
              expected);
  };
  const std::string refused =
      ":3: the line is longer than 1000000 bytes; check the file, or raise the limit (--line-limit, "
      "LibsvmOptions::line_limit)";
  for (const int count : {1, 3}) {
    set_threads(count);
    for (const std::string& before : {std::string("1 1:1\n\n"), "1 1:1 #" + std::string(400000, 'b') + "\n\n"})
      for (const std::string after : {"", "\n1 1:1\n1 x\n"}) {
        const bool wrong_after = after.ends_with("x\n");
        const std::string error =
            path + ":5:3: 'x' is not an index:value pair; indices are whole numbers, comments start with #";
        expect_all(before + line(least_line_limit) + after, wrong_after ? error : "read");
        expect_all(before + line(least_line_limit + 1) + after, path + refused);
        expect_all(before + line(3 * least_line_limit) + after, path + refused);
      }
    put(path, line(3 * least_line_limit));
    const LibsvmOptions unlimited{.line_limit = std::numeric_limits<std::size_t>::max()};
    EXPECT_EQ(outcome([&] { (void)read_libsvm(path, unlimited); }), "read");
    EXPECT_EQ(outcome([&] { for_each_row(path, unlimited, [](double, auto, auto) {}); }), "read");
    expect_all("1 1:1\n1 x\n" + line(3 * least_line_limit),
               path + ":2:3: 'x' is not an index:value pair; indices are whole numbers, comments start with #");
  }
}

TEST_F(ChunkReader, ABrokenArchiveIsMetAfterTheRowsBeforeIt) {
  const TemporaryFolder folder;
  const std::string packed = contents(GEODESCENT_TEST_DATA "/compressed/sample.svm.gz");
  put(folder / "cut.gz", packed.substr(0, packed.size() - 3));
  for (const int count : {1, 3}) {
    set_threads(count);
    try {
      (void)read_libsvm(folder / "cut.gz");
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("truncated or corrupt"), std::string::npos) << error.what();
    }
  }
}

// The form is that of in_best_form(), whatever the chunks were.
TEST_F(ChunkReader, TheMatrixHasItsBestForm) {
  const TemporaryFolder folder;
  const auto form = [](const RowMatrix& matrix) {
    if (const auto* dense = dynamic_cast<const DenseRows*>(&matrix)) return 10 + dense->arrays().entries.index();
    const SparseArrays& arrays = dynamic_cast<const SparseRows&>(matrix).arrays();
    return 3 * arrays.indices.index() + arrays.values.index();
  };
  for (const std::string text :
       {"1 3:1\n1 9:1\n", "1 3:1\n1 9:2\n", "1 3:1\n1 9:0.1\n", "1 3:0.1\n1 9:0.1\n", "1 3:0\n1 9:-0\n", "1\n1\n",
        "1 65536:1\n", "1 65537:1 65538:2\n", "1 65537:1 65538:0.1\n", "1 0:1 65535:1\n", "1 0:1 65536:1\n",
        "1 1:1\n-1 1:1\n", "1 1:0.1 2:3\n-1 1:-0\n", "1 1:0.5 2:0\n"}) {
    put(folder / "t", text);
    const Dataset direct = read_dataset(folder / "t");
    const LibsvmData data = parse_libsvm(text, "t");
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    for (std::size_t i = 0; i < data.rows.rows(); ++i) {
      const auto row = data.rows.indices(i);
      const auto numbers = data.rows.values(i);
      indices.insert(indices.end(), row.begin(), row.end());
      values.insert(values.end(), numbers.begin(), numbers.end());
      offsets.push_back(indices.size());
    }
    const auto best = in_best_form(SparseRows(offsets, indices, values, data.rows.columns()));
    EXPECT_EQ(form(*direct.rows), form(*best)) << text;
    EXPECT_EQ(direct.rows->squared_norm(), best->squared_norm()) << text;
    EXPECT_EQ(direct.nonzeros, data.rows.nonzeros());
  }
}

}  // namespace
}  // namespace geodescent
