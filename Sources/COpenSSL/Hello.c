// Limits the length that a ClientHello declares (RFC 8446 sections 4 and 5.1).

#include "Internal.h"

#include <string.h>

enum {
    CHANGE_CIPHER_SPEC = 20,
    HANDSHAKE = 22,
    CLIENT_HELLO = 1,
    /// In bytes. Real clients send about 2 KiB.
    LONGEST_HELLO = 16 * 1024,
};

static size_t smaller(size_t one, size_t other) { return one < other ? one : other; }

/// Parses the message headers in a part of a handshake record. False if one is a ClientHello that is too long.
static bool follow_messages(presign_tls_hello *hello, const uint8_t *bytes, size_t count) {
    while (count) {
        size_t part = 1;
        if (hello->message_rest) {
            part = smaller(hello->message_rest, count);
            hello->message_rest -= (uint32_t)part;
        } else {
            hello->message[hello->message_bytes++] = *bytes;
            if (hello->message_bytes == sizeof hello->message) {
                hello->message_bytes = 0;
                hello->message_rest =
                    (uint32_t)hello->message[1] << 16 | (uint32_t)hello->message[2] << 8 | hello->message[3];
                if (hello->message[0] == CLIENT_HELLO && hello->message_rest > LONGEST_HELLO) return false;
            }
        }
        bytes += part;
        count -= part;
    }
    return true;
}

bool presign_tls_hello_accepts(presign_tls_hello *hello, const SSL *session, const uint8_t *bytes, size_t count) {
    while (count && !hello->has_ended) {
        size_t part = 1;
        if (hello->record_rest) {
            part = smaller(hello->record_rest, count);
            hello->record_rest -= (uint16_t)part;
            if (hello->record[0] == HANDSHAKE && !follow_messages(hello, bytes, part)) return false;
        } else {
            hello->record[hello->record_bytes++] = *bytes;
            if (hello->record_bytes == sizeof hello->record) {
                hello->record_bytes = 0;
                hello->record_rest = (uint16_t)(hello->record[3] << 8 | hello->record[4]);
                // Before TLS 1.3, all records after this one are encrypted. In TLS 1.3, a second ClientHello may
                // follow.
                hello->has_ended = hello->record[0] == CHANGE_CIPHER_SPEC && SSL_version(session) != TLS1_3_VERSION;
            }
        }
        bytes += part;
        count -= part;
    }
    return true;
}
