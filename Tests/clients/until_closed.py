"""Asks until the server ends every connection: usage: PRESIGN=http://HOST:PORT PRESIGN_KEY=psk_... until_closed.py COUNT

Prints `ready` when each of COUNT connections had 50 answers, and at the end how many answers there were. An answer that
is cut short, or missing on a connection that was not said to close, ends it with a line for each.
"""
import http.client
import os
import sys
import threading
import urllib.parse

KEY = {"X-API-Key": os.environ["PRESIGN_KEY"], "Content-Type": "application/json"}
PLACE = urllib.parse.urlsplit(os.environ["PRESIGN"]).netloc
count = int(sys.argv[1])
failures = []
totals = []
ready = threading.Semaphore(0)


def ask():
    connection = http.client.HTTPConnection(PLACE, timeout=60)
    # It must not connect again by itself.
    connection.auto_open = 0
    connection.connect()
    answered = 0
    while True:
        try:
            connection.request("POST", "/presign", b'{"path":"images/cat.jpg"}', KEY)
            answer = connection.getresponse()
            body = answer.read()
        except (http.client.HTTPException, OSError) as error:
            failures.append(f"after {answered} answers: {error!r}")
            break
        answered += 1
        if answer.status != 200 or not body:
            failures.append(f"{answer.status}: {body!r}")
        if answered == 50:
            ready.release()
        if answer.will_close or failures:
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
