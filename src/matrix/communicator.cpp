#include <vector>

#include "geodescent/ranks.hpp"

namespace geodescent {
namespace {

/// Numbers that travel together. Short, so that all ranks work at once; long, so that a message takes its time for its
/// bytes.
constexpr std::size_t numbers_at_once = 16384;

}  // namespace

void Communicator::gather(std::span<const double> ours, std::span<const std::size_t> sizes, std::span<double> all) {
  all_gather(ours, sizes, all);
  ++traffic_.rounds;
  traffic_.bytes += all.size_bytes() - ours.size_bytes();
}

void Communicator::add_in_order(std::span<double> numbers,
                                const std::function<void(std::size_t begin, std::size_t end)>& add) {
  std::vector<std::size_t> parts;
  for (std::size_t end = numbers_at_once; end < numbers.size(); end += numbers_at_once) parts.push_back(end);
  add_in_order(numbers, parts, add);
}

void Communicator::add_in_order(std::span<double> numbers, std::span<const std::size_t> parts,
                                const std::function<void(std::size_t begin, std::size_t end)>& add) {
  if (numbers.empty()) return;
  const std::size_t last = ranks() - 1;
  for (std::size_t p = 0; p <= parts.size(); ++p) {
    const std::size_t begin = p > 0 ? parts[p - 1] : 0, end = p < parts.size() ? parts[p] : numbers.size();
    const std::span<double> part = numbers.subspan(begin, end - begin);
    if (rank() > 0) receive(part, rank() - 1);
    add(begin, end);
    if (rank() < last) send(part, rank() + 1);
  }
  broadcast(numbers, last);
  ++traffic_.rounds;
  traffic_.bytes += ((rank() > 0 ? 1 : 0) + (rank() < last ? 1 : 0)) * numbers.size_bytes();
}

void Communicator::pass_on(std::span<double> numbers, const std::function<void()>& change) {
  if (rank() > 0) receive(numbers, rank() - 1);
  change();
  if (rank() + 1 < ranks()) send(numbers, rank() + 1);
  ++traffic_.rounds;
  traffic_.bytes += rank() > 0 ? numbers.size_bytes() : 0;
}

}  // namespace geodescent
