// Getting one file from a server, in as many attempts as it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "fetch/download_part.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {

struct DownloadLimits {
  long patience = 30;         ///< seconds that a server may be silent or slower than least_speed
  long least_speed = 1000;    ///< bytes a second
  std::uint64_t retries = 4;  ///< attempts in a row that may fail for a reason that can pass
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
  bool unreachable;  ///< nobody answers there: other files of this server need not be tried
};

/// Addresses are http, https or file URLs. Connections are kept from one file to the next.
class Downloader {
 public:
  explicit Downloader(const DownloadLimits& limits);

  /// Brings the part to completion, beginning with what is there where the server agrees. Returns whether earlier bytes
  /// were kept. Throws DownloadError, InputError when the part cannot be written, and Interrupted; the part stays,
  /// unless the server sends or announces more than `most_bytes`.
  bool download(const std::string& address, PartFile& part, std::uint64_t most_bytes, const DownloadWatch& watch);

 private:
  struct Cleanup {
    void operator()(void* handle) const;
  };

  DownloadLimits limits_;
  std::unique_ptr<void, Cleanup> handle_;
};

}  // namespace geodescent::cli
