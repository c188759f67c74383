# Install rules: library, headers, command line, CMake package and pkg-config file. The installed tree can be moved.
include(CMakePackageConfigHelpers)

install(TARGETS geodescent EXPORT geodescentTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The headers of the reviewed list and no others; a test compares it with include/.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/installed_headers.txt geodescent_headers REGEX "^[^#]")
foreach(header IN LISTS geodescent_headers)
  get_filename_component(folder ${header} DIRECTORY)
  if(header STREQUAL "geodescent/version.hpp")
    install(FILES ${PROJECT_BINARY_DIR}/include/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
  else()
    install(FILES ${PROJECT_SOURCE_DIR}/include/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
  endif()
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/installed_headers.txt)

if(TARGET geodescent_cli)
  install(TARGETS geodescent_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # Where the library is shared, the program finds it wherever the tree is moved to.
  file(RELATIVE_PATH geodescent_lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(geodescent_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${geodescent_lib_from_bin}")
endif()
if(TARGET geodescent_mpi_module)  # the program looks for it there (tools/CMakeLists.txt)
  install(TARGETS geodescent_mpi_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/geodescent)
endif()

# The pages with all they link to, in the same folders: a test checks that no link is dead where they are installed.
file(GLOB geodescent_documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*.md)
install(FILES ${geodescent_documents} ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CITATION.cff
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        PATTERN "*.pdf" EXCLUDE PATTERN "CMakeLists.txt" EXCLUDE PATTERN "*.cmake" EXCLUDE)

# A static library brings its own needs along to the final link; a shared one has settled them.
get_target_property(geodescent_type geodescent TYPE)
if(geodescent_type STREQUAL "STATIC_LIBRARY")
  set(geodescent_static TRUE)
else()
  set(geodescent_static FALSE)
endif()

# CMake: find_package(geodescent), target geodescent::geodescent. Before 1.0 a minor release may break the interface.
set(geodescent_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/geodescent)
install(EXPORT geodescentTargets NAMESPACE geodescent:: DESTINATION ${geodescent_cmake_dir})
if(TARGET geodescent_mpi)  # find_package(geodescent COMPONENTS mpi)
  install(TARGETS geodescent_mpi EXPORT geodescentMpiTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT geodescentMpiTargets NAMESPACE geodescent:: DESTINATION ${geodescent_cmake_dir})
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/geodescentConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/geodescentConfig.cmake
                              INSTALL_DESTINATION ${geodescent_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/geodescentConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/geodescentConfig.cmake ${PROJECT_BINARY_DIR}/geodescentConfigVersion.cmake
        DESTINATION ${geodescent_cmake_dir})
if(geodescent_static AND GEODESCENT_COMPRESSION)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/FindZstd.cmake DESTINATION ${geodescent_cmake_dir})
endif()

# pkg-config. Where only the static library exists, every link is a static one, and a plain `pkg-config --libs` has to
# name all it takes; otherwise the needs are private.
set(geodescent_needs "fmt")
set(geodescent_needs_without_pkg_config " -pthread")
if(GEODESCENT_COMPRESSION)
  string(APPEND geodescent_needs " zlib liblzma libzstd")
  string(PREPEND geodescent_needs_without_pkg_config " -lbz2")  # libbz2 does not say how it is linked
endif()
if(geodescent_static)
  set(geodescent_requires "${geodescent_needs}")
  set(geodescent_libs "${geodescent_needs_without_pkg_config}")
  set(geodescent_requires_private "")
  set(geodescent_libs_private "")
else()
  set(geodescent_requires "")
  set(geodescent_libs "")
  set(geodescent_requires_private "${geodescent_needs}")
  set(geodescent_libs_private "${geodescent_needs_without_pkg_config}")
endif()
# Folders relative to the place of the file itself.
file(RELATIVE_PATH geodescent_up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" geodescent_up "${geodescent_up}")
file(RELATIVE_PATH geodescent_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH geodescent_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(${CMAKE_CURRENT_LIST_DIR}/geodescent.pc.in ${PROJECT_BINARY_DIR}/geodescent.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/geodescent.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
