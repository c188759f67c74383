#include <optional>
#include <vector>

#include "geodescent/ranks.hpp"
#include "matrix/packed_numbers.hpp"

namespace geodescent {
namespace {

/// Numbers that travel together. Short, so that all ranks work at once; long, so that a message takes its time for its
/// bytes.
constexpr std::size_t numbers_at_once = 16384;
/// From this length on zeros are left out. A message about the length of the next one takes a moment, too.
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
  const auto length_of = [](const std::optional<PackedNumbers>& packed, std::span<const double> all) {
    return static_cast<double>(packed && packed->is_shorter() ? packed->packed().size() : all.size());
  };
  const auto send_part = [&](std::span<const double> part) {
    if (!may_pack) return send(part, rank() + 1);
    const std::optional<PackedNumbers> packed(part);
    const double length = length_of(packed, part);
    send({&length, 1}, rank() + 1);
    send(packed->is_shorter() ? packed->packed() : part, rank() + 1);
  };
  /// get(numbers) receives them.
  const auto unpack = [&](std::span<double> part, double length, const auto& get) {
    traffic_.bytes += static_cast<std::uint64_t>(length) * sizeof(double);
    const auto size = static_cast<std::size_t>(length);
    if (size == part.size()) return get(part);
    std::vector<double> packed(size);
    get(std::span<double>(packed));
    PackedNumbers::unpack(packed, part);
  };
  const auto receive_part = [&](std::span<double> part) {
    auto length = static_cast<double>(part.size());
    if (may_pack) receive({&length, 1}, rank() - 1);
    unpack(part, length, [&](std::span<double> to) { receive(to, rank() - 1); });
  };
  for (std::size_t p = 0; p <= parts.size(); ++p) {
    const std::size_t begin = p > 0 ? parts[p - 1] : 0, end = p < parts.size() ? parts[p] : numbers.size();
    const std::span<double> part = numbers.subspan(begin, end - begin);
    if (rank() > 0) receive_part(part);
    add(begin, end);
    if (rank() < last) send_part(part);
  }
  std::optional<PackedNumbers> result;
  if (may_pack && rank() == last) result.emplace(numbers);
  double length = length_of(result, numbers);
  if (may_pack) broadcast({&length, 1}, last);
  if (rank() < last) {
    unpack(numbers, length, [&](std::span<double> to) { broadcast(to, last); });
  } else if (result && result->is_shorter()) {
    std::vector<double> packed(result->packed().begin(), result->packed().end());
    broadcast(packed, last);
  } else {
    broadcast(numbers, last);
  }
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
