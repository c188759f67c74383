// The lines of losses.def as types. Solver, proof, files and command line share only this table.
// Internal to the library.
#pragma once

#include <cstddef>
#include <tuple>

#include "certificate/proof/proof_loss.hpp"
#include "losses/library_loss.hpp"
#include "losses/listed.hpp"  // made by CMake: includes the files that losses.def names

namespace geodescent {

/// A line of the table. The two types share no code, so that the proof does not depend on the
/// solver.
template <class SolverLoss, class ProofTwin>
struct LossEntry {
  static_assert(LibraryLoss<SolverLoss>, "the solver's loss lacks a member of the concept LibraryLoss");
  static_assert(proof::ProofLoss<ProofTwin>, "the proof's loss lacks a member of the concept proof::ProofLoss");
  static_assert(SolverLoss::task == ProofTwin::task, "solver and proof disagree on the task of the loss");
  static_assert(std::is_empty_v<SolverLoss> == std::is_empty_v<ProofTwin>,
                "only one of solver and proof has the parameter of the loss");
  static_assert(!std::is_same_v<SolverLoss, ProofTwin>, "the proof needs a loss of its own");

  using Solver = SolverLoss;
  using Proof = ProofTwin;
};

#define GEODESCENT_LOSS(file, Type) std::tuple<LossEntry<Type, proof::Type>>(),
using LossTable = decltype(std::tuple_cat(
#include "losses/losses.def"
    std::tuple<>()));
#undef GEODESCENT_LOSS

inline constexpr std::size_t loss_count = std::tuple_size_v<LossTable>;

/// visit(entry) for each line of the table.
template <class Visit>
constexpr void for_each_loss(const Visit& visit) {
  std::apply([&](auto... entry) { (visit(entry), ...); }, LossTable{});
}

}  // namespace geodescent
