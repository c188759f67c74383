#include "fetch/download/download.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "common/interrupt.hpp"
#include "fetch/download/curl_library.hpp"
#include "geodescent/version.hpp"

namespace geodescent::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr long most_redirects = 5;
constexpr Seconds first_pause{0.5};
constexpr Seconds longest_pause{60};

constexpr const char* other_address = "check the address; --mirror URL names another server";
constexpr const char* other_mirror = "check the network, or name another server with --mirror URL";

/// The outcome of a request.
struct Answer {
  CURLcode code = CURLE_OK;
  long status = 0;        ///< of HTTP; 0 for file URLs
  std::string detail;     ///< of libcurl
  Seconds wait{0};        ///< the pause that the server asks for
  bool outdated = false;  ///< the bytes that were there are of another version than the server has
  bool too_long = false;  ///< more bytes arrived or were announced than the file may have
};

/// "bytes 100-199/200": 100 and 200. An unknown total is 0.
struct ContentRange {
  std::uint64_t first = 0;
  std::uint64_t total = 0;
};
std::optional<ContentRange> parse_content_range(std::string_view text) {
  constexpr std::string_view unit = "bytes ";
  const std::size_t slash = text.rfind('/');
  if (!text.starts_with(unit) || slash == std::string_view::npos) return std::nullopt;
  ContentRange range;
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data() + unit.size(), end, range.first).ec != std::errc{}) return std::nullopt;
  std::from_chars(text.data() + slash + 1, end, range.total);  // stays 0 for "*"
  return range;
}

/// One request: asks for the rest of the part where that is possible, and writes what comes.
class Request {
 public:
  Request(CURL* handle, PartFile& part, std::uint64_t most_bytes, const DownloadWatch& watch)
      : handle_(handle),
        part_(part),
        most_bytes_(most_bytes),
        watch_(watch),
        asked_from_(part.resumable() ? part.size() : 0) {}
  ~Request() { curl().slist_free_all(headers_); }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Answer run(const std::string& address, const DownloadLimits& limits);
  bool kept_bytes() const { return begun_ && base_ > 0; }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    if (curl().easy_setopt(handle_, option, value) == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  }
  void prepare(const std::string& address, const DownloadLimits& limits);
  void ask_for_the_rest();
  /// Called with the first bytes, when the headers are known. Returns false to refuse the bytes.
  bool begin();
  bool continues_the_part() const;
  bool take(std::string_view bytes);
  void tell(std::uint64_t total, std::uint64_t now);
  std::string header(const char* name) const;
  RemoteVersion version() const;
  long status() const;

  static std::size_t on_data(char* bytes, std::size_t one, std::size_t count, void* self);
  static int on_progress(void* self, curl_off_t total, curl_off_t now, curl_off_t, curl_off_t);

  CURL* handle_;
  PartFile& part_;
  std::uint64_t most_bytes_;
  const DownloadWatch& watch_;
  std::uint64_t asked_from_;
  std::uint64_t base_ = 0;  ///< bytes that were there and are kept
  bool begun_ = false;
  bool outdated_ = false;
  bool too_long_ = false;
  std::exception_ptr error_;  ///< exceptions must not pass through libcurl
  curl_slist* headers_ = nullptr;
  char detail_[CURL_ERROR_SIZE] = {};
};

void Request::prepare(const std::string& address, const DownloadLimits& limits) {
  curl().easy_reset(handle_);
  set(CURLOPT_URL, address.c_str());
  set(CURLOPT_USERAGENT, "geodescent/" GEODESCENT_VERSION_STRING);
  set(CURLOPT_PROTOCOLS_STR, "http,https,file");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, most_redirects);
  // A redirect may neither read local files nor drop the encryption.
  set(CURLOPT_REDIR_PROTOCOLS_STR, address.starts_with("https:") ? "https" : "http,https");
  set(CURLOPT_FAILONERROR, 1L);
  set(CURLOPT_CONNECTTIMEOUT, limits.patience);
  set(CURLOPT_LOW_SPEED_LIMIT, limits.least_speed);
  set(CURLOPT_LOW_SPEED_TIME, limits.patience);
  set(CURLOPT_ERRORBUFFER, detail_);
  set(CURLOPT_WRITEFUNCTION, &Request::on_data);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &Request::on_progress);
  set(CURLOPT_XFERINFODATA, static_cast<void*>(this));
  if (asked_from_ > 0) ask_for_the_rest();
}

void Request::ask_for_the_rest() {
  set(CURLOPT_RANGE, fmt::format("{}-", asked_from_).c_str());  // libcurl copies it
  headers_ = curl().slist_append(nullptr, fmt::format("If-Range: {}", part_.version().tag).c_str());
  if (headers_ == nullptr) throw std::bad_alloc();
  set(CURLOPT_HTTPHEADER, headers_);
}

Answer Request::run(const std::string& address, const DownloadLimits& limits) {
  prepare(address, limits);
  Answer answer;
  answer.code = curl().easy_perform(handle_);
  answer.status = status();
  // An empty file never calls on_data.
  if (answer.code == CURLE_OK && !begun_ && !begin()) answer.code = CURLE_WRITE_ERROR;
  if (error_) std::rethrow_exception(error_);
  answer.outdated = outdated_;
  answer.too_long = too_long_;
  answer.detail = detail_[0] != '\0' ? detail_ : curl().easy_strerror(answer.code);
  curl_off_t wait = 0;
  curl().easy_getinfo(handle_, CURLINFO_RETRY_AFTER, &wait);
  answer.wait = std::min(Seconds(static_cast<double>(wait)), longest_pause);
  return answer;
}

bool Request::begin() {
  begun_ = true;
  const long code = status();
  if (code == 206 && continues_the_part()) {
    base_ = asked_from_;
    return true;
  }
  // 416: the server no longer has this range.
  outdated_ = asked_from_ > 0 && code == 206;
  if (outdated_ || (code != 200 && code != 0)) return false;
  part_.restart(version());
  return true;
}

bool Request::continues_the_part() const {
  const std::optional<ContentRange> range = parse_content_range(header("Content-Range"));
  if (asked_from_ == 0 || !range || range->first != asked_from_) return false;
  const RemoteVersion& ours = part_.version();
  const std::string tag = version().tag;
  // A server may ignore If-Range.
  if (!tag.empty() && tag != ours.tag) return false;
  return range->total == 0 || ours.length == 0 || range->total == ours.length;
}

bool Request::take(std::string_view bytes) {
  if (!begun_ && !begin()) return false;
  too_long_ = std::max(part_.size() + bytes.size(), part_.version().length) > most_bytes_;
  if (too_long_) return false;
  part_.write(bytes);
  return true;
}

void Request::tell(std::uint64_t total, std::uint64_t now) {
  if (!begun_) return;
  curl_off_t speed = 0;
  curl().easy_getinfo(handle_, CURLINFO_SPEED_DOWNLOAD_T, &speed);
  watch_({base_ + now, total > 0 ? base_ + total : 0, static_cast<double>(speed)});
}

std::string Request::header(const char* name) const {
  constexpr int last_response = -1;  // after redirects
  curl_header* found = nullptr;
  if (curl().easy_header(handle_, name, 0, CURLH_HEADER, last_response, &found) != CURLHE_OK) return {};
  return found->value;
}

RemoteVersion Request::version() const {
  RemoteVersion result;
  result.tag = header("ETag");
  // A weak ETag may be the same for files with different bytes.
  if (result.tag.empty() || result.tag.starts_with("W/")) result.tag = header("Last-Modified");
  curl_off_t length = 0;
  curl().easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  if (length > 0) result.length = static_cast<std::uint64_t>(length);
  return result;
}

long Request::status() const {
  long result = 0;
  curl().easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &result);
  return result;
}

std::size_t Request::on_data(char* bytes, std::size_t, std::size_t count, void* self) {
  auto& request = *static_cast<Request*>(self);
  try {
    return request.take({bytes, count}) ? count : CURL_WRITEFUNC_ERROR;
  } catch (...) {
    request.error_ = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
}

int Request::on_progress(void* self, curl_off_t total, curl_off_t now, curl_off_t, curl_off_t) {
  constexpr int go_on = 0, stop = 1;
  auto& request = *static_cast<Request*>(self);
  if (interrupted() != 0) return stop;
  try {
    request.tell(static_cast<std::uint64_t>(total), static_cast<std::uint64_t>(now));
    return go_on;
  } catch (...) {
    request.error_ = std::current_exception();
    return stop;
  }
}

/// Whether the server has not answered, not even with an error.
bool is_unreachable(const Answer& answer) {
  const bool unreachable = answer.code == CURLE_COULDNT_RESOLVE_HOST || answer.code == CURLE_COULDNT_RESOLVE_PROXY ||
                           answer.code == CURLE_COULDNT_CONNECT;
  return unreachable || (answer.code == CURLE_OPERATION_TIMEDOUT && answer.status == 0);
}

/// Whether the same request may succeed later.
bool is_temporary(const Answer& answer) {
  switch (answer.code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return true;
    case CURLE_HTTP_RETURNED_ERROR:
      return answer.status == 408 || answer.status == 429 || (answer.status >= 500 && answer.status != 501);
    default:
      return false;
  }
}

struct Words {
  std::string reason;
  std::string remedy;
};

Words words_for_status(long status) {
  if (status == 404 || status == 410) {
    return {fmt::format("no such file ({})", status), other_address};
  }
  if (status >= 500) return {fmt::format("the server has failed ({})", status), "try again later, or --mirror URL"};
  if (status >= 400) return {fmt::format("the server refuses ({})", status), "check the address, or --mirror URL"};
  return {fmt::format("unexpected answer {}", status), "check the address, or --mirror URL"};
}

Words words_for(const Answer& answer) {
  switch (answer.code) {
    case CURLE_HTTP_RETURNED_ERROR:
    case CURLE_WRITE_ERROR:  // the bytes were refused by begin()
      return words_for_status(answer.status);
    case CURLE_FILE_COULDNT_READ_FILE:
      return {"the file cannot be read", "check the address that --mirror or GEODESCENT_MIRROR gives"};
    case CURLE_UNSUPPORTED_PROTOCOL:
      return {answer.detail, "use an http or https address; redirects to others are not followed"};
    case CURLE_TOO_MANY_REDIRECTS:
      return {"the server redirects in a circle", "check the address, or --mirror URL"};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return {answer.detail, "check the clock and the package ca-certificates of this machine, or --mirror URL"};
    case CURLE_OPERATION_TIMEDOUT:
      return {fmt::format("the server is silent or too slow ({})", answer.detail),
              fmt::format("{}; --min-speed B waits for slower ones", other_mirror)};
    default:
      return {answer.detail, other_mirror};
  }
}

[[noreturn]] void give_up(const std::string& address, const Answer& answer, std::uint64_t attempts) {
  const Words words = words_for(answer);
  const std::string tried = attempts > 1 ? fmt::format(", {} times", attempts) : "";
  throw DownloadError(fmt::format("{}: {}{}; {}", address, words.reason, tried, words.remedy), is_unreachable(answer));
}

/// Sleeps in short pieces, so that Ctrl-C takes effect.
void pause_for(Seconds time) {
  const auto end = Clock::now() + time;
  while (interrupted() == 0 && Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  if (interrupted() != 0) throw Interrupted{interrupted()};
}

void* new_handle() {
  static const CURLcode once = curl().global_init(CURL_GLOBAL_DEFAULT);
  CURL* const handle = once == CURLE_OK ? curl().easy_init() : nullptr;
  if (handle == nullptr) throw std::bad_alloc();
  return handle;
}

}  // namespace

void Downloader::Cleanup::operator()(void* handle) const { curl().easy_cleanup(handle); }

Downloader::Downloader(const DownloadLimits& limits) : limits_(limits), handle_(new_handle()) {}

bool Downloader::download(const std::string& address, PartFile& part, std::uint64_t most_bytes,
                          const DownloadWatch& watch) {
  bool kept = part.complete();
  std::uint64_t failures = 0;
  Clock::time_point start = Clock::now();
  while (!part.complete()) {
    const std::uint64_t before = part.size();
    Request request(handle_.get(), part, most_bytes, watch);
    const Answer answer = request.run(address, limits_);
    if (interrupted() != 0) throw Interrupted{interrupted()};
    kept = request.kept_bytes();
    if (answer.code == CURLE_OK) break;
    if (answer.too_long) {
      part.discard();
      throw DownloadError(fmt::format("{}: the server sends more than {} bytes, too many for this set; {}", address,
                                      most_bytes, other_address),
                          false);
    }
    if (answer.outdated || (answer.status == 416 && before > 0)) {
      part.restart({});
      continue;
    }
    // Continues as long as attempts and their pauses progress at the least
    // speed.
    const Clock::time_point now = Clock::now();
    const Seconds spent = now - std::exchange(start, now);
    const double fair = static_cast<double>(limits_.least_speed) * spent.count();
    if (kept && static_cast<double>(part.size() - before) >= fair) failures = 0;
    if (!is_temporary(answer) || failures == limits_.retries) give_up(address, answer, failures + 1);
    pause_for(std::max(first_pause * static_cast<double>(1U << std::min<std::uint64_t>(failures, 6)), answer.wait));
    ++failures;
  }
  return kept;
}

}  // namespace geodescent::cli
