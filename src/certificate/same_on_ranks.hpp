// A proof over ranks is about one model and one claim: that which all ranks have. Internal to the
// library.
#pragma once

#include "geodescent/certificate.hpp"

namespace geodescent {

/// Throws InputError on all ranks unless they have the same model, or the same claims, dual values
/// aside. One round; none for data in one process.
void require_same_on_ranks(const Dataset& data, const LinearModel& model);
void require_same_on_ranks(const Dataset& data, const Certificate& certificate);

}  // namespace geodescent
