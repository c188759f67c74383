#include "geodescent/learn/checkpoint_file.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text/counted.hpp"
#include "data/ranks/rank_messages.hpp"
#include "data/ranks/shared_rows.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/error.hpp"
#include "learn/constant_column.hpp"

namespace geodescent {

CheckpointFile::CheckpointFile(std::string path, Use use) : path_(std::move(path)), use_(std::move(use)) {}

void CheckpointFile::read() {
  if (!use_.resume || resumed_ || !std::filesystem::exists(path_)) return;
  LinearModel found = read_model(path_);
  if (found.checkpoint == 0)
    throw InputError(fmt::format("{}: a model, but no checkpoint; start from it, or name another file", path_));
  resumed_ = std::move(found);
}

TrainOptions CheckpointFile::add_to(TrainOptions options, const Dataset& data, const Risk& risk) {
  on_all_ranks(data, [&] { read(); });
  require_on_all_ranks(data);
  if (resumed_ && resumed_->risk.bias == risk.bias) {  // the fingerprint contains the column of the intercept
    options.fingerprint = fingerprint(lacks_constant(data, risk) ? with_constant_of(risk, data) : data);
    on_all_ranks(data, [&] {
      if (options.fingerprint != read_certificate(path_).fingerprint)
        throw InputError(fmt::format(
            "{}: a checkpoint of other data or weights than {}; name another file, or begin anew to replace it", path_,
            data.name));
    });
  }
  const auto on_ranks = data.ranks ? std::make_shared<const Dataset>(data) : nullptr;
  options.checkpoints = {.every = use_.every,
                         .take = [this, on_ranks](const TrainResult& so_far) { write(so_far, on_ranks.get()); },
                         .resume = resumed_ ? &*resumed_ : nullptr};
  return options;
}

std::optional<std::uint64_t> CheckpointFile::resumed_after() const {
  if (!resumed_) return std::nullopt;
  return resumed_->checkpoint;
}

/// Ranks that begin from different files would wait for each other.
void CheckpointFile::require_on_all_ranks(const Dataset& data) const {
  if (!data.ranks) return;
  std::array<double, 3> ours{};
  if (resumed_) ours = {static_cast<double>(resumed_->checkpoint), resumed_->value, resumed_->lower_bound};
  const std::vector<double> all = gather_all(*data.ranks->ranks, ours);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k] != all[k % ours.size()])
      throw InputError(
          fmt::format("{}: not the same checkpoint on all ranks; put it where all of them can read it", path_));
}

void CheckpointFile::write(const TrainResult& so_far, const Dataset* on_ranks) {
  if (!so_far.certificate) return;
  try {
    if (on_ranks) {  // rank 0 writes
      const Certificate certificate = gathered(*on_ranks, *so_far.certificate);
      if (on_ranks->ranks->ranks->rank() == 0) write_model(so_far.model, certificate, path_);
    } else {
      write_model(so_far.model, *so_far.certificate, path_);
    }
    ++written_;
  } catch (const InputError& error) {
    if (use_.warn)
      use_.warn(fmt::format("no checkpoint after {}: {}", counted(so_far.run.iterations, "iteration"), error.what()));
  }
}

}  // namespace geodescent
