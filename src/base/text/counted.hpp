// Numbers of things in messages and reports. Internal to the library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace geodescent {

/// "1 row", "2 rows". `things` is the plural if it is not `thing` with an s.
inline std::string counted(std::uint64_t count, std::string_view thing, std::string_view things = {}) {
  std::string text = std::to_string(count).append(" ");
  if (count == 1) return text.append(thing);
  return things.empty() ? text.append(thing).append("s") : text.append(things);
}

}  // namespace geodescent
