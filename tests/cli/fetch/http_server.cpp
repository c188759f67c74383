#include "cli/fetch/http_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <system_error>

namespace geodescent::testing {
namespace {

void require(bool ok, const char* what) {
  if (!ok) throw std::system_error(errno, std::generic_category(), what);
}

/// False when the other side has gone.
bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string read_head(int connection) {
  std::string text;
  char buffer[2048];
  while (text.find("\r\n\r\n") == std::string::npos) {
    const ssize_t count = ::recv(connection, buffer, sizeof buffer, 0);
    if (count <= 0) return {};
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

std::string header_in(const std::string& head, const std::string& name) {
  const std::size_t at = head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return {};
  const std::size_t start = at + name.size() + 4;
  return head.substr(start, head.find("\r\n", start) - start);
}

HttpRequest parse(const std::string& head) {
  std::istringstream words(head);
  std::string verb, path;
  words >> verb >> path;
  return {path, header_in(head, "Range"), header_in(head, "If-Range")};
}

std::string status_line(int status) { return "HTTP/1.1 " + std::to_string(status) + " as told\r\n"; }

/// The first byte that is to be sent; 0: all of them.
std::size_t start_of(const HttpRequest& request, const Resource& plan) {
  if (!plan.ranges || request.range.rfind("bytes=", 0) != 0) return 0;
  const bool same = request.if_range == (plan.etag.empty() ? plan.last_modified : plan.etag);
  return same || !plan.checks_if_range ? std::stoul(request.range.substr(6)) : 0;
}

std::string head_for(const Resource& plan, std::size_t start) {
  const std::string size = std::to_string(plan.body.size());
  std::string head = status_line(start > 0 ? 206 : 200);
  if (start > 0) {
    head += "Content-Range: bytes " + std::to_string(start) + "-" + std::to_string(plan.body.size() - 1) + "/" + size +
            "\r\n";
  }
  if (!plan.endless) head += "Content-Length: " + std::to_string(plan.body.size() - start) + "\r\n";
  if (!plan.etag.empty()) head += "ETag: " + plan.etag + "\r\n";
  if (!plan.last_modified.empty()) head += "Last-Modified: " + plan.last_modified + "\r\n";
  return head + "Connection: close\r\n\r\n";
}

std::string empty_answer(int status, const std::string& more = "") {
  return status_line(status) + more + "Content-Length: 0\r\nConnection: close\r\n\r\n";
}

}  // namespace

HttpServer::HttpServer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  require(listener_ >= 0, "socket");
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof here;
  auto* const name = reinterpret_cast<sockaddr*>(&here);
  require(::bind(listener_, name, length) == 0, "bind");
  require(::listen(listener_, 16) == 0, "listen");
  require(::getsockname(listener_, name, &length) == 0, "getsockname");
  port_ = ntohs(here.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

HttpServer::~HttpServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const int connection : connections_) ::shutdown(connection, SHUT_RDWR);
  }
  release();
  ::shutdown(listener_, SHUT_RDWR);  // wakes accept()
  acceptor_.join();
  for (std::thread& worker : workers_) worker.join();
  for (const int connection : connections_) ::close(connection);
  ::close(listener_);
}

std::string HttpServer::address() const { return "http://127.0.0.1:" + std::to_string(port_); }

void HttpServer::put(const std::string& path, const Resource& resource) {
  const std::lock_guard lock(mutex_);
  resources_[path] = resource;
}

void HttpServer::release() {
  const std::lock_guard lock(mutex_);
  stalling_ = false;
  released_.notify_all();
}

std::vector<HttpRequest> HttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void HttpServer::accept_all() {
  for (;;) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const std::lock_guard lock(mutex_);
    if (connection < 0 && errno == EINTR) continue;
    if (connection < 0) return;
    connections_.push_back(connection);
    if (stopping_) return;
    workers_.emplace_back([this, connection] {
      serve(connection);
      // Closed in the end only: until then nobody else gets its number.
      ::shutdown(connection, SHUT_RDWR);
    });
  }
}

Resource HttpServer::plan_for(const HttpRequest& request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(request);
  const auto found = resources_.find(request.path);
  Resource plan;
  if (found == resources_.end()) {
    plan.status = 404;
    return plan;
  }
  Resource& resource = found->second;
  plan = resource;
  if (resource.unavailable > 0) {
    --resource.unavailable;
    plan.status = 503;
  } else if (resource.cuts > 0) {
    --resource.cuts;
  } else {
    plan.cut_after = Resource::never;
  }
  return plan;
}

void HttpServer::serve(int connection) {
  const std::string head = read_head(connection);
  if (head.empty()) return;
  const HttpRequest request = parse(head);
  const Resource plan = plan_for(request);
  if (plan.mute) wait_for_release();
  if (!plan.redirect.empty()) {
    send_all(connection, empty_answer(302, "Location: " + plan.redirect + "\r\n"));
  } else if (plan.status != 200) {
    send_all(connection, empty_answer(plan.status));
  } else if (const std::size_t start = start_of(request, plan); start < plan.body.size()) {
    send_body(connection, head_for(plan, start), std::string_view(plan.body).substr(start), plan);
  } else {
    send_all(connection, empty_answer(start == 0 ? 200 : 416));
  }
}

void HttpServer::wait_for_release() {
  std::unique_lock lock(mutex_);
  released_.wait(lock, [this] { return !stalling_; });
}

bool HttpServer::send_pieces(int connection, std::string_view bytes, const Resource& plan) {
  if (plan.endless) {
    while (send_all(connection, bytes)) continue;
    return false;
  }
  if (plan.drip.count() == 0) return send_all(connection, bytes);
  constexpr std::size_t piece = 100;
  for (std::size_t sent = 0; sent < bytes.size(); sent += piece) {
    if (!send_all(connection, bytes.substr(sent, piece))) return false;
    std::this_thread::sleep_for(plan.drip);
  }
  return true;
}

void HttpServer::send_body(int connection, const std::string& head, std::string_view body, const Resource& plan) {
  const std::size_t first = std::min({body.size(), plan.cut_after, plan.stall_after});
  if (!send_all(connection, head) || !send_pieces(connection, body.substr(0, first), plan)) return;
  if (plan.stall_after < body.size()) wait_for_release();
  const std::size_t end = std::min(body.size(), plan.cut_after);
  if (first < end) send_all(connection, body.substr(first, end - first));
}

}  // namespace geodescent::testing
