#include "journal/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "geodescent/error.hpp"

namespace geodescent::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* no_journal = "this is not a journal of an experiment; choose another folder";

/// The whole content, or nothing if it cannot be read.
std::optional<std::string> contents(int descriptor) {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t got; (got = ::read(descriptor, buffer, sizeof buffer)) != 0;) {
    if (got < 0 && errno != EINTR) return std::nullopt;
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

/// Whether the text is a first line that was only partly written. Any other content is not a
/// journal.
bool is_torn_first_line(const std::string& text) {
  const std::string begin = "{\"experiment\":";
  return text.compare(0, begin.size(), begin, 0, text.size()) == 0 || text.find_first_not_of('\0') == text.npos;
}

/// The first member that differs, as text: "loss is logistic there and smoothed-hinge here".
std::string difference(const Json& there, const Json& here) {
  for (const auto& [key, value] : here.items()) {
    const bool checksum = key == "methods";  // meaningless to a reader
    if (checksum && there.contains(key) && there[key] != value)
      return "its pieces are of another version of the methods";
    if (!there.contains(key) || there[key] != value)
      return fmt::format("{} is {} there and {} here", key, there.contains(key) ? there[key].dump() : "absent",
                         value.dump());
  }
  return "it has more settings";
}

}  // namespace

Journal::Journal(const std::string& path, const Json& experiment, Start start) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    fail(fmt::format("cannot write: {}; choose another folder", std::generic_category().message(errno)));
  try {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
      fail("another process is running this experiment; wait for its end or choose another folder");
    if (start == Start::afresh && ::ftruncate(descriptor_, 0) != 0)
      fail(fmt::format("cannot write: {}", std::generic_category().message(errno)));
    read(experiment);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

Journal::~Journal() { ::close(descriptor_); }

void Journal::read(const Json& experiment) {
  const std::optional<std::string> read_text = contents(descriptor_);
  if (!read_text) fail(fmt::format("cannot read: {}; choose another folder", std::generic_category().message(errno)));
  const std::string& text = *read_text;
  std::size_t kept = 0;
  bool first = true;
  for (std::size_t end; (end = text.find('\n', kept)) != std::string::npos; kept = end + 1) {
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(kept),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (first && (!line.is_object() || !line.contains("experiment"))) fail(no_journal);
    if (first && line["experiment"] != experiment)
      fail(fmt::format("this folder holds another experiment ({}); choose another folder, or start over with --restart",
                       difference(line["experiment"], experiment)));
    // A broken line in the middle ends the journal: the work of the lines after it is done again.
    if (!first && (!line.is_object() || !line.contains("value") || !line.contains("key") || !line["key"].is_string()))
      break;
    if (!first) finished_[line["key"].get<std::string>()] = line["value"];
    first = false;
  }
  if (first && !is_torn_first_line(text)) fail(no_journal);
  if (::ftruncate(descriptor_, static_cast<off_t>(kept)) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0)
    fail(fmt::format("cannot write: {}", std::generic_category().message(errno)));
  if (first) append(Json{{"experiment", experiment}});
}

void Journal::append(const Json& line) {
  const std::string text = line.dump() + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t put = ::write(descriptor_, text.data() + done, text.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0)
      fail(fmt::format("cannot write: {}; free some space and start again", std::generic_category().message(errno)));
    done += static_cast<std::size_t>(put);
  }
  if (::fsync(descriptor_) != 0) fail(fmt::format("cannot write: {}", std::generic_category().message(errno)));
}

const Json* Journal::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = finished_.find(key);
  return found == finished_.end() ? nullptr : &found->second;
}

void Journal::add(const std::string& key, Json value) {
  const std::lock_guard lock(mutex_);
  append(Json{{"key", key}, {"value", value}});
  finished_[key] = std::move(value);
}

void Journal::fail(const std::string& reason) const { throw InputError(path_ + ": " + reason); }

}  // namespace geodescent::lab
