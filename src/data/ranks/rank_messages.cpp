#include "data/ranks/rank_messages.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "data/ranks/shared_rows.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

// What ranks send: kinds of exceptions.
constexpr double none = 0, invalid_argument = 1, input_error = 2, out_of_memory = 3, other = 4;

struct Failure {
  double kind = none;
  std::string message;

  bool operator==(const Failure&) const = default;
};

Failure failure_of(const std::exception_ptr& error) {
  if (!error) return {};
  try {
    std::rethrow_exception(error);
  } catch (const InputError& e) {
    return {input_error, e.what()};
  } catch (const std::invalid_argument& e) {
    return {invalid_argument, e.what()};
  } catch (const std::bad_alloc& e) {
    return {out_of_memory, e.what()};
  } catch (const std::length_error& e) {  // of a vector
    return {out_of_memory, e.what()};
  } catch (const std::exception& e) {
    return {other, e.what()};
  } catch (...) {
    return {other, "unknown error"};
  }
}

/// The failures of all ranks, of which these are the kinds. A message has the length of a text, and
/// its bytes.
std::vector<Failure> failures_of_all(Communicator& ranks, std::span<const double> kinds, const Failure& ours) {
  std::vector<double> text{static_cast<double>(ours.message.size())};
  for (const char c : ours.message) text.push_back(static_cast<double>(c));
  const std::vector<double> all = gather_all(ranks, text);
  std::vector<Failure> failures;
  auto next = all.begin();
  for (const double kind : kinds) {
    Failure& failure = failures.emplace_back(Failure{kind, std::string(static_cast<std::size_t>(*next++), ' ')});
    for (char& c : failure.message) c = static_cast<char>(*next++);
  }
  return failures;
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
  const std::vector<Failure> all = failures_of_all(ranks, kinds, ours);
  const auto rank = static_cast<std::size_t>(first - kinds.begin());
  if (*first == out_of_memory) throw std::bad_alloc();
  if (ours.kind == out_of_memory || ours.kind == other) std::rethrow_exception(error);  // no verdict on the data
  const bool is_of_all = std::ranges::all_of(all, [&](const Failure& f) { return f == all[rank]; });
  const bool names_rank = *first == other || (place == ErrorPlace::rank && !is_of_all);
  const std::string message = names_rank ? fmt::format("rank {}: {}", rank, all[rank].message) : all[rank].message;
  if (*first == invalid_argument) throw std::invalid_argument(message);
  if (*first == other) throw std::runtime_error(message);
  throw InputError(message);
}

void on_all_ranks(Communicator& ranks, const std::function<void()>& work, ErrorPlace place) {
  std::exception_ptr error;
  try {
    work();
  } catch (...) {
    error = std::current_exception();
  }
  throw_on_all(ranks, error, place);
}

void on_all_ranks(const Dataset& data, const std::function<void()>& work) {
  if (!data.ranks) return work();
  on_all_ranks(*data.ranks->ranks, work);
}

void require_one_process(const Dataset& data, std::string_view what) {
  if (!data.ranks) return;
  throw std::invalid_argument(fmt::format("{} needs all rows in one process; these are on several ranks", what));
}

}  // namespace geodescent
