// System calls in a shape that Swift can call: no variadic functions, no sockaddr casts, errno returned as a value.
// Functions return 0 or more, or the negated errno, and retry EINTR themselves, unless their comment says otherwise.

#ifndef PRESIGN_PLATFORM_H
#define PRESIGN_PLATFORM_H

#include "Files.h"
#include "Processes.h"
#include "ServiceManager.h"
#include "Sockets.h"
#include "System.h"

#endif
