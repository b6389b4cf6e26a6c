"""Sends requests until the server closes every connection.

usage: PRESIGN=http://HOST:PORT PRESIGN_KEY=psk_... until_closed.py COUNT

Prints `ready` when each of COUNT connections has had 50 responses, and at the end the number of responses. Exits with a
line for each response that is truncated, or missing without a previous `Connection: close`.
"""
import http.client
import os
import sys
import threading
import urllib.parse

KEY = {"X-API-Key": os.environ["PRESIGN_KEY"], "Content-Type": "application/json"}
SERVER = urllib.parse.urlsplit(os.environ["PRESIGN"]).netloc
count = int(sys.argv[1])
failures = []
totals = []
ready = threading.Semaphore(0)


def ask():
    connection = http.client.HTTPConnection(SERVER, timeout=60)
    # No automatic reconnect.
    connection.auto_open = 0
    connection.connect()
    answered = 0
    while True:
        try:
            connection.request("POST", "/presign", b'{"path":"images/cat.jpg"}', KEY)
            response = connection.getresponse()
            body = response.read()
        except (http.client.HTTPException, OSError) as error:
            failures.append(f"after {answered} responses: {error!r}")
            break
        answered += 1
        if response.status != 200 or not body:
            failures.append(f"{response.status}: {body!r}")
        if answered == 50:
            ready.release()
        if response.will_close or failures:
            break
    totals.append(answered)
    connection.close()


threads = [threading.Thread(target=ask, daemon=True) for _ in range(count)]
for thread in threads:
    thread.start()
if all(ready.acquire(timeout=60) for _ in threads):
    print("ready", flush=True)
for thread in threads:
    thread.join()
if failures:
    sys.exit("\n".join(failures))
print(sum(totals))
