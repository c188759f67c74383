// The text lines before the dual values of a certificate. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geodescent/certificate.hpp"

namespace geodescent {

inline constexpr std::string_view hash_prefix = "sha256:";
inline constexpr std::size_t hash_digits = 64;
inline constexpr const char* certificate_remedy = "copy it again, or train again";

/// The certificate without its dual values, and the position of those.
struct CertificateHeader {
  Certificate certificate;
  std::vector<std::size_t> bytes;  ///< of a number of each dual point
  std::size_t end = 0;             ///< where the dual points begin

  /// The bytes of all dual points.
  std::uint64_t dual_size() const;
};

/// The dual points in the order of the file: that of the certificate, or that of each claim.
std::vector<const DualPoint*> dual_points(const Certificate& certificate);
std::vector<DualPoint*> dual_points(Certificate& certificate);
/// The numbers of a dual point: one for each row or, with a joint loss, for each row and class.
std::uint64_t dual_values(const Certificate& certificate);

/// `bytes`: of a number of each dual point.
std::string header_text(const Certificate& certificate, const std::vector<std::size_t>& bytes);
/// Throws InputError; errors call the file `name`.
CertificateHeader read_header(std::string_view bytes, const std::string& name);
/// The largest possible length of a header with this beginning.
std::size_t longest_header(std::string_view beginning);

}  // namespace geodescent
