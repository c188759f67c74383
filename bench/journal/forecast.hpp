// How long the rest of an experiment takes, learned from the pieces that are finished.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace geodescent::lab {

/// A piece of work that is to be done.
struct Piece {
  std::string label;  ///< unique
  double cost = 1;    ///< a first guess of how long it takes, in any unit
  std::vector<std::string> traits =
      {};  ///< what it shares with other pieces: its method, its data set, its regularisation
};

/// A piece under way.
struct PieceUnderWay {
  std::string label;
  double seconds = 0;  ///< since it was begun
};

/// Predicts the seconds of a piece as cost x unit x the factors of its traits. Unit and factors are
/// fitted to the logarithms of the finished pieces. A factor is shrunk towards 1: of n pieces with
/// the trait it explains n / (n + 1) of their mean residual. The unit makes the sum over the
/// finished pieces exact, so that long pieces count.
class Forecast {
 public:
  void add(Piece piece);
  /// A label that was not added has no effect.
  void finish(const std::string& label, double seconds);

  /// Seconds until all pieces are finished, `jobs` at a time. Empty until one is finished.
  std::optional<double> remaining(int jobs, std::span<const PieceUnderWay> under_way = {});

 private:
  struct Entry {
    double cost;
    std::vector<std::size_t> traits;
    std::optional<double> seconds = {};  ///< of a finished piece
  };

  void fit();
  /// In seconds over the unit.
  double relative(const Entry& entry) const;

  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> by_label_;
  std::unordered_map<std::string, std::size_t> trait_numbers_;
  std::vector<double> factors_;  ///< logarithms, one for each trait
  double unit_ = 0;
  std::size_t finished_ = 0;
  bool fitted_ = false;
};

}  // namespace geodescent::lab
