"""Forwards HTTP requests to a local port and logs them. usage: logging_proxy.py PORT

Prints its own port, then one JSON line per request: method, path, range, status, sent (bytes of the response content).
Forwards Host unchanged, because it is signed.
"""
import http.client
import http.server
import json
import sys


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_request(self):
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        storage = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=30)
        storage.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            storage.putheader(name, value)
        storage.endheaders(content)
        response = storage.getresponse()
        body = response.read()
        self.send_response_only(response.status)
        for name, value in response.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        self.send_header("Content-Length", response.getheader("Content-Length") or str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        print(json.dumps({"method": self.command, "path": self.path.split("?")[0],
                          "range": self.headers.get("Range"), "status": response.status, "sent": len(body)}), flush=True)
        storage.close()

    do_GET = do_HEAD = do_PUT = handle_request

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
print(server.server_port, flush=True)
server.serve_forever()
