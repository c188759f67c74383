#include "data/ranks/agreement.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "data/ranks/rank_messages.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

constexpr double without_error = 0, wrong_input = 1, wrong_use = 2;

/// An error as numbers: its kind, and its text byte by byte.
class SentError {
 public:
  void set(double kind, std::string_view text) {
    numbers_ = {kind, static_cast<double>(text.size())};
    for (const char c : text) numbers_.push_back(static_cast<double>(static_cast<unsigned char>(c)));
  }
  std::span<const double> numbers() const { return numbers_; }

 private:
  std::vector<double> numbers_{without_error, 0};
};

struct ReceivedError {
  double kind = without_error;
  std::string text;

  bool operator==(const ReceivedError&) const = default;
};

std::vector<ReceivedError> errors_in(std::span<const double> numbers) {
  std::vector<ReceivedError> errors;
  for (std::size_t at = 0; at < numbers.size();) {
    ReceivedError error{numbers[at], std::string(static_cast<std::size_t>(numbers[at + 1]), ' ')};
    at += 2;
    for (char& c : error.text) c = static_cast<char>(static_cast<unsigned char>(numbers[at++]));
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace

std::vector<double> Agreement::gather(std::span<const double> ours) const {
  if (alone()) return {ours.begin(), ours.end()};
  return gather_all(*ranks_, ours);
}

bool Agreement::any(bool ours) const {
  return std::ranges::any_of(gather(ours ? 1 : 0), [](double of_one) { return of_one != 0; });
}

std::size_t Agreement::sum(std::size_t ours) const {
  const std::vector<double> of_all = gather(static_cast<double>(ours));
  return static_cast<std::size_t>(std::accumulate(of_all.begin(), of_all.end(), 0.0));
}

std::size_t Agreement::sum_before(std::size_t ours) const {
  const std::vector<double> of_all = gather(static_cast<double>(ours));
  return static_cast<std::size_t>(
      std::accumulate(of_all.begin(), of_all.begin() + static_cast<std::ptrdiff_t>(rank()), 0.0));
}

void Agreement::on_first(const std::function<void()>& work) const {
  const bool here = rank() == 0;
  together(
      [&] {
        if (here) work();
      },
      false);
}

void Agreement::together(const std::function<void()>& work, bool names_rank) const {
  if (alone()) return work();
  SentError ours;
  try {
    work();
  } catch (const std::invalid_argument& error) {
    ours.set(wrong_use, error.what());
  } catch (const std::bad_alloc&) {
    ours.set(wrong_input, "not enough memory; use more machines, or machines with more");
  } catch (const std::exception& error) {
    ours.set(wrong_input, error.what());
  }
  const std::vector<ReceivedError> errors = errors_in(gather(ours.numbers()));
  const auto first =
      std::ranges::find_if(errors, [](const ReceivedError& error) { return error.kind != without_error; });
  if (first == errors.end()) return;
  const bool is_of_all = std::ranges::all_of(errors, [&](const ReceivedError& error) { return error == *first; });
  const std::string text =
      is_of_all || !names_rank ? first->text : fmt::format("rank {}: {}", first - errors.begin(), first->text);
  if (first->kind == wrong_use) throw std::invalid_argument(text);
  throw InputError(text);
}

}  // namespace geodescent
