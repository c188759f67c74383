# geodescent_list_losses(TABLE FOLDER): FOLDER/losses/listed.hpp includes the headers that the lines of TABLE name. The
# preprocessor cannot: a macro does not expand to an include.
function(geodescent_list_losses table folder)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(STRINGS ${table} lines REGEX "^GEODESCENT_LOSS")
  list(TRANSFORM lines REPLACE "^GEODESCENT_LOSS\\(([a-z0-9_]+),.*" "#include \"losses/\\1.hpp\"")
  list(JOIN lines "\n" includes)
  file(CONFIGURE OUTPUT ${folder}/losses/listed.hpp CONTENT "#pragma once\n\n@includes@\n" @ONLY)
endfunction()
