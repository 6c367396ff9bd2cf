// Debian's libcurl. If it cannot be loaded, each function fails as for lack of memory.

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
// otherwise libcurl's calls of its own functions would come here
#pragma GCC visibility push(hidden)
#include "CCurl.h"
#pragma GCC visibility pop

static const char unloadable[] = "libcurl cannot be loaded";

#define LIBRARY "libcurl.so.4"
#define WHY curl_load_failure
#define FUNCTIONS(F) \
  F(CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT) \
  F(CURL *, curl_easy_init, (void), (), NULL) \
  F(void, curl_easy_cleanup, (CURL *easy), (easy), (void)0) \
  F(CURLHcode, curl_easy_header, \
    (CURL *easy, const char *name, size_t index, unsigned int origin, int request, struct curl_header **header), \
    (easy, name, index, origin, request, header), CURLHE_NOT_BUILT_IN) \
  F(const char *, curl_easy_strerror, (CURLcode code), (code), unloadable) \
  F(CURLM *, curl_multi_init, (void), (), NULL) \
  F(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi), CURLM_BAD_HANDLE) \
  F(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *easy), (multi, easy), CURLM_BAD_HANDLE) \
  F(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *easy), (multi, easy), CURLM_BAD_HANDLE) \
  F(CURLMcode, curl_multi_perform, (CURLM *multi, int *running), (multi, running), CURLM_BAD_HANDLE) \
  F(CURLMcode, curl_multi_poll, \
    (CURLM *multi, struct curl_waitfd more[], unsigned int count, int milliseconds, int *ready), \
    (multi, more, count, milliseconds, ready), CURLM_BAD_HANDLE) \
  F(CURLMcode, curl_multi_wakeup, (CURLM *multi), (multi), CURLM_BAD_HANDLE) \
  F(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *left), (multi, left), NULL) \
  F(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text), NULL) \
  F(void, curl_slist_free_all, (struct curl_slist *list), (list), (void)0) \
  F(CURLU *, curl_url, (void), (), NULL) \
  F(void, curl_url_cleanup, (CURLU *url), (url), (void)0) \
  F(CURLUcode, curl_url_set, (CURLU *url, CURLUPart part, const char *text, unsigned int flags), \
    (url, part, text, flags), CURLUE_OUT_OF_MEMORY) \
  F(const char *, curl_url_strerror, (CURLUcode code), (code), unloadable) \
  F(void, curl_free, (void *memory), (memory), (void)0)
// The functions of CCurl.h call these, below. curl_url_get is here because its first parameter is const since 8.0.
#define VARIADIC(F) F(curl_easy_setopt) F(curl_easy_getinfo) F(curl_multi_setopt) F(curl_url_get)
#include "../LateLibrary.h"

#undef curl_easy_setopt
#define curl_easy_setopt(...) (is_there() ? loaded.curl_easy_setopt(__VA_ARGS__) : CURLE_FAILED_INIT)
#undef curl_easy_getinfo
#define curl_easy_getinfo(...) (is_there() ? loaded.curl_easy_getinfo(__VA_ARGS__) : CURLE_FAILED_INIT)
#undef curl_multi_setopt
#define curl_multi_setopt(...) (is_there() ? loaded.curl_multi_setopt(__VA_ARGS__) : CURLM_BAD_HANDLE)

CURLcode curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode curl_set_body_function(CURL *easy, curl_take_bytes take, void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

CURLcode curl_set_header_function(CURL *easy, curl_take_bytes take, void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

CURLcode curl_set_read_function(CURL *easy, curl_take_bytes give, void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, give);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_READDATA, context);
}

CURLcode curl_set_debug_function(CURL *easy, curl_debug_callback sees, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, sees);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, context);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
}

CURLcode curl_set_progress_function(CURL *easy, curl_xferinfo_callback ends, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, ends);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

CURLcode curl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(easy, option, list);
}

CURLcode curl_set_before_sending(CURL *easy, curl_prereq_callback before, void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

long curl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURLcode curl_set_socket_functions(
    CURL *easy, curl_sockopt_callback opened, curl_closesocket_callback close, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, opened);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}

CURLUcode curl_url_part(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  return is_there() ? loaded.curl_url_get(url, part, text, flags) : CURLUE_OUT_OF_MEMORY;
}
