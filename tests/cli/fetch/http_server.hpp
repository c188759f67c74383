// A small HTTP server on the loopback, made to misbehave on request.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace geodescent::testing {

/// What the server has under a path, and how it serves it.
struct Resource {
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  std::string body = {};
  std::string etag = "\"1\"";         ///< empty: none is sent
  std::string last_modified = {};     ///< empty: none is sent
  bool ranges = true;                 ///< false: every answer is the whole file
  bool checks_if_range = true;        ///< false: sends the range, whatever version was asked for
  int status = 200;                   ///< other than 200: the answer to everything
  int unavailable = 0;                ///< so many times 503 first
  std::size_t cut_after = never;      ///< closes the connection after so many bytes of an answer ...
  int cuts = 0;                       ///< ... so many times
  bool mute = false;                  ///< takes the request and does not answer until release()
  std::size_t stall_after = never;    ///< stops sending after so many bytes of an answer until release()
  std::string redirect = {};          ///< an address; empty: none
  bool endless = false;               ///< repeats the body until the client leaves, and does not say how long it is
  std::chrono::milliseconds drip{0};  ///< the pause after each 100 bytes; 0: all at once
};

struct HttpRequest {
  std::string path;
  std::string range;     ///< "bytes=100-", or empty
  std::string if_range;  ///< or empty
};

class HttpServer {
 public:
  HttpServer();
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// "http://127.0.0.1:PORT"
  std::string address() const;
  void put(const std::string& path, const Resource& resource);
  /// Nothing stalls from now on.
  void release();
  std::vector<HttpRequest> requests() const;

 private:
  void accept_all();
  void serve(int connection);
  /// Takes the request down and decides how this one is served.
  Resource plan_for(const HttpRequest& request);
  void wait_for_release();
  /// False when the other side has gone.
  static bool send_pieces(int connection, std::string_view bytes, const Resource& plan);
  void send_body(int connection, const std::string& head, std::string_view body, const Resource& plan);

  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable released_;
  bool stalling_ = true;
  bool stopping_ = false;
  std::map<std::string, Resource> resources_;
  std::vector<HttpRequest> requests_;
  std::vector<int> connections_;
  std::vector<std::thread> workers_;
  std::thread acceptor_;
};

}  // namespace geodescent::testing
