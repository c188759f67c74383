# What the command line is linked with. Loading shared libraries is most of the time a small command takes: libstdc++,
# libfmt and four for compression cost 1 ms of 2.6 (decision 57). The installed library is not touched by this: whoever
# uses it links as they like.
include(CheckCXXSourceCompiles)

# Two copies of the C++ library in one process do not go together: neither with a shared geodescent nor with the
# sanitizers, which look for the shared one.
set(geodescent_static_program OFF)
if(GEODESCENT_STATIC_PROGRAM AND NOT BUILD_SHARED_LIBS AND NOT GEODESCENT_SANITIZE)
  set(geodescent_static_program ON)
endif()

# To be set around find_package: an archive is taken where there is one.
set(geodescent_library_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
if(geodescent_static_program AND UNIX AND NOT APPLE)
  list(PREPEND geodescent_library_suffixes .a)
endif()

function(geodescent_link_statically program)
  if(NOT geodescent_static_program)
    return()
  endif()
  set(CMAKE_REQUIRED_LINK_OPTIONS -static-libstdc++ -static-libgcc)
  check_cxx_source_compiles("#include <iostream>\nint main() { std::cout << 1; }" GEODESCENT_HAS_STATIC_LIBSTDCXX)
  if(NOT GEODESCENT_HAS_STATIC_LIBSTDCXX)
    return()
  endif()
  target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc)
  # A shared libfmt would load the shared libstdc++ after all. Its archive is not packaged, and to compile its headers
  # into every file that formats takes 3 s and more for each of a hundred; one file of our own can hold what the library does.
  get_target_property(type fmt::fmt TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
    target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/fmt.cpp)
    target_link_options(${program} PRIVATE LINKER:--as-needed)  # nothing is left that needs the shared one
  endif()
endfunction()
