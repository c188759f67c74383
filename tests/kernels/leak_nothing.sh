#!/bin/sh
# The objects compiled for one instruction set may export their table and nothing else: the linker could take any other
# function from them for the rest of the program, and a processor without these instructions would not survive it.
# Arguments: the objects of the library.
checked=0
for object in "$@"; do
  case $object in
    */kernels/avx2.cpp.o | */kernels/avx512.cpp.o | */kernels/portable.cpp.o) ;;
    *) continue ;;
  esac
  checked=$((checked + 1))
  # _ZTI and _ZTS are descriptions of types, which sanitizers want: data, no instructions.
  leaks=$(nm -g --defined-only "$object" | grep -v '_kernelsE$' | grep -v ' _ZT[IS]' | grep -v '^$')
  if [ -n "$leaks" ]; then
    echo "$object exports more than its table:"
    echo "$leaks"
    exit 1
  fi
done
[ "$checked" -eq 3 ] || { echo "$checked objects found, not 3"; exit 1; }
