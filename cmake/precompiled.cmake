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

# Files of the same target compiled several at a time: what they share of headers and templates is compiled once for all of them.
# Their unnamed namespaces become one, so names in them differ.
option(GEODESCENT_BATCH "Compile tests and laboratory several files at a time" ${PROJECT_IS_TOP_LEVEL})
function(geodescent_compile_in_batches)
  if(GEODESCENT_BATCH)
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()
