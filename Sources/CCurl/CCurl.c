#include "CCurl.h"

#include <stddef.h>

CURLcode presign_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode presign_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode presign_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode presign_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

CURLMcode presign_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

CURLcode presign_get_pointer(CURL *handle, char **value) {
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, value);
}

long presign_status(CURL *handle) {
    long status = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

int64_t presign_length(CURL *handle) {
    curl_off_t length = -1;
    return curl_easy_getinfo(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length) == CURLE_OK ? length : -1;
}

const char *presign_header(CURL *handle, const char *name) {
    struct curl_header *header = NULL;
    return curl_easy_header(handle, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK ? header->value : NULL;
}

// Counts the header bytes of a response in the size_t at `count`. Returning 0 makes the transfer fail.
static size_t countHeader(char *data, size_t size, size_t items, void *count) {
    (void)data;
    size_t *total = count;
    *total += size * items;
    return *total > 64 * 1024 ? 0 : size * items;
}

CURLcode presign_bound_headers(CURL *handle, size_t *count) {
    *count = 0;
    CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, count);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, countHeader);
}
