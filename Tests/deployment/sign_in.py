"""A stub of oauth2-proxy on a loopback port. usage: sign_in.py; prints the port.

The cookie `session` selects the user: `alice` has groups, `bob` has none, `nobody` has no user name.
"""
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SESSIONS = {
    "session=alice": {"X-Auth-Request-User": "alice", "X-Auth-Request-Groups": "editors,staff"},
    "session=bob": {"X-Auth-Request-User": "bob"},
    "session=nobody": {},
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/oauth2/start":
            self.respond(302, {"Location": "https://accounts.example.com/"})
        elif self.path != "/oauth2/auth":
            self.respond(404, {})
        else:
            identity = SESSIONS.get(self.headers.get("Cookie"))
            self.respond(401 if identity is None else 202, identity or {})

    def respond(self, status, headers):
        self.send_response(status)
        for name, value in {**headers, "Content-Length": "0"}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
