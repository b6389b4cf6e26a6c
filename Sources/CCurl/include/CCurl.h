#ifndef PRESIGN_CCURL_H
#define PRESIGN_CCURL_H

// libcurl, used only by the existence check. Swift calls its functions directly, except those replaced below.

// libcurl's type checks are macros over variadic functions. The functions below have typed arguments instead.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdint.h>

// Swift cannot call the variadic curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt. There is one function for
// each type of argument.

CURLcode presign_set_long(CURL *handle, CURLoption option, long value);
CURLcode presign_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode presign_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode presign_set_pointer(CURL *handle, CURLoption option, void *value);
CURLMcode presign_multi_set_long(CURLM *multi, CURLMoption option, long value);

/// Gets the value of CURLOPT_PRIVATE.
CURLcode presign_get_pointer(CURL *handle, char **value);

/// Returns the status code of the response; 0 without a response.
long presign_status(CURL *handle);

/// Returns the Content-Length of the response; -1 without one.
int64_t presign_length(CURL *handle);

/// Returns the value of the first header with this name in the last response, valid until the next transfer; NULL without
/// one.
const char *presign_header(CURL *handle, const char *name);

/// Limits the header bytes of a response to 64 KiB; a larger response fails. `count` must outlive the transfer.
CURLcode presign_bound_headers(CURL *handle, size_t *count);

// Swift cannot access the members of a union safely.

static inline int presign_message_is_done(const CURLMsg *message) { return message->msg == CURLMSG_DONE; }
static inline CURLcode presign_message_result(const CURLMsg *message) { return message->data.result; }

#endif
