"""Starts a program many times and sends SIGTERM at every moment of its start.

usage: early_stop.py COUNT MILLISECONDS SECONDS PROGRAM ARGUMENT...

The moments lie between 0 and so many MILLISECONDS after the start, or on a slow machine four times what it takes to come
to its main, so that as many of them as ever are behind that. Each start must end within so many SECONDS: with status
0 where the signal was blocked when it was sent, and where it was not, with 0 or by the signal. Prints `COUNT waited,
COUNT before main`.
"""
import os
import signal
import subprocess
import sys
import time

count, milliseconds, seconds = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
# A child inherits what is blocked, and then would prove nothing.
signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())


def holds_back(process):
    """Whether the process itself has blocked SIGTERM."""
    with open(f"/proc/{process.pid}/status") as status:
        mask = next(line for line in status if line.startswith("SigBlk:"))
    return int(mask.split()[1], 16) >> (signal.SIGTERM - 1) & 1 == 1


def start():
    return subprocess.Popen(sys.argv[4:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def time_to_main():
    """Milliseconds until the program has blocked SIGTERM."""
    began = time.monotonic()
    process = start()
    while process.poll() is None and not holds_back(process):
        time.sleep(0.001)
    took = time.monotonic() - began
    process.send_signal(signal.SIGTERM)
    process.communicate()
    return took * 1000


# The middle of five: one may have met with something else.
milliseconds = max(milliseconds, 4 * sorted(time_to_main() for _ in range(5))[2])
waited = before = 0
for number in range(count):
    process = start()
    time.sleep(milliseconds / 1000 * number / count)
    held = holds_back(process)
    process.send_signal(signal.SIGTERM)
    try:
        _, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"start {number}: SIGTERM was lost")
    if held:
        waited += 1
    else:
        before += 1
    if process.returncode != 0 and (held or process.returncode != -signal.SIGTERM):
        sys.exit(f"start {number}, SIGTERM held: {held}: status {process.returncode}\n{errors.decode()}")
print(f"{waited} waited, {before} before main")
