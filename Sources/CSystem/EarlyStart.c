// What is done before any library begins its work.
#define _GNU_SOURCE
#include "CProcess.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static int argumentCount;
static char **arguments;

int presignArgumentCount(void) { return argumentCount; }

const char *presignArgument(int index) { return arguments[index]; }

/// The signals of `presign serve` are blocked: the libraries take longer to begin than `main` takes to come to it, and what
/// a container's first process is sent until then is lost.
static void blockSignals(void) {
    if (argumentCount < 2 || strcmp(arguments[1], "serve") != 0) return;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static void start(int count, char **words, char **environment) {
    (void)environment;
    argumentCount = count;
    arguments = words;
    blockSignals();
}

// Called by the loader before the first constructor (System V ABI, "Initialization and Termination Functions").
__attribute__((section(".preinit_array"), used)) static void (*const early)(int, char **, char **) = start;
