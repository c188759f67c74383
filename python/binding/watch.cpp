#include "watch.hpp"

namespace geodescent::python {
namespace {

constexpr std::chrono::milliseconds between_signals{50};

}  // namespace

void History::add(const Seen& seen) {
  iteration.push_back(seen.iteration);
  passes.push_back(seen.passes);
  problem.push_back(seen.problem);
  value.push_back(seen.value);
  lower_bound.push_back(seen.lower_bound);
  seconds.push_back(seen.seconds);
}

std::uint64_t passes_of(const Counts& counts) {
  return counts.forward_passes + counts.backward_passes + counts.function_evaluations;
}

bool Watch::operator()(const Progress& p) {
  const Seen seen{p.iteration,      p.value,         p.lower_bound,  p.gap(),
                  p.relative_gap(), p.gradient_norm, p.seconds,      passes_of(p.counts),
                  p.problem,        p.problems,      p.problems_done};
  history.add(seen);
  const auto now = Clock::now();
  const bool call = callback_.is_valid() && !callback_.is_none() &&
                    (!last_call_ || now >= *last_call_ + std::chrono::duration<double>(seconds_));
  // Python handles signals on its main thread. Threads of the library can call, too.
  const bool look = std::this_thread::get_id() == caller_ && now >= last_signals_ + between_signals;
  if (!call && !look) return true;

  const nb::gil_scoped_acquire acquire;
  if (look) {
    last_signals_ = now;
    if (PyErr_CheckSignals() != 0) {
      if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
      PyErr_Clear();
      interrupted_ = true;
      return false;
    }
  }
  if (!call) return true;
  last_call_ = now;
  return !asks_to_stop(seen);
}

bool Watch::asks_to_stop(const Seen& seen) {
  try {
    const nb::object answer = callback_(seen);
    const int truth = PyObject_IsTrue(answer.ptr());
    if (truth < 0) throw nb::python_error();
    return truth != 0;
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_StopIteration)) return true;
    if (!error.matches(PyExc_KeyboardInterrupt)) throw;
    interrupted_ = true;
    return true;
  }
}

}  // namespace geodescent::python
