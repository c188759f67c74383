# Precompiled headers of other libraries: about half of the time to compile a file is spent on them. Consumers that add this
# project to theirs compile without, which also shows that every file includes what it uses.
option(GEODESCENT_PRECOMPILE "Precompile the headers of other libraries" ${PROJECT_IS_TOP_LEVEL})

# geodescent_precompile(TARGET HEADER...), or geodescent_precompile(TARGET REUSE_FROM OTHER) for a target with the same flags
function(geodescent_precompile target)
  if(NOT GEODESCENT_PRECOMPILE)
    return()
  endif()
  if(ARGV1 STREQUAL REUSE_FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  # Without these ccache does not store what is compiled with a precompiled header.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
                                           $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()
