// Checkpoints of a training in a file: a model with its proof.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "geodescent/data/dataset.hpp"
#include "geodescent/learn/model.hpp"
#include "geodescent/learn/train.hpp"

namespace geodescent {

/// The file of a training that can be continued. With data on ranks, rank 0 writes it and all ranks
/// read it.
///
///     CheckpointFile file("run.ckpt", {.every = 100, .resume = true});
///     TrainResult trained = train(data, risk, file.add_to(options, data, risk));
class CheckpointFile {
 public:
  /// How a file is used.
  struct Use {
    std::uint64_t every = 100;  ///< iterations between two checkpoints
    bool resume = false;        ///< whether to continue from the file, if it is there
    /// Called when a checkpoint cannot be written: the training goes on rather than lose its work.
    std::function<void(const std::string& reason)> warn = {};
  };

  /// Does not open the file.
  CheckpointFile(std::string path, Use use);
  CheckpointFile(const CheckpointFile&) = delete;
  CheckpointFile& operator=(const CheckpointFile&) = delete;

  /// Reads the file if the training is to continue from it; `add_to` does it where it has not been
  /// done. Throws InputError where it is no checkpoint.
  void read();
  /// The options with these checkpoints. They refer to this object. Of data on ranks rank 0 writes
  /// the file, and all must see it to continue. Throws InputError for a checkpoint of other data.
  [[nodiscard]] TrainOptions add_to(TrainOptions options, const Dataset& data, const Risk& risk);

  const std::string& path() const { return path_; }   ///< of the file
  std::uint64_t written() const { return written_; }  ///< the number of checkpoints so far
  /// The iterations of the checkpoint that the training continues from; empty if it began anew.
  std::optional<std::uint64_t> resumed_after() const;

 private:
  void require_on_all_ranks(const Dataset& data) const;
  void write(const TrainResult& so_far, const Dataset* on_ranks);

  std::string path_;
  Use use_;
  std::optional<LinearModel> resumed_;
  std::uint64_t written_ = 0;
};

}  // namespace geodescent
