// libcurl, and functions for its variadic setters and getters, which Swift cannot call: one for each kind of argument.
#ifndef CCURL_H
#define CCURL_H
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// The headers of 7.88 have these as enumerations, those of 8.14 as macros, which Swift imports differently.
static const long curl_netrc_ignored = CURL_NETRC_IGNORED;
static const long curl_use_ssl_none = CURLUSESSL_NONE;
static const long curl_use_ssl_all = CURLUSESSL_ALL;

// CURLE_TOO_LARGE: a header line, or the number of headers, is above libcurl's limit. New in 8.6; before,
// CURLE_OUT_OF_MEMORY.
static const CURLcode curl_too_large = (CURLcode)100;

// Loads libcurl. Returns NULL, or the loader's message if that fails.
const char * curl_load_failure(void);

CURLcode curl_set_long(CURL *easy, CURLoption option, long value);

CURLcode curl_set_size(CURL *easy, CURLoption option, curl_off_t value);

// libcurl copies strings, except CURLOPT_POSTFIELDS, which keeps the pointer. NULL removes a default.
CURLcode curl_set_string(CURL *easy, CURLoption option, const char *value);

CURLcode curl_set_pointer(CURL *easy, CURLoption option, const void *value);

// CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
typedef size_t (*curl_take_bytes)(char *bytes, size_t size, size_t count, void *context);

CURLcode curl_set_body_function(CURL *easy, curl_take_bytes take, void *context);

CURLcode curl_set_header_function(CURL *easy, curl_take_bytes take, void *context);

// CURLOPT_READFUNCTION: fills the buffer, and returns how many bytes it has put there.
CURLcode curl_set_read_function(CURL *easy, curl_take_bytes give, void *context);

// CURLOPT_DEBUGFUNCTION: libcurl calls it with each command that it sends, and with each message of TLS, among other
// data.
CURLcode curl_set_debug_function(CURL *easy, curl_debug_callback sees, void *context);

// CURLOPT_XFERINFOFUNCTION: libcurl asks it, at least once a second, whether to end the transfer.
CURLcode curl_set_progress_function(CURL *easy, curl_xferinfo_callback ends, void *context);

CURLcode curl_set_list(CURL *easy, CURLoption option, struct curl_slist *list);

CURLcode curl_set_before_sending(CURL *easy, curl_prereq_callback before, void *context);

long curl_get_long(CURL *easy, CURLINFO info);

CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

// A message's data is a union. Returns the member that belongs to CURLMSG_DONE.
static inline CURLcode curl_result_of(const CURLMsg *message) { return message->data.result; }

// curl_url_get(3), whose first parameter is const only in newer headers.
CURLUcode curl_url_part(CURLU *url, CURLUPart part, char **text, unsigned int flags);

// CURLOPT_SOCKOPTFUNCTION gets each socket before it connects, CURLOPT_CLOSESOCKETFUNCTION closes it.
CURLcode curl_set_socket_functions(
    CURL *easy, curl_sockopt_callback opened, curl_closesocket_callback close, void *context);

#endif
