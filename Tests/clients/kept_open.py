"""Sends requests on one connection, with or without a client certificate.

usage: kept_open.py HOST PORT AUTHORITIES [CERTIFICATE KEY]

Prints each status, and `closed` when the server no longer responds. Ends after 60 seconds.
"""
import http.client
import ssl
import sys
import time

host, port, authorities, *client = sys.argv[1:]
context = ssl.create_default_context(cafile=authorities)
if client:
    context.load_cert_chain(*client)
connection = http.client.HTTPSConnection(host, int(port), timeout=10, context=context)
# No automatic reconnect.
connection.connect()
connection.auto_open = 0
end = time.monotonic() + 60
while time.monotonic() < end:
    try:
        connection.request("POST", "/presign", b'{"path":"images/cat.jpg"}', {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
    except (http.client.HTTPException, OSError):
        print("closed", flush=True)
        break
    print(response.status, flush=True)
    time.sleep(0.1)
