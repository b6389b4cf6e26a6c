"""Passes HTTP on to a port of this machine and writes down what goes through: usage: logging_proxy.py PORT

Prints its own port, then one JSON line a request: method, path, range, status, sent (the bytes of the answer's content).
Host stays as it is, since it is signed.
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
        answer = storage.getresponse()
        body = answer.read()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        self.send_header("Content-Length", answer.getheader("Content-Length") or str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        print(json.dumps({"method": self.command, "path": self.path.split("?")[0], 
                          "range": self.headers.get("Range"), "status": answer.status, "sent": len(body)}), flush=True)
        storage.close()

    do_GET = do_HEAD = do_PUT = handle_request

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
print(server.server_port, flush=True)
server.serve_forever()
