// The certificate, in a file of its own or behind its model: lines of text, then the dual point as
// binary numbers, then a checksum of all of it.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text/counted.hpp"
#include "certificate/certificate_header.hpp"
#include "certificate/fingerprint/sha256.hpp"
#include "files/output_file.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/error.hpp"
#include "learn/model_file/liblinear_model.hpp"
#include "learn/model_file/model_file.hpp"

namespace geodescent {
namespace {

std::string hash_of(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return fmt::format("{}{}", hash_prefix, hash.hex_digest());
}

/// Between the dual point and the end of the file.
constexpr std::string_view before_hash = "\nend ";
constexpr std::size_t trailer_size = before_hash.size() + hash_prefix.size() + hash_digits + 1;

// Writing ----------------------------------------------------------------------------------------

std::size_t bytes_needed(std::span<const std::int64_t> steps) {
  std::uint64_t used = 0;  // the bits of all of them that differ from the sign
  for (const std::int64_t step : steps) used |= static_cast<std::uint64_t>(step ^ (step >> 63));
  return 1 + static_cast<std::size_t>(std::bit_width(used)) / 8;  // one bit more, for the sign
}

/// Two's complement, the lowest byte first. In pieces, as memory for all of it takes longer than
/// filling it.
template <class Put>
void put_dual(std::span<const std::int64_t> steps, std::size_t bytes, const Put& put) {
  constexpr std::size_t values_of_piece = 4096;
  std::string piece(values_of_piece * bytes + sizeof(std::int64_t), '\0');
  while (!steps.empty()) {
    const auto now = steps.first(std::min(steps.size(), values_of_piece));
    char* out = piece.data();
    for (const std::int64_t step : now) {
      // All eight, which is one instruction; the next ones replace those that are too many.
      for (std::size_t k = 0; k < sizeof step; ++k)
        out[k] = static_cast<char>(static_cast<std::uint64_t>(step) >> (8 * k));
      out += bytes;
    }
    put(std::string_view(piece.data(), now.size() * bytes));
    steps = steps.subspan(now.size());
  }
}

// Reading ----------------------------------------------------------------------------------------

/// Two's complement, the lowest byte first.
std::int64_t step_at(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < bytes.size(); ++k)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[k])} << (8 * k);
  const int unused = 64 - 8 * static_cast<int>(bytes.size());
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::uint64_t file_size(const CertificateHeader& header) { return header.end + header.dual_size() + trailer_size; }

void check_trailer(std::string_view bytes, const CertificateHeader& header, const std::string& name) {
  if (bytes.size() != file_size(header)) {
    throw InputError(fmt::format("{}: {} bytes, but its header announces {}; {}", name, bytes.size(), file_size(header),
                                 certificate_remedy));
  }
  const std::string_view all_before = bytes.substr(0, bytes.size() - trailer_size + 1);
  const std::string_view trailer = bytes.substr(all_before.size() - 1);
  if (trailer != fmt::format("{}{}\n", before_hash, hash_of(all_before))) {
    throw InputError(
        fmt::format("{}: its bytes do not match its checksum: it has been changed; {}", name, certificate_remedy));
  }
}

void put_certificate(const Certificate& certificate, OutputFile& file) {
  const auto points = dual_points(certificate);
  std::vector<std::size_t> bytes;
  for (const DualPoint* const point : points) {
    if (point->steps.size() != dual_values(certificate))
      throw std::invalid_argument(fmt::format(
          "a certificate for {} with {}; for a file, `gathered` brings the dual values of all ranks to rank 0",
          counted(certificate.rows, "row"), counted(point->steps.size(), "dual value")));
    bytes.push_back(bytes_needed(point->steps));
  }
  Sha256 hash;
  const auto put = [&](std::string_view piece) {
    hash.update(piece);
    file.write(piece);
  };
  put(header_text(certificate, bytes));
  for (std::size_t k = 0; k < points.size(); ++k) put_dual(points[k]->steps, bytes[k], put);
  put("\n");
  file.write(fmt::format("end {}{}\n", hash_prefix, hash.hex_digest()));
}

/// How errors call the certificate behind a model: lines are counted from its own first one.
std::string behind(const std::string& model) { return model + " (certificate)"; }

/// The certificate that begins with these bytes; the rest comes from the source.
Certificate read_on(std::string bytes, TextSource& source, const std::string& name) {
  std::optional<std::uint64_t> size;  // once the header is there; what is no certificate may never end
  for (;;) {
    if (!size && bytes.size() >= longest_header(bytes)) size = file_size(read_header(bytes, name));
    if (size && bytes.size() > *size) break;
    const std::string_view piece = source.read();
    if (piece.empty()) break;
    bytes.append(piece);
  }
  return parse_certificate(bytes, name);
}

}  // namespace

void write_certificate(const Certificate& certificate, const std::string& path) {
  OutputFile file(path);
  put_certificate(certificate, file);
  file.commit();
}

void write_model(const LinearModel& model, const Certificate& certificate, const std::string& path) {
  OutputFile file(path);
  write_model_parts(model, file);
  put_certificate(certificate, file);
  file.commit();
}

Certificate parse_certificate(std::string_view bytes, const std::string& name) {
  CertificateHeader header = read_header(bytes, name);
  check_trailer(bytes, header, name);
  // Nothing is allocated before: the file has shown that it has this many values.
  const auto points = dual_points(header.certificate);
  std::size_t next = header.end;
  for (std::size_t k = 0; k < points.size(); ++k) {
    points[k]->steps.resize(dual_values(header.certificate));
    for (std::int64_t& step : points[k]->steps) {
      step = step_at(bytes.substr(next, header.bytes[k]));
      next += header.bytes[k];
    }
  }
  return std::move(header.certificate);
}

CertifiedModel read_certified_model(const std::string& path) {
  TextSource source(path);
  std::string certificate;
  CertifiedModel found{parse_model(read_model_text(source, certificate), source.name()), {}};
  if (!certificate.empty()) found.certificate = read_on(std::move(certificate), source, behind(source.name()));
  return found;
}

Certificate read_certificate(const std::string& path) {
  TextSource source(path);
  std::string bytes, certificate;
  for (std::string_view piece = source.read(); !piece.empty(); piece = source.read()) {
    bytes.append(piece);
    if (bytes.size() >= liblinear_first_word.size()) break;
  }
  if (!bytes.starts_with(liblinear_first_word)) return read_on(std::move(bytes), source, source.name());
  static_cast<void>(read_model_text(source, certificate, std::move(bytes)));
  if (!certificate.empty()) return read_on(std::move(certificate), source, behind(source.name()));
  throw InputError(source.name() + ": a model without a certificate; give one that 'geodescent train' wrote");
}

}  // namespace geodescent
