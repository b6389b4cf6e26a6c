"""Plays the cache protocol of Nx (nx.dev, "Self-hosted caching"), with the HTTP behaviour of its client, reqwest.

    nx_cache.py SERVER READONLY TOKEN     SERVER is the value of NX_SELF_HOSTED_REMOTE_CACHE_SERVER, READONLY the same for
                                          a folder in which the token may not write

It follows 307 with the same method and body, and drops Authorization for another host or port. Prints a line for each
step: what the client does, and the status that it sees.
"""
import hashlib
import http.client
import sys
from urllib.parse import urljoin, urlsplit

SERVER, READONLY, TOKEN = sys.argv[1:4]
ARCHIVE = bytes(range(256)) * 12_000


def exchange(method, url, body=None):
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/octet-stream"}
    if method == "GET":
        headers["Accept"] = "application/octet-stream"
    for _ in range(10):
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=60)
        try:
            connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body, headers)
            response = connection.getresponse()
            content, status, location = response.read(), response.status, response.headers["Location"]
        finally:
            connection.close()
        if status != 307:
            return status, content
        url = urljoin(url, location)
        if urlsplit(url).netloc != parts.netloc:
            headers.pop("Authorization", None)
    sys.exit("too many redirects")


def retrieve(server, key):
    """As `retrieve` of the client: 200 is a hit, 404 a miss, anything else an error."""
    status, content = exchange("GET", f"{server}/v1/cache/{key}")
    return {200: "hit" if content == ARCHIVE else "another archive", 404: "miss"}.get(status, "error"), status


def store(server, key):
    """As `store` of the client: 200 is stored, 403 and 409 are not, anything else is an error."""
    status, _ = exchange("PUT", f"{server}/v1/cache/{key}", ARCHIVE)
    return {200: "stored", 403: "not stored", 409: "not stored"}.get(status, "error"), status


name = hashlib.sha256(ARCHIVE).hexdigest()
for step in (retrieve, store, retrieve, store):
    print(step.__name__, *step(SERVER, name))
for step in (store, retrieve):
    print("read-only", step.__name__, *step(READONLY, name))
