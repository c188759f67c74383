# Precompiled headers of other libraries: about half of the time to compile a file is spent on them. Consumers that add this
# project to theirs compile without, which also shows that every folder includes what it uses.
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

# Several files compiled as one: what they share of headers and templates is compiled once. Their unnamed namespaces become one, so
# names in them differ.
option(GEODESCENT_BATCH "Compile several files as one" ON)

# The files of each folder. A folder is one idea: names that clash are seen where they are written.
function(geodescent_compile_by_folder target)
  if(NOT GEODESCENT_BATCH)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endfunction()

# Six files at a time: for tests, whose folders are large and whose files take long.
function(geodescent_compile_in_batches target)
  if(GEODESCENT_BATCH)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()
