# Writes a header with a checksum of the sources that determine what an experiment counts. Runs at build time. Cells of
# the journal are reused if and only if these sources are unchanged.
# cmake -DSOURCES=a;b;c -DROOT=folder -DOUTPUT=file -P identity.cmake
cmake_minimum_required(VERSION 3.22)
set(all "")
foreach(source IN LISTS SOURCES)
  file(SHA256 ${source} sum)
  file(RELATIVE_PATH name ${ROOT} ${source})
  string(APPEND all "${name} ${sum}\n")
endforeach()
string(SHA256 identity "${all}")
string(SUBSTRING ${identity} 0 12 identity)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
  "#pragma once\n#define GEODESCENT_METHODS_IDENTITY \"@identity@\"\n")
