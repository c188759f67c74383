// A program that is timed beside others: ours, liblinear-train, scikit-learn, vw. Each minimises the same function,
// f(w) = mean loss + l2/2 |w|^2 without an intercept, on the same file, and hands over its weights to be judged.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geodescent/vector.hpp"
#include "peers/data.hpp"
#include "peers/programs/process.hpp"

namespace geodescent::lab {

/// What is to be minimised.
struct PeerTask {
  const PeerData* data = nullptr;
  std::string loss;
  double l2 = 0;
};

/// Whether the loss is for targets, not for classes.
bool is_regression(const std::string& loss);

/// What a peer is told: which of its solvers, and where to stop, in its own terms.
struct PeerSetting {
  std::string solver;
  double tolerance = 0;
  bool operator==(const PeerSetting&) const = default;
};

/// The tolerances to try with a solver, the loosest first. A direct solver has none: its only tolerance is 0.
struct Ladder {
  std::string solver;
  std::vector<double> tolerances;
};

/// Powers of ten from `loosest` down to `tightest`, both powers of ten.
std::vector<double> powers_of_ten(double loosest, double tightest);
/// The same with 3 before 1, 0.3 before 0.1, and so on.
std::vector<double> half_powers_of_ten(double loosest, double tightest);

struct Attempt {
  double seconds = 0;
  std::optional<double> load = {};  ///< of these seconds, where the peer says so itself
  std::optional<double> train = {};
  Vector weights = {};
  std::string trouble = {};  ///< why there are no weights; empty when there are
  bool out_of_time = false;
};

/// How long an attempt may take, and what happens meanwhile.
struct Patience {
  double seconds = std::numeric_limits<double>::infinity();
  Waiting waiting = {};
};

class Peer {
 public:
  virtual ~Peer() = default;

  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  /// Its solvers for this task; none when it cannot minimise this function.
  virtual std::vector<Ladder> ladders(const PeerTask& task) const = 0;
  virtual Attempt run(const PeerTask& task, const PeerSetting& setting, const Patience& patience) = 0;
  /// Reading the file, and nothing else. Absent when that cannot be timed by itself.
  virtual std::optional<Attempt> load(const PeerData& data, const Patience& patience) = 0;
  /// Whether the seconds of run() have those of reading the file in them.
  virtual bool run_reads_file() const { return true; }
  /// What a command takes before it reads the file, where that is not part of load() and run().
  virtual double start_seconds() const { return 0; }
};

/// A peer that is there, or why it is not.
struct PeerSearch {
  std::unique_ptr<Peer> peer;
  std::string missing;  ///< the reason and the remedy; empty when it is there
};

/// The names that --peers takes, in the order they are run.
inline constexpr const char* liblinear_name = "liblinear";
inline constexpr const char* sklearn_name = "scikit-learn";
inline constexpr const char* vw_name = "vw";
inline constexpr const char* our_name = "geodescent";

/// `scratch`: a folder for models and other files that nobody keeps.
std::unique_ptr<Peer> make_ours(const std::string& program, int threads, const std::string& scratch);
PeerSearch find_liblinear(const std::string& scratch);
/// `python`: the interpreter; empty: python3, or else /usr/bin/python3, whichever has scikit-learn.
PeerSearch find_sklearn(const std::string& python, int threads, const std::string& scratch);
PeerSearch find_vw(const std::string& scratch);

}  // namespace geodescent::lab
