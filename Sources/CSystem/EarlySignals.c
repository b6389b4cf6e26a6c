// The signals of `presign serve` are blocked before any library begins its work, which takes longer than `main` takes to
// come to it: what a container's first process is sent until then is lost.
#if defined(__linux__) && defined(__ELF__)

#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <string.h>

static void blockSignals(int count, char **arguments, char **environment) {
    (void)environment;
    if (count < 2 || strcmp(arguments[1], "serve") != 0) return;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

// Called by the loader before the first constructor (System V ABI, "Initialization and Termination Functions").
__attribute__((section(".preinit_array"), used)) static void (*const early)(int, char **, char **) = blockSignals;

#endif
