#include "data/ranks/rank_messages.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "data/ranks/shared_rows.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

// What ranks send: kinds of exceptions.
constexpr double none = 0, invalid_argument = 1, input_error = 2, other = 3;

struct Failure {
  double kind = none;
  std::string message;
};

Failure failure_of(const std::exception_ptr& error) {
  if (!error) return {};
  try {
    std::rethrow_exception(error);
  } catch (const InputError& e) {
    return {input_error, e.what()};
  } catch (const std::invalid_argument& e) {
    return {invalid_argument, e.what()};
  } catch (const std::exception& e) {
    return {other, e.what()};
  } catch (...) {
    return {other, "unknown error"};
  }
}

}  // namespace

std::vector<double> gather_all(Communicator& ranks, std::span<const double> ours) {
  std::vector<double> sizes(ranks.ranks());
  const double size = static_cast<double>(ours.size());
  ranks.gather({&size, 1}, std::vector<std::size_t>(sizes.size(), 1), sizes);
  const std::vector<std::size_t> counts(sizes.begin(), sizes.end());
  std::vector<double> all(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  ranks.gather(ours, counts, all);
  return all;
}

void throw_on_all(Communicator& ranks, const std::exception_ptr& error, ErrorPlace place) {
  const Failure ours = failure_of(error);
  std::vector<double> kinds(ranks.ranks());
  ranks.gather({&ours.kind, 1}, std::vector<std::size_t>(kinds.size(), 1), kinds);
  const auto first = std::ranges::find_if(kinds, [](double k) { return k != none; });
  if (first == kinds.end()) return;
  const auto rank = static_cast<std::size_t>(first - kinds.begin());
  std::vector<double> text;
  if (rank == ranks.rank()) text.assign(ours.message.begin(), ours.message.end());
  const std::vector<double> all = gather_all(ranks, text);
  if (ours.kind == other) std::rethrow_exception(error);  // not about the data: out of memory
  std::string message;
  for (const double character : all) message.push_back(static_cast<char>(character));
  if (place == ErrorPlace::rank || *first == other) message = fmt::format("rank {}: {}", rank, message);
  if (*first == invalid_argument) throw std::invalid_argument(message);
  if (*first == other) throw std::runtime_error(message);  // no verdict on the data
  throw InputError(message);
}

void on_all_ranks(const Dataset& data, const std::function<void()>& check) {
  if (!data.ranks) return check();
  std::exception_ptr error;
  try {
    check();
  } catch (...) {
    error = std::current_exception();
  }
  throw_on_all(*data.ranks->ranks, error);
}

void require_one_process(const Dataset& data, std::string_view what) {
  if (!data.ranks) return;
  throw std::invalid_argument(fmt::format("{} needs all rows in one process; these are on several ranks", what));
}

}  // namespace geodescent
