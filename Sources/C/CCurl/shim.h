// libcurl, and what of it Swift cannot call: its setters and getters are variadic. Each kind of argument has a function.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

// libcurl copies strings, but for CURLOPT_POSTFIELDS, which is a pointer here. NULL takes a default away.
static inline CURLcode curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_headers(CURL *easy, struct curl_slist *headers) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

// CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
typedef size_t (*curl_take_bytes)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode curl_set_body_function(CURL *easy, curl_take_bytes take, void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode curl_set_header_function(CURL *easy, curl_take_bytes take, void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

// CURLOPT_READFUNCTION: fills the buffer, and returns how many bytes it has put there.
static inline CURLcode curl_set_read_function(CURL *easy, curl_take_bytes give, void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, give);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_READDATA, context);
}

// CURLOPT_DEBUGFUNCTION: is shown each command that goes out, and much else. CURLOPT_XFERINFOFUNCTION: is asked, once a second at the
// least, whether the transfer is to end.
static inline CURLcode curl_set_watchers(
    CURL *easy, curl_debug_callback sees, curl_xferinfo_callback ends, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, sees);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, ends);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

static inline CURLcode curl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(easy, option, list);
}

static inline CURLcode curl_set_before_sending(CURL *easy, curl_prereq_callback before, void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

static inline long curl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// A message's data is a union; this is the member of CURLMSG_DONE.
static inline CURLcode curl_result_of(const CURLMsg *message) { return message->data.result; }

// CURLOPT_SOCKOPTFUNCTION is told of each socket before it connects, CURLOPT_CLOSESOCKETFUNCTION closes it.
static inline CURLcode curl_set_socket_functions(
    CURL *easy, curl_sockopt_callback opened, curl_closesocket_callback close, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, opened);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}
