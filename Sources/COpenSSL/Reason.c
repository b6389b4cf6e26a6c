#include "Internal.h"

#include <openssl/err.h>
#include <stdio.h>

void presign_tls_explain(presign_tls_reason *reason, const char *text, bool latest) {
    unsigned long error = latest ? ERR_peek_last_error() : ERR_peek_error();
    const char *detail = error ? ERR_reason_error_string(error) : NULL;
    snprintf(reason->text, sizeof reason->text, "%s%s%s", text, detail ? ": " : "", detail ? detail : "");
    ERR_clear_error();
}
