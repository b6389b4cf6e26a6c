// Listening sockets inherited from another process.

#include "Sockets.h"
#include "Internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

/// Returns the value of a SOL_SOCKET option, or -errno.
static int option(int descriptor, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) < 0 ? -errno : value;
}

int presign_socket_adopt(int descriptor, char name[PRESIGN_LONGEST_NAME], uint16_t *port) {
    int type = option(descriptor, SO_TYPE);
    if (type < 0) return type;
    int listens = option(descriptor, SO_ACCEPTCONN);
    if (listens < 0) return listens;
    if (type != SOCK_STREAM) return -ESOCKTNOSUPPORT;
    if (!listens) return -EINVAL;
    struct sockaddr_storage storage;
    socklen_t size = sizeof storage;
    memset(&storage, 0, sizeof storage);
    if (getsockname(descriptor, (struct sockaddr *)&storage, &size) < 0) return -errno;
    memset(name, 0, PRESIGN_LONGEST_NAME);
    *port = (uint16_t)presign_socket_port(descriptor);
    int family = 0, yes = 1;
    if (storage.ss_family == AF_INET) {
        inet_ntop(AF_INET, &((struct sockaddr_in *)&storage)->sin_addr, name, PRESIGN_LONGEST_NAME);
        family = 4;
    } else if (storage.ss_family == AF_INET6) {
        inet_ntop(AF_INET6, &((struct sockaddr_in6 *)&storage)->sin6_addr, name, PRESIGN_LONGEST_NAME);
        family = 6;
    } else if (storage.ss_family == AF_UNIX) {
        // An abstract name starts with a NUL; its length follows from the size of the address.
        const struct sockaddr_un *local = (const struct sockaddr_un *)&storage;
        memcpy(name, local->sun_path, size - offsetof(struct sockaddr_un, sun_path));
        if (!name[0]) name[0] = '@';
    } else {
        return -ESOCKTNOSUPPORT;
    }
    if (family) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        presign_socket_limit_buffers(descriptor);
    }
    int prepared = presign_socket_prepare(descriptor);
    return prepared < 0 ? prepared : family;
}
