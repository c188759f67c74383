# Writes a header with a checksum over the sources that decide what an experiment counts: run at build time, so that the
# cells of another program are never taken for ours, and those of the same are, whatever else was changed around them.
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
