// Running a program as a user would: arguments, streams, signals, exit code. No shell in between.
#pragma once

#include <sys/types.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace geodescent::testing {

struct Outcome {
  int code = -1;  ///< exit code; 128 + n when it died of signal n
  std::string out;
  std::string err;
};

struct Surroundings {
  std::string folder = {};                              ///< where it runs; empty: here
  std::string input = "/dev/null";                      ///< the file that is its standard input
  std::string output = {};                              ///< a file for its standard output; empty: captured
  std::string terminal = {};                            ///< a terminal for its standard error; empty: captured
  std::map<std::string, std::string> environment = {};  ///< on top of ours
};

/// A program that runs. Whatever happens in the test, it does not outlive this object.
class Program {
 public:
  Program(const std::vector<std::string>& command, const Surroundings& surroundings = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t id() const { return id_; }
  void send(int signal) const;
  /// Reads until standard error contains `text`; false when the program ended without saying it.
  bool wait_until_it_says(const std::string& text);
  /// Waits for its end. Where it has trained a model, scripts/check.py must accept the certificate.
  Outcome wait();

 private:
  bool read_some();
  void check_certificates() const;

  std::vector<std::string> command_;
  std::string folder_;
  std::string input_;
  pid_t id_ = -1;
  int out_ = -1;
  int err_ = -1;
  Outcome outcome_;
};

/// Whether all these words are in the text.
bool says(const std::string& text, const std::vector<std::string>& words);

/// Whether a program of this name is installed.
bool installed(const std::string& name);

Outcome run(const std::vector<std::string>& command, const Surroundings& surroundings = {});
/// The geodescent under test: the one of this build, unless the environment variable
/// GEODESCENT_BINARY names another.
std::string binary();
/// Whether it is built with sanitizers.
bool sanitized();
/// Runs it.
Outcome geodescent(std::vector<std::string> arguments, const Surroundings& surroundings = {});
std::vector<std::string> geodescent_command(std::vector<std::string> arguments);

/// `geodescent train --json --quiet` with these arguments: its exit code in "exit_code", and all of
/// its JSON.
nlohmann::json train_json(std::vector<std::string> arguments);

/// Writes a generated data set to `path`.
void generate_data(const std::string& path, std::vector<std::string> options);

/// In one word of the error: "geodescent: error: ..." on exactly one line.
bool is_one_error_line(const std::string& text);

/// Every file of a folder with its contents: to see that nothing was touched.
std::map<std::string, std::string> snapshot(const std::string& folder);

}  // namespace geodescent::testing
