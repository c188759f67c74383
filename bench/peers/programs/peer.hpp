// The interface of a timed program: geodescent, liblinear-train, scikit-learn, vw. Each minimises
// the same function, f(w) = mean loss + l2/2 |w|^2 without an intercept, on the same file, and
// returns its coefficients. With several classes that is softmax, or the sum over one class against
// the rest.
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

/// The function to be minimised.
struct PeerTask {
  const PeerData* data = nullptr;
  std::string loss;
  double l2 = 0;

  /// Columns of coefficients. Number j outputs() + k belongs to feature j and class k.
  std::size_t outputs() const { return data->classes > 0 ? data->classes : 1; }
};

/// Whether the loss is a regression loss.
bool is_regression(const std::string& loss);

/// The solver of a peer and its tolerance, in the peer's own terms.
struct PeerSetting {
  std::string solver;
  double tolerance = 0;
  bool operator==(const PeerSetting&) const = default;
};

/// The tolerances to try with a solver, the loosest first. A direct solver has only the tolerance
/// 0.
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
  std::optional<double> load = {};  ///< the part of `seconds` for reading, if the peer reports it
  std::optional<double> train = {};
  Vector weights = {};
  std::string trouble = {};  ///< why there are no coefficients; empty if there are
  bool out_of_time = false;
};

/// The time limit of an attempt, and a function that is called while waiting.
struct Patience {
  double seconds = std::numeric_limits<double>::infinity();
  Waiting waiting = {};
};

class Peer {
 public:
  virtual ~Peer() = default;

  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  /// Its solvers for this task; empty if it cannot minimise this function.
  virtual std::vector<Ladder> ladders(const PeerTask& task) const = 0;
  virtual Attempt run(const PeerTask& task, const PeerSetting& setting, const Patience& patience) = 0;
  /// Reads the file and does nothing else. Empty if that cannot be timed separately.
  virtual std::optional<Attempt> load(const PeerData& data, const Patience& patience) = 0;
  /// Whether the seconds of run() include reading the file.
  virtual bool run_reads_file() const { return true; }
  /// The seconds before a command reads the file, if load() and run() do not include them.
  virtual double start_seconds() const { return 0; }
};

/// A peer, or the reason why it is missing.
struct PeerSearch {
  std::unique_ptr<Peer> peer;
  std::string missing;  ///< the reason and the remedy; empty if the peer was found
};

/// The names that --peers accepts, in the order of the runs.
inline constexpr const char* liblinear_name = "liblinear";
inline constexpr const char* sklearn_name = "scikit-learn";
inline constexpr const char* vw_name = "vw";
inline constexpr const char* our_name = "geodescent";

/// `scratch` is a folder for models and other temporary files.
std::unique_ptr<Peer> make_ours(const std::string& program, int threads, const std::string& scratch);
PeerSearch find_liblinear(const std::string& scratch);
/// `python` is the interpreter. Empty: python3 or /usr/bin/python3, whichever has scikit-learn.
PeerSearch find_sklearn(const std::string& python, int threads, const std::string& scratch);
PeerSearch find_vw(const std::string& scratch);

}  // namespace geodescent::lab
