// What the files of this module share.

#ifndef CSOCKETS_INTERNAL_H
#define CSOCKETS_INTERNAL_H

#include <errno.h>

static inline int result(int value) { return value < 0 ? -errno : value; }

/// Makes a descriptor non-blocking and closed on exec, where no flag of the creating call exists, and returns it; closes
/// it when that fails, and returns -errno.
int sockets_prepare(int descriptor);

#endif
