// Programs in other languages that run peers, embedded at build time (embed.cmake).
#pragma once

#include <string_view>

namespace geodescent::lab {

std::string_view sklearn_script();

}  // namespace geodescent::lab
