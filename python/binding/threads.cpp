// The number of threads, also for threadpoolctl, which finds the two functions by their names.
#include "binding.hpp"

extern "C" {
NB_EXPORT int geodescent_get_num_threads() { return geodescent::threads(); }
NB_EXPORT void geodescent_set_num_threads(int count) {
  if (count >= 1 && count <= geodescent::most_threads) geodescent::set_threads(count);
}
}

namespace geodescent::python {

void bind_threads(nb::module_& m) {
  m.def("threads", &threads);
  m.def("set_threads", &set_threads, nb::arg("count"));
}

}  // namespace geodescent::python
