// Programs in other languages that peers are run by, taken into the library when it is built (embed.cmake).
#pragma once

#include <string_view>

namespace geodescent::lab {

std::string_view sklearn_script();

}  // namespace geodescent::lab
