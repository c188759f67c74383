# cmake -DOUTPUT=file.cpp -DHEADER=lab/assets.hpp -DASSETS=name=path;name=path -P embed.cmake
# Writes a source file with one function `std::string_view name()` per asset, declared in the header, which returns the bytes of the file. Bytes
# and not string literals, since compilers limit the length of those. Several assets of one name are put together.
set(names)
foreach(asset IN LISTS ASSETS)
  string(FIND ${asset} "=" split)
  string(SUBSTRING ${asset} 0 ${split} name)
  math(EXPR split "${split} + 1")
  string(SUBSTRING ${asset} ${split} -1 path)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND bytes_of_${name} ${bytes})
  list(APPEND names ${name})
endforeach()
list(REMOVE_DUPLICATES names)

set(text "#include \"${HEADER}\"\n\nnamespace geodescent::lab {\n")
foreach(name IN LISTS names)
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes_of_${name}}")
  string(APPEND text "\nstatic const unsigned char ${name}_bytes[] = {\n${bytes}};\n"
    "std::string_view ${name}() { return {reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes}; }\n")
endforeach()
file(WRITE ${OUTPUT} "${text}\n}  // namespace geodescent::lab\n")
