// What is proven about a model.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "binding.hpp"

namespace geodescent::python {

void bind_proof(nb::module_& m) {
  nb::class_<ProvenGap>(m, "ProvenGap")
      .def_ro("value", &ProvenGap::value)
      .def_ro("lower_bound", &ProvenGap::lower_bound)
      .def_ro("l2", &ProvenGap::l2)
      .def_prop_ro("gap", &ProvenGap::gap)
      .def_prop_ro("relative_gap", &ProvenGap::relative_gap)
      .def_prop_ro("distance_bound", &ProvenGap::distance_bound);
  nb::class_<Verification>(m, "Verification")
      .def_ro("holds", &Verification::holds)
      .def_ro("reason", &Verification::reason)
      .def_ro("proven", &Verification::proven)
      .def_ro("of_classes", &Verification::of_classes)
      .def_prop_ro("relative_gap", &Verification::relative_gap);
  m.def("judge", nb::overload_cast<const Dataset&, const LinearModel&>(&judge), nb::arg("data"), nb::arg("model"),
        nb::call_guard<nb::gil_scoped_release>());
  m.def("verify", &verify, nb::arg("data"), nb::arg("model"), nb::arg("certificate"),
        nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace geodescent::python
