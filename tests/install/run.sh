#!/usr/bin/env bash
# One install test, named by the argument; CMakeLists.txt beside it sets the environment and the order.
set -euo pipefail
consumer="$SOURCE/tests/install/consumer"
unset CMAKE_PREFIX_PATH PKG_CONFIG_PATH PKG_CONFIG_LIBDIR LD_LIBRARY_PATH CXXFLAGS LDFLAGS

# install_and_move BUILD NAME: $WORK/NAME is the installed tree, and not where it was installed to.
install_and_move() {
  rm -rf "$WORK/$2" "$WORK/$2.original"
  "$CMAKE" --install "$1" ${CONFIG:+--config "$CONFIG"} --prefix "$WORK/$2.original" >"$WORK/$2.log" || { cat "$WORK/$2.log"; exit 1; }
  mv "$WORK/$2.original" "$WORK/$2"
  if grep -rIlF -e "$WORK/$2.original" -e "$SOURCE/" "$WORK/$2"; then
    echo "these installed files name a folder of the build machine"
    exit 1
  fi
}

# configure HOW [cmake options]: a fresh $WORK/HOW
configure() {
  local how="$1"
  shift
  rm -rf "${WORK:?}/$how"
  "$CMAKE" -S "$consumer" -B "$WORK/$how" -G "$GENERATOR" -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG= -DCONSUME="$how" -DGEODESCENT_SOURCE="$SOURCE" -DGEODESCENT_VERSION="$VERSION" "$@"
}

# compile_with PREFIX PROGRAM: no CMake, only what pkg-config says
compile_with() {
  local file said
  file="$(find "$1" -name geodescent.pc)"
  export PKG_CONFIG_PATH="${file%/*}"
  [[ "$(pkg-config --modversion geodescent)" == "$VERSION" ]]
  said="$(pkg-config --cflags --libs geodescent)"
  echo "pkg-config: $said"
  # shellcheck disable=SC2086  # words are wanted
  "$CXX" -std=c++20 "$consumer/main.cpp" $said -o "$2"
}

mkdir -p "$WORK"
case "$1" in
  tree)
    install_and_move "$BUILD" installed
    ;;
  find_package)
    configure find_package -DCMAKE_PREFIX_PATH="$WORK/installed"
    "$CMAKE" --build "$WORK/find_package"
    "$WORK/find_package/consumer"
    # The project of docs/tutorials/cpp.md.
    rm -rf "$WORK/tutorial"
    cp -r "$SOURCE/tests/install/tutorial" "$WORK/tutorial"
    cp "$SOURCE/examples/own_function.cpp" "$WORK/tutorial"
    "$CMAKE" -S "$WORK/tutorial" -B "$WORK/tutorial/build" -G "$GENERATOR" -DCMAKE_CXX_COMPILER="$CXX" \
      -DCMAKE_PREFIX_PATH="$WORK/installed"
    "$CMAKE" --build "$WORK/tutorial/build"
    "$WORK/tutorial/build/own_function"
    ;;
  pkg_config)
    compile_with "$WORK/installed" "$WORK/pkg_config"
    "$WORK/pkg_config"
    ;;
  links)
    folder="$(dirname "$(find "$WORK/installed" -name ARCHITECTURE.md)")"
    python3 -B "$SOURCE/tests/links/check_links.py" "$folder"
    ;;
  add_subdirectory)
    # As on a machine that has no library for compression: the build must not need one.
    absent=(-DCMAKE_DISABLE_FIND_PACKAGE_{ZLIB,BZip2,LibLZMA,Zstd}=ON)
    configure add_subdirectory -DBUILD_SHARED_LIBS=ON -DGEODESCENT_INSTALL=ON "${absent[@]}"
    "$CMAKE" --build "$WORK/add_subdirectory"
    "$WORK/add_subdirectory/consumer"
    printf '1 1:1\n' | gzip >"$WORK/data.gz"
    said="$("$WORK/add_subdirectory/consumer" "$WORK/data.gz")"
    [[ "$said" == *"data.gz: gzip data, but this build does not read compressed data"*GEODESCENT_COMPRESSION* ]]
    # Whoever asks for compression is told what is missing.
    if said="$(configure needs_libraries -DCONSUME=add_subdirectory -DGEODESCENT_COMPRESSION=ON "${absent[@]}" 2>&1)"; then
      echo "configured without the libraries it needs"
      exit 1
    fi
    [[ "$said" == *"ZLIB, BZip2, LibLZMA, Zstd"* ]]
    ;;
  fetch_content)
    # Its build would be the one above once more.
    configure fetch_content -DFETCHCONTENT_FULLY_DISCONNECTED=ON -DBUILD_SHARED_LIBS=ON -DGEODESCENT_INSTALL=ON
    # The shared library carries its own needs: its users name none of them.
    file="$(find "$WORK/fetch_content" -name geodescent.pc)"
    grep -q '^Requires: *$' "$file"
    grep -q '^Requires.private: .*zlib' "$file"
    ;;
  pkg_config_shared)
    install_and_move "$WORK/add_subdirectory" shared
    compile_with "$WORK/shared" "$WORK/pkg_config_shared"
    if [[ "$(pkg-config --static --libs geodescent)" =~ zstd|lzma|bz2|-lz ]]; then
      echo "a library without compression names libraries for it"
      exit 1
    fi
    library="$(find "$WORK/shared" -name libgeodescent.so)"
    LD_LIBRARY_PATH="${library%/*}" "$WORK/pkg_config_shared"
    ;;
  *)
    echo "no install test of this name: $1"
    exit 2
    ;;
esac
