// Downloads one file, with retries.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "fetch/download/download_part.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {

struct DownloadLimits {
  long patience = 30;         ///< seconds that a server may be silent or slower than least_speed
  long least_speed = 1000;    ///< bytes a second
  std::uint64_t retries = 4;  ///< consecutive attempts that may fail for a temporary reason
};

struct DownloadState {
  std::uint64_t received = 0;
  std::uint64_t total = 0;  ///< 0 when the server does not say
  double speed = 0;         ///< bytes a second
};
using DownloadWatch = std::function<void(const DownloadState&)>;

/// The download of a file has failed: "address: reason; remedy".
class DownloadError : public InputError {
 public:
  DownloadError(const std::string& message, bool server_is_unreachable)
      : InputError(message), unreachable(server_is_unreachable) {}
  bool unreachable;  ///< the server does not answer: its other files need not be tried
};

/// Addresses are http, https or file URLs. Connections are kept from one file to the next.
class Downloader {
 public:
  explicit Downloader(const DownloadLimits& limits);

  /// Completes the part, from its present bytes if the server has the same version. Returns whether
  /// these were kept. Throws DownloadError, InputError if the part cannot be written, and
  /// Interrupted. The part stays, unless the server sends or announces more than `most_bytes`.
  bool download(const std::string& address, PartFile& part, std::uint64_t most_bytes, const DownloadWatch& watch);

 private:
  struct Cleanup {
    void operator()(void* handle) const;
  };

  DownloadLimits limits_;
  std::unique_ptr<void, Cleanup> handle_;
};

}  // namespace geodescent::cli
