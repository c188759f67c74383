// The module geodescent._core: a thin layer. Names, defaults and words for users are in the Python
// files around it.
#include "binding.hpp"

NB_MODULE(_core, m) {
  using namespace geodescent::python;
  nb::exception<geodescent::InputError>(m, "InputError", PyExc_ValueError);
  bind_threads(m);
  bind_data(m);
  bind_ranks(m);
  bind_model(m);
  bind_train(m);
  bind_proof(m);
  bind_minimize(m);
}
