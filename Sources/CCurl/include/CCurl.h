#ifndef PRESIGN_CCURL_H
#define PRESIGN_CCURL_H

// libcurl, loaded when it is first needed: only the existence check uses it, and the thirty libraries that come with
// it would cost every start milliseconds and every process memory. Its header gives types and options; nothing links
// with it, and what is called here is found by name.

// The compiler's checks of variadic arguments are macros over the names of functions; here each has its own type.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// Loads libcurl and finds its functions. NULL, or why it failed: a text of the loader, valid until the next call of
/// it. To be called before any other function below, and not by two threads at once.
const char *presignCurlLoad(void);

// libcurl's functions of the same names, with the same rules.

CURLcode presignCurlGlobalInit(long flags);

CURLM *presignMultiInit(void);
CURLMcode presignMultiCleanup(CURLM *multi);
CURLMcode presignMultiAdd(CURLM *multi, CURL *handle);
CURLMcode presignMultiRemove(CURLM *multi, CURL *handle);
CURLMcode presignMultiPerform(CURLM *multi, int *running);
CURLMcode presignMultiPoll(CURLM *multi, int milliseconds);
CURLMcode presignMultiWakeup(CURLM *multi);
const CURLMsg *presignMultiRead(CURLM *multi, int *left);

CURL *presignEasyInit(void);
void presignEasyReset(CURL *handle);
void presignEasyCleanup(CURL *handle);
const char *presignEasyError(CURLcode code);

struct curl_slist *presignListAppend(struct curl_slist *list, const char *line);
void presignListFree(struct curl_slist *list);

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift cannot call: one function for
// each type of argument.

CURLcode presignSetLong(CURL *handle, CURLoption option, long value);
CURLcode presignSetText(CURL *handle, CURLoption option, const char *value);
CURLcode presignSetList(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode presignSetPointer(CURL *handle, CURLoption option, void *value);
CURLMcode presignMultiSetLong(CURLM *multi, CURLMoption option, long value);

/// What CURLOPT_PRIVATE was set to.
CURLcode presignGetPointer(CURL *handle, char **value);

/// The status code of the answer; 0 when there is none.
long presignStatus(CURL *handle);

/// Bounds the header bytes of an answer; past the bound the transfer is given up. `count` must outlive the transfer.
CURLcode presignBoundHeaders(CURL *handle, size_t *count);

// Swift does not import a union's members without guessing.

static inline int presignMessageIsDone(const CURLMsg *message) { return message->msg == CURLMSG_DONE; }
static inline CURLcode presignMessageResult(const CURLMsg *message) { return message->data.result; }

#endif
