#include <vector>

#include "geodescent/ranks.hpp"
#include "matrix/packed_numbers.hpp"

namespace geodescent {
namespace {

/// Numbers that travel together. Short, so that all ranks work at once; long, so that a message
/// takes its time for its bytes.
constexpr std::size_t numbers_at_once = 16384;
/// From this length on zeros are left out. A message about the length of the next one takes a
/// moment, too.
constexpr std::size_t long_vector = 4 * numbers_at_once;

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
  const bool may_pack = numbers.size() >= long_vector;
  // A message that may be packed has its length before it.
  const auto send_part = [&](std::span<const double> part) {
    if (!may_pack) return send(part, rank() + 1);
    const std::vector<double> shorter = packed(part);
    const std::span<const double> message = shorter.empty() ? part : shorter;
    const auto length = static_cast<double>(message.size());
    send({&length, 1}, rank() + 1);
    send(message, rank() + 1);
  };
  /// get(numbers) gets a message into them.
  const auto take = [&](std::span<double> part, double length, const auto& get) {
    const auto size = static_cast<std::size_t>(length);
    traffic_.bytes += size * sizeof(double);
    if (size == part.size()) return get(part);
    std::vector<double> shorter(size);
    get(std::span<double>(shorter));
    unpack(shorter, part);
  };
  const auto receive_part = [&](std::span<double> part) {
    auto length = static_cast<double>(part.size());
    if (may_pack) receive({&length, 1}, rank() - 1);
    take(part, length, [&](std::span<double> to) { receive(to, rank() - 1); });
  };
  for (std::size_t p = 0; p <= parts.size(); ++p) {
    const std::size_t begin = p > 0 ? parts[p - 1] : 0, end = p < parts.size() ? parts[p] : numbers.size();
    const std::span<double> part = numbers.subspan(begin, end - begin);
    if (rank() > 0) receive_part(part);
    add(begin, end);
    if (rank() < last) send_part(part);
  }
  std::vector<double> shorter;
  if (may_pack && rank() == last) shorter = packed(numbers);
  auto length = static_cast<double>(shorter.empty() ? numbers.size() : shorter.size());
  if (may_pack) broadcast({&length, 1}, last);
  if (rank() < last)
    take(numbers, length, [&](std::span<double> to) { broadcast(to, last); });
  else
    broadcast(shorter.empty() ? numbers : std::span<double>(shorter), last);
  ++traffic_.rounds;
}

void Communicator::pass_on(std::span<double> numbers, const std::function<void()>& change) {
  if (rank() > 0) receive(numbers, rank() - 1);
  change();
  if (rank() + 1 < ranks()) send(numbers, rank() + 1);
  ++traffic_.rounds;
  traffic_.bytes += rank() > 0 ? numbers.size_bytes() : 0;
}

}  // namespace geodescent
