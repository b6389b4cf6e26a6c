"""Compares the hosts of signed URLs with those that clients send to IPv6 addresses of this machine.

usage: sent_hosts.py PRESIGN

Signs a URL for several spellings of the address with `presign url`, and requests it with curl, Node and Python. Prints
each Host field that differs from the URL's host; the status is then 1.
"""
import http.server
import os
import socket
import subprocess
import sys
import threading
import urllib.parse

# The addresses to listen on, with spellings of them.
SPELLINGS = {
    "::1": ["[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::0.0.0.1]"],
    "::ffff:127.0.0.1": ["[::ffff:127.0.0.1]", "[::FFFF:7F00:1]", "[0:0:0:0:0:ffff:127.0.0.1]"],
}
CLIENTS = {
    "curl": ["curl", "-qgsS", "--noproxy", "*"],
    "node": ["node", "-e", "fetch(process.argv[1])"],
    "python": [sys.executable, "-c", "import sys, urllib.request; urllib.request.urlopen(sys.argv[1])"],
}


class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6
    hosts = []


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.hosts.append(self.headers["Host"])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def differences(server, spelling):
    """Signs a URL, requests it with each client, and yields the Host fields that differ from the URL's host."""
    endpoint = f"http://{spelling}:{server.server_port}"
    url = subprocess.run(
        [sys.argv[1], "url", "a", "--bucket", "b", "--region", "us-east-1", "--endpoint", endpoint],
        env={"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"},
        stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    for name, client in CLIENTS.items():
        server.hosts.clear()
        subprocess.run(client + [url], env={"PATH": os.environ["PATH"]}, check=True, timeout=60)
        if server.hosts != [urllib.parse.urlsplit(url).netloc]:
            yield f"{name}: {url} was sent to {server.hosts}"


differing = []
for address, spellings in SPELLINGS.items():
    server = Server((address, 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for spelling in spellings:
        differing += differences(server, spelling)
sys.exit("\n".join(differing) or 0)
