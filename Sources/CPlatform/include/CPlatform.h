// System calls in a form that Swift can call safely: no variadic functions, no sockaddr casts, errno as a return value.
// Unless documented otherwise, functions return 0 or more, or the negated errno, and retry after EINTR.

#ifndef PRESIGN_PLATFORM_H
#define PRESIGN_PLATFORM_H

#include "Files.h"
#include "Processes.h"
#include "ServiceManager.h"
#include "Sockets.h"
#include "System.h"

#endif
