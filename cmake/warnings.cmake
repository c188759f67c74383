# Flags for our own code only; consumers of the library inherit none of them.
add_library(geodescent_warnings INTERFACE)
target_compile_options(geodescent_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual
  $<$<BOOL:${GEODESCENT_WERROR}>:-Werror>)

if(GEODESCENT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
