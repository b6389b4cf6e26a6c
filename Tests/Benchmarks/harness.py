"""Shared code of the benchmarks: the service, nginx, an HTTP client, and figures from /proc."""

import json
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.parse

BUILD = pathlib.Path(os.environ["PRESIGN_BUILD"])  # the release build's products; run.sh sets it
WORK = pathlib.Path(os.environ["PRESIGN_WORK"])  # a folder of this run
STRIPPED = WORK / "presign"
SYMBOLS = WORK / "presign-symbols"  # without debug information, which Valgrind cannot read
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
PATH = "users/7f3c9a52/photos/2026/11/holiday snap (1).jpg"
GET = {"path": PATH, "method": "GET", "expiresIn": 900}
PUT = GET | {"method": "PUT", "contentType": "image/jpeg", "contentLength": 48213,
             "checksumSHA256": "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
             "metadata": {"camera": "X100", "album": "holiday"}}
BODY = json.dumps(GET, separators=(",", ":")).encode()
TICK = 1 / os.sysconf("SC_CLK_TCK")
median = statistics.median

CONFIGURATION = """\
version: 1
server:
  listen: ["127.0.0.1:{port}"]
  loops: {loops}
  limits: {{connections: 15000}}
  timeouts: {{idle: 15m}}
stores:
  media: {{bucket: media-uploads-prod, region: eu-west-1, links: true}}
auth:
  apiKeys:
    - {{id: bench, hashes: ["{hash}"]}}
limits: {{perShareClient: none}}
shares: {{keys: [{{id: bench, file: share.key}}]}}
rules:
  - path: users/**
    allow: {{"caller:bench": [get, write]}}
    share: {{get: 1d}}
"""


def table(title, head, rows):
    """Prints an aligned table with right-aligned numbers."""
    lines = [head] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    print(f"\n{title}")
    for line in lines:
        print("  " + "  ".join([line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:])]).rstrip())


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


class Server:
    """A program that listens on `port`; a context manager that stops it."""

    def __init__(self, command, port, folder, environment=ENVIRONMENT):
        self.port = port
        self.folder = folder
        self.log = open(folder + "/log", "ab")
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [str(word) for word in command], env=environment, stdout=self.log, stderr=subprocess.STDOUT,
            cwd=self.folder)

    def pids(self):
        """Returns the ids of the process and its children."""
        own = self.process.pid
        children = pathlib.Path(f"/proc/{own}/task/{own}/children").read_text().split()
        return [own, *map(int, children)]

    def cpu(self):
        """Returns the CPU time so far, in seconds."""
        fields = [pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split() for pid in self.pids()]
        return sum(int(one[11]) + int(one[12]) for one in fields) * TICK

    def pss(self, kind="Pss"):
        """Returns the proportional set size in KiB: all memory (Pss) or anonymous memory (Pss_Anon)."""
        lines = [l for pid in self.pids() for l in open(f"/proc/{pid}/smaps_rollup") if l.startswith(kind + ":")]
        return sum(int(line.split()[1]) for line in lines)

    def empty_log(self):
        """Truncates the log, so that its page cache is reused: the service logs a gigabyte, and on a virtual machine the
        first use of a page costs ten times as much as writing to it."""
        self.log.truncate(0)

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def __enter__(self):
        while not probe(self):
            time.sleep(0.02)
        return self

    def __exit__(self, *_):
        self.end()


def probe(server):
    """Returns whether the server responds; aborts the benchmark if it has exited or is silent for a minute."""
    try:
        with Client(server.port) as client:
            client.exchange(get("/healthz"))
        return True
    except OSError:
        if server.process.poll() is None and time.monotonic() - server.began < 60:
            return False
        server.end()
        log = pathlib.Path(server.log.name).read_text()
        raise SystemExit(f"{server.process.args} does not respond on port {server.port}: {log}")


class Service(Server):
    """`presign serve` with one API key, one rule, and the request log in a file."""

    def __init__(self, wrapper=(), binary=STRIPPED, loops=2, **more):
        self.key, hash = subprocess.check_output([STRIPPED, "key", "new", "bench"], text=True).split()
        port, folder = free_port(), tempfile.mkdtemp(dir=WORK)
        pathlib.Path(folder, "presign.yaml").write_text(CONFIGURATION.format(port=port, loops=loops, hash=hash))
        pathlib.Path(folder, "share.key").write_bytes(subprocess.check_output([STRIPPED, "key", "new", "--share"]))
        super().__init__([*wrapper, binary, "serve", "--config", "presign.yaml"], port, folder, ENVIRONMENT | more)

    def request(self, members=GET, path="/presign"):
        """Returns a POST request with a JSON body."""
        body = json.dumps(members, separators=(",", ":")).encode()
        return (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.key}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body

    def use(self):
        """Returns a request to a new share link."""
        with Client(self.port) as client:
            _, body = client.exchange(self.request({"path": PATH, "share": True}))
        token = json.loads(body)["url"].rpartition("/")[2]
        return f"GET /s/{token} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()

    def upload(self):
        """Returns an upload with a link."""
        return (f"PUT /o/{urllib.parse.quote(PATH)} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.key}\r\n"
                f"Content-Type: image/jpeg\r\nContent-Length: 5\r\n\r\nHello").encode()

    def response(self):
        """Returns the body of a response, which must contain a URL."""
        with Client(self.port) as client:
            head, body = client.exchange(self.request())
        if not head.startswith(b"HTTP/1.1 200") or b"X-Amz-Signature=" not in body:
            raise SystemExit(f"the service responded {head!r} {body!r}")
        return body


class Nginx(Server):
    """nginx without a log that responds to every request with 200 and a body of the same size."""

    def __init__(self, body, workers=2):
        port, folder = free_port(), tempfile.mkdtemp(dir=WORK)
        paths = "".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        text = "x" * len(body)
        pathlib.Path(folder, "nginx.conf").write_text(
            f"worker_processes {workers}; daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
            f"events {{ worker_connections 16384; }}\n"
            f"http {{ access_log off; {paths} keepalive_requests 1000000000; keepalive_timeout 900;\n"
            f"server {{ listen 127.0.0.1:{port} reuseport backlog=4096; default_type application/json;\n"
            f"location / {{ return 200 '{text}'; }} }} }}\n")
        super().__init__(["nginx", "-e", folder + "/error.log", "-c", folder + "/nginx.conf"], port, folder)


class Client:
    """One keep-alive connection."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.held = b""

    def exchange(self, request):
        """Sends a request and returns its response."""
        self.send(request)
        return self.receive()

    def send(self, request):
        self.socket.sendall(request)

    def receive(self):
        """Returns the head and the body of a response, which must have a Content-Length."""
        while b"\r\n\r\n" not in self.held:
            self.held += self._more()
        head, self.held = self.held.split(b"\r\n\r\n", 1)
        length = int(next(l for l in head.lower().split(b"\r\n") if l.startswith(b"content-length:")).split(b":")[1])
        while len(self.held) < length:
            self.held += self._more()
        body, self.held = self.held[:length], self.held[length:]
        return head, body

    def _more(self):
        more = self.socket.recv(65536)
        if not more:
            raise ConnectionError("closed before the end of the response")
        return more

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def get(path):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def difference(measure, few=200, many=1200):
    """Returns the cost of one request, as the difference of two runs, which excludes start and stop. `measure` returns
    numbers by name for a number of requests."""
    less, more = measure(few), measure(many)
    return {name: (more[name] - less.get(name, 0)) / (many - few) for name in more}


def save(name, figures):
    """Saves the raw figures of a part."""
    (WORK / f"{name}.json").write_text(json.dumps(figures, indent=1))
