// Conversion of addresses to and from socket structures, and host name resolution.

#include "Sockets.h"
#include "Internal.h"

#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

socklen_t presign_socket_fill(struct sockaddr_storage *storage, const uint8_t *address, int length, uint16_t port) {
    memset(storage, 0, sizeof *storage);
    if (length == 4) {
        struct sockaddr_in *ipv4 = (struct sockaddr_in *)storage;
        ipv4->sin_family = AF_INET;
        ipv4->sin_port = htons(port);
        memcpy(&ipv4->sin_addr, address, 4);
        return sizeof *ipv4;
    }
    struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)storage;
    ipv6->sin6_family = AF_INET6;
    ipv6->sin6_port = htons(port);
    memcpy(&ipv6->sin6_addr, address, 16);
    return sizeof *ipv6;
}

void presign_socket_describe(const struct sockaddr_storage *storage, presign_peer *peer) {
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    memset(peer, 0, sizeof *peer);
    if (storage->ss_family == AF_INET) {
        peer->family = 4;
        memcpy(peer->address, &((const struct sockaddr_in *)storage)->sin_addr, 4);
    } else if (storage->ss_family == AF_INET6) {
        const uint8_t *bytes = (const uint8_t *)&((const struct sockaddr_in6 *)storage)->sin6_addr;
        // An IPv4 client of a dual-stack listener: report its IPv4 address.
        bool ipv4 = memcmp(bytes, mapped, sizeof mapped) == 0;
        peer->family = ipv4 ? 4 : 6;
        memcpy(peer->address, ipv4 ? bytes + 12 : bytes, ipv4 ? 4 : 16);
    }
}

int presign_socket_resolve(const char *host, presign_peer *addresses, int capacity) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found = NULL;
    int failure = getaddrinfo(host, NULL, &hints, &found);
    if (failure) return failure == EAI_SYSTEM ? -errno : -ENOENT;
    int count = 0;
    for (struct addrinfo *entry = found; entry && count < capacity; entry = entry->ai_next) {
        struct sockaddr_storage storage = {0};
        if (entry->ai_addrlen > sizeof storage) continue;
        memcpy(&storage, entry->ai_addr, entry->ai_addrlen);
        presign_socket_describe(&storage, &addresses[count]);
        if (addresses[count].family) count++;
    }
    freeaddrinfo(found);
    return count;
}
