#include "data/shares/file_shares.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/crc32c.hpp"
#include "base/text/counted.hpp"
#include "data/io/data_source.hpp"
#include "files/mapped_file.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

/// Compressed text counts as if it were so many times longer.
constexpr std::uint64_t usual_compression = 4;

/// A checksum of blocks all over the file: reading a large one as a whole would take too long.
std::uint32_t sample_of(const std::string& path) {
  constexpr std::size_t blocks = 64, length = 4096;
  const auto mapped = MappedFile::open(path);
  if (!mapped) return 0;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(mapped->bytes()));
  if (bytes.size() <= blocks * length) return crc32c(bytes);
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < blocks; ++k)
    sum = crc32c(bytes.subspan((bytes.size() - length) / (blocks - 1) * k, length), sum);
  return crc32c(bytes.last(length), sum);
}

DataFile file_at(const std::string& path) {
  DataFile file{path};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  // What does not exist is a file: its error says so.
  if (path == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
                      !std::filesystem::is_directory(status)))
    return file;
  const DataSource source(path);
  file.bytes = std::filesystem::file_size(path, error);
  file.sample = sample_of(path);
  file.form = FileForm::whole;
  if (!source.mapped()) return file;
  file.form = source.is_binary() ? FileForm::binary : FileForm::text;
  if (file.form == FileForm::binary) file.rows = binary_shape(source.mapped()->bytes(), source.name()).rows;
  return file;
}

void require_same_files(std::span<const DataFile> files, const Agreement& ranks) {
  std::vector<double> ours;
  for (const DataFile& file : files)
    for (const double number : {static_cast<double>(file.form), static_cast<double>(file.bytes),
                                static_cast<double>(file.rows), static_cast<double>(file.sample)})
      ours.push_back(number);
  const std::vector<double> of_all = ranks.gather(ours);
  const std::size_t of_a_file = ours.size() / files.size();
  for (std::size_t k = 0; k < of_all.size(); ++k) {
    const std::size_t rank = k / ours.size(), file = k % ours.size() / of_a_file;
    if (of_all[k] == of_all[k % ours.size()]) continue;
    const double there = of_all[rank * ours.size() + of_a_file * file + 1], here = of_all[of_a_file * file + 1];
    throw InputError(
        fmt::format("{}: rank {} sees another file at this path than rank 0 ({}); give all machines the same "
                    "files",
                    files[file].path, rank,
                    there == here ? fmt::format("{} bytes, with other contents", here)
                                  : fmt::format("{} and {} bytes", there, here)));
  }
}

std::uint64_t weight_of(const DataFile& file) {
  if (file.form == FileForm::stream) return 0;
  return file.form == FileForm::whole ? file.bytes * usual_compression : file.bytes;
}

/// Bytes, or rows of a converted file.
std::uint64_t units_of(const DataFile& file) { return file.form == FileForm::binary ? file.rows : file.bytes; }

/// total * rank / ranks, without overflow.
std::uint64_t border(std::uint64_t total, std::size_t rank, std::size_t ranks) {
  return total / ranks * rank + total % ranks * rank / ranks;
}

}  // namespace

std::vector<DataFile> files_at(std::span<const std::string> paths, const Agreement& ranks) {
  std::vector<DataFile> files;
  ranks.together([&] {
    for (const std::string& path : paths) files.push_back(file_at(path));
  });
  if (!ranks.alone()) require_same_files(files, ranks);
  return files;
}

std::vector<std::vector<FilePart>> shares_of(std::span<const DataFile> files, std::size_t ranks) {
  std::uint64_t total = 0;
  for (const DataFile& file : files) total += weight_of(file);
  std::vector<std::vector<FilePart>> shares(ranks);
  std::uint64_t before = 0;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const DataFile& file = files[f];
    const std::uint64_t weight = weight_of(file), units = units_of(file);
    if (file.form == FileForm::stream) {
      if (before > 0 && ranks > 1)
        throw InputError(
            fmt::format("{}: only rank 0 can read it, but other ranks read what comes before it; give it "
                        "first, or as a file",
                        file.path == "-" ? "standard input" : file.path));
      shares[0].push_back({f, 0, 0});
    }
    for (std::size_t r = 0; r < ranks && file.form != FileForm::stream; ++r) {
      const std::uint64_t begin = std::clamp(border(total, r, ranks), before, before + weight) - before,
                          end = std::clamp(border(total, r + 1, ranks), before, before + weight) - before;
      const bool is_last = r + 1 == ranks;
      if (file.form == FileForm::whole) {
        const std::uint64_t middle = before + weight / 2;
        const bool here = middle >= border(total, r, ranks) && (middle < border(total, r + 1, ranks) || is_last);
        if (here) shares[r].push_back({f, 0, file.bytes});
      } else if (end > begin) {
        const auto unit = [&](std::uint64_t place) {
          if (place == weight) return units;
          return static_cast<std::uint64_t>(static_cast<double>(units) *
                                            (static_cast<double>(place) / static_cast<double>(weight)));
        };
        shares[r].push_back({f, unit(begin), unit(end)});
      }
    }
    before += weight;
  }
  return shares;
}

}  // namespace geodescent
