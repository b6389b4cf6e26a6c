#ifndef PRESIGN_CCURL_SHIM_H
#define PRESIGN_CCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift cannot call: one function for
// each type of argument.

static inline CURLcode presignSetLong(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode presignSetText(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode presignSetList(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode presignSetPointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode presignGetPointer(CURL *handle, char **value) {
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, value);
}

static inline long presignStatus(CURL *handle) {
    long status = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

static inline CURLMcode presignMultiSetLong(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Header bytes of one answer; past the bound the transfer is given up. `count` points to a size_t.
static inline size_t presignCountHeader(char *data, size_t size, size_t items, void *count) {
    (void)data;
    size_t *total = count;
    *total += size * items;
    return *total > 64 * 1024 ? 0 : size * items;
}

static inline CURLcode presignBoundHeaders(CURL *handle, size_t *count) {
    *count = 0;
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, count);
    return curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, presignCountHeader);
}

static inline int presignMessageIsDone(const CURLMsg *message) { return message->msg == CURLMSG_DONE; }
static inline CURLcode presignMessageResult(const CURLMsg *message) { return message->data.result; }

#endif
