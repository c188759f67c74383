#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/risk.hpp"
#include "kernels/kernels.hpp"

namespace geodescent {
namespace {

template <class... L>
int index_of(const std::type_info& type, std::tuple<L...>*) {
  int index = 0, found = -1;
  ((type == typeid(L) ? found = index : 0, ++index), ...);
  return found;
}

}  // namespace

LibraryLoss::LibraryLoss(const std::type_info& type) : index_(index_of(type, static_cast<Losses*>(nullptr))) {}

void LibraryLoss::evaluate(const void* loss, const double* z, const double* y, std::size_t n,
                           const LossArrays& to) const {
  kernels().losses[index_](loss, z, y, n, to);
}

}  // namespace geodescent
