#include "fetch/download/curl_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "geodescent/error.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* file_name = "libcurl.so.4";  // the name of its interface since 2006
constexpr const char* remedy =
    "install libcurl 7.85 or newer ('apt-get install libcurl4'); only 'geodescent fetch' needs it";

std::string reason() {
  const char* const text = ::dlerror();  // NOLINT(concurrency-mt-unsafe): each thread has its own
  return text != nullptr ? text : "unknown error";
}

class Loader {
 public:
  Loader() : library_(::dlopen(file_name, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw InputError(fmt::format("cannot load libcurl: {}; {}", reason(), remedy));
  }

  template <class Function>
  void find(const char* name, Function& function) const {
    void* const address = ::dlsym(library_, name);
    if (address == nullptr) throw InputError(fmt::format("this libcurl has no {}: {}; {}", name, reason(), remedy));
    function = reinterpret_cast<Function>(address);
  }

 private:
  void* library_;  // stays loaded to the end of the program
};

CurlLibrary load() {
  const Loader loader;
  CurlLibrary library{};
  loader.find("curl_global_init", library.global_init);
  loader.find("curl_easy_init", library.easy_init);
  loader.find("curl_easy_cleanup", library.easy_cleanup);
  loader.find("curl_easy_reset", library.easy_reset);
  loader.find("curl_easy_setopt", library.easy_setopt);
  loader.find("curl_easy_perform", library.easy_perform);
  loader.find("curl_easy_getinfo", library.easy_getinfo);
  loader.find("curl_easy_header", library.easy_header);
  loader.find("curl_easy_strerror", library.easy_strerror);
  loader.find("curl_slist_append", library.slist_append);
  loader.find("curl_slist_free_all", library.slist_free_all);
  return library;
}

}  // namespace

const CurlLibrary& curl() {
  static const CurlLibrary library = load();
  return library;
}

}  // namespace geodescent::cli
