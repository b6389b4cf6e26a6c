#include "CCurl.h"

#include <dlfcn.h>
#include <poll.h>
#include <stddef.h>

#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

#define EACH_FUNCTION(DO)                                                                                             \
    DO(curl_global_init)                                                                                              \
    DO(curl_multi_init)                                                                                               \
    DO(curl_multi_cleanup)                                                                                            \
    DO(curl_multi_add_handle)                                                                                         \
    DO(curl_multi_remove_handle)                                                                                      \
    DO(curl_multi_perform)                                                                                            \
    DO(curl_multi_poll)                                                                                               \
    DO(curl_multi_wakeup)                                                                                             \
    DO(curl_multi_info_read)                                                                                          \
    DO(curl_multi_setopt)                                                                                             \
    DO(curl_easy_init)                                                                                                \
    DO(curl_easy_reset)                                                                                               \
    DO(curl_easy_cleanup)                                                                                             \
    DO(curl_easy_strerror)                                                                                            \
    DO(curl_easy_setopt)                                                                                              \
    DO(curl_easy_getinfo)                                                                                             \
    DO(curl_slist_append)                                                                                             \
    DO(curl_slist_free_all)

// Each function's pointer under its name, of the very type that libcurl's header gives it.
static struct {
#define MEMBER(name) __typeof__(&name) name;
    EACH_FUNCTION(MEMBER)
#undef MEMBER
} loaded;

static const char *reason(void) {
    const char *text = dlerror();
    return text ? text : "the loader gives no reason";
}

const char *presignCurlLoad(void) {
    // Local: libcurl's names must not become anybody else's. Now: a name that is missing is told here, not by an abort.
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return reason();
    // POSIX makes a function's address fit a void pointer, and ISO C has no cast for it: hence by way of its place.
#define FIND(name)                                                                                                    \
    if (!(*(void **)&loaded.name = dlsym(library, #name))) return reason();
    EACH_FUNCTION(FIND)
#undef FIND
    return NULL;
}

CURLcode presignCurlGlobalInit(long flags) { return loaded.curl_global_init(flags); }

CURLM *presignMultiInit(void) { return loaded.curl_multi_init(); }
CURLMcode presignMultiCleanup(CURLM *multi) { return loaded.curl_multi_cleanup(multi); }
CURLMcode presignMultiAdd(CURLM *multi, CURL *handle) { return loaded.curl_multi_add_handle(multi, handle); }
CURLMcode presignMultiRemove(CURLM *multi, CURL *handle) { return loaded.curl_multi_remove_handle(multi, handle); }
CURLMcode presignMultiPerform(CURLM *multi, int *running) { return loaded.curl_multi_perform(multi, running); }
CURLMcode presignMultiWakeup(CURLM *multi) { return loaded.curl_multi_wakeup(multi); }
const CURLMsg *presignMultiRead(CURLM *multi, int *left) { return loaded.curl_multi_info_read(multi, left); }

CURLMcode presignMultiPoll(CURLM *multi, int milliseconds) {
    CURLMcode code = loaded.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
    // What fails at once must not be tried again without a pause.
    if (code != CURLM_OK) poll(NULL, 0, 10);
    return code;
}

CURL *presignEasyInit(void) { return loaded.curl_easy_init(); }
void presignEasyReset(CURL *handle) { loaded.curl_easy_reset(handle); }
void presignEasyCleanup(CURL *handle) { loaded.curl_easy_cleanup(handle); }
const char *presignEasyError(CURLcode code) { return loaded.curl_easy_strerror(code); }

struct curl_slist *presignListAppend(struct curl_slist *list, const char *line) {
    return loaded.curl_slist_append(list, line);
}

void presignListFree(struct curl_slist *list) { loaded.curl_slist_free_all(list); }

CURLcode presignSetLong(CURL *handle, CURLoption option, long value) {
    return loaded.curl_easy_setopt(handle, option, value);
}

CURLcode presignSetText(CURL *handle, CURLoption option, const char *value) {
    return loaded.curl_easy_setopt(handle, option, value);
}

CURLcode presignSetList(CURL *handle, CURLoption option, struct curl_slist *value) {
    return loaded.curl_easy_setopt(handle, option, value);
}

CURLcode presignSetPointer(CURL *handle, CURLoption option, void *value) {
    return loaded.curl_easy_setopt(handle, option, value);
}

CURLMcode presignMultiSetLong(CURLM *multi, CURLMoption option, long value) {
    return loaded.curl_multi_setopt(multi, option, value);
}

CURLcode presignGetPointer(CURL *handle, char **value) {
    return loaded.curl_easy_getinfo(handle, CURLINFO_PRIVATE, value);
}

long presignStatus(CURL *handle) {
    long status = 0;
    return loaded.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

// Header bytes of one answer so far. `count` points to a size_t.
static size_t countHeader(char *data, size_t size, size_t items, void *count) {
    (void)data;
    size_t *total = count;
    *total += size * items;
    return *total > 64 * 1024 ? 0 : size * items;
}

CURLcode presignBoundHeaders(CURL *handle, size_t *count) {
    *count = 0;
    CURLcode code = loaded.curl_easy_setopt(handle, CURLOPT_HEADERDATA, count);
    return code != CURLE_OK ? code : loaded.curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, countHeader);
}
