// Ranks whose messages a Python object sends: an mpi4py communicator, in geodescent/_ranks.py.
#include <nanobind/stl/shared_ptr.h>

#include <utility>

#include "binding.hpp"
#include "geodescent/ranks.hpp"

namespace geodescent::python {
namespace {

class PythonCommunicator final : public Communicator {
 public:
  PythonCommunicator(std::size_t rank, std::size_t ranks, nb::object calls)
      : rank_(rank), ranks_(ranks), calls_(std::move(calls)) {}
  ~PythonCommunicator() override {
    const nb::gil_scoped_acquire acquire;  // the last owner may be a data set of the library
    calls_.reset();
  }

  std::size_t rank() const override { return rank_; }
  std::size_t ranks() const override { return ranks_; }
  void send(std::span<const double> numbers, std::size_t to) override {
    const nb::gil_scoped_acquire acquire;
    calls_.attr("send")(view_of(numbers), to);
  }
  void receive(std::span<double> numbers, std::size_t from) override {
    const nb::gil_scoped_acquire acquire;
    calls_.attr("receive")(view_of(numbers), from);
  }

 private:
  void all_gather(std::span<const double> ours, std::span<const std::size_t> sizes, std::span<double> all) override {
    const nb::gil_scoped_acquire acquire;
    nb::list counts;
    for (const std::size_t size : sizes) counts.append(size);
    calls_.attr("all_gather")(view_of(ours), counts, view_of(all));
  }
  void broadcast(std::span<double> numbers, std::size_t from) override {
    const nb::gil_scoped_acquire acquire;
    calls_.attr("broadcast")(view_of(numbers), from);
  }

  /// An array of these numbers, for the time of a call.
  template <class Number>
  static nb::object view_of(std::span<Number> numbers) {
    static double none = 0;  // an array has an address
    Number* const data = numbers.empty() ? &none : numbers.data();
    return nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<1>>(data, {numbers.size()}, nb::none()),
                    nb::rv_policy::reference);
  }

  std::size_t rank_, ranks_;
  nb::object calls_;
};

}  // namespace

void bind_ranks(nb::module_& m) {
  nb::class_<PythonCommunicator>(m, "PythonCommunicator")
      .def(nb::init<std::size_t, std::size_t, nb::object>(), nb::arg("rank"), nb::arg("ranks"), nb::arg("calls"));
  m.def(
      "on_ranks",
      [](const Dataset& data, const std::shared_ptr<PythonCommunicator>& ranks) { return on_ranks(data, ranks); },
      nb::arg("data"), nb::arg("ranks"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace geodescent::python
