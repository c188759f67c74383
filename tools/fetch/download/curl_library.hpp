// libcurl, loaded at its first use. Only `fetch` downloads; every other command would wait for the
// thirty libraries that libcurl needs.
#pragma once

#include <curl/curl.h>

namespace geodescent::cli {

/// The functions that we call, under their names without "curl_".
struct CurlLibrary {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_reset) easy_reset;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_header) easy_header;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
};

/// Throws InputError when it is not installed, or too old.
const CurlLibrary& curl();

}  // namespace geodescent::cli
