"""Runs the service in the image's file system as a container would, and checks size, start time and memory.

usage: check.py ROOT
"""

import contextlib
import http.client
import http.server
import json
import os
import pathlib
import signal
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time

UNPACKED, PULLED = 45_000_000, 20_000_000
START_MILLISECONDS, IDLE_BYTES = 20, 20 << 20

root = pathlib.Path(sys.argv[1])
binary = "/usr/local/bin/presign"
failures = []


def expect(what, found, passes):
    print(f"{'ok    ' if passes else 'FAILED'} {what}: {found}")
    if not passes:
        failures.append(what)


def command(*arguments):
    """Returns the command line that runs presign as in a container: as PID 1, as the image's user, read-only."""
    inside = ["chroot", "--userspec=10001:10001", str(root), binary, *arguments]
    script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount -t proc proc "$0/proc" && exec "$@"'
    names = ["--mount", "--pid", "--fork", "--kill-child"]
    return ["unshare", *names, "/bin/sh", "-c", script, str(root), *inside]


def run(*arguments):
    return subprocess.run(command(*arguments), env={}, capture_output=True, text=True, timeout=30)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def ask(port, method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def configure(storage):
    port = free_port()
    (root / "etc/presign/presign.yaml").write_text(f"""
version: 1
server: {{listen: ["127.0.0.1:{port}"]}}
stores:
  main: {{bucket: b, region: us-east-1, endpoint: "https://127.0.0.1:{storage}", credentials: environment}}
auth: {{guest: true}}
log: {{requests: false}}
rules: [{{path: "**", allow: {{everyone: [read]}}}}]
""")
    return port


@contextlib.contextmanager
def service(port):
    """Runs the service; yields the seconds until its first response, and its process id."""
    environment = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "example"}
    # The script waits for a line, so that the time for mounting, which a container engine does, is not counted.
    script = 'read -r _; exec "$@"'
    gate = ["/bin/sh", "-c", script, "gate", "chroot", "--userspec=10001:10001", str(root), binary]
    outer = command()
    full = outer[: outer.index("chroot")] + gate + ["serve", "--config", "/etc/presign/presign.yaml"]
    process = subprocess.Popen(full, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    # Wait until the script runs.
    while not children.read_text().strip():
        time.sleep(0.001)
    inner = int(children.read_text().split()[0])
    while b"gate" not in pathlib.Path(f"/proc/{inner}/cmdline").read_bytes():
        time.sleep(0.001)
    time.sleep(0.02)
    start = time.monotonic()
    process.stdin.write(b"\n")
    process.stdin.flush()
    while True:
        try:
            status, _ = ask(port, "GET", "/healthz")
            break
        except OSError:
            if process.poll() is not None:
                sys.exit(f"the service did not start: {process.stderr.read().decode()}")
    yield time.monotonic() - start, inner
    os.kill(inner, signal.SIGTERM)
    process.stdin.close()
    expect("exit status after SIGTERM to PID 1", process.wait(10), process.returncode == 0)


class Storage(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.send_response(404)
        self.end_headers()

    def log_message(self, *_):
        pass


def storage(folder):
    """Starts an HTTPS server without objects; returns its port and its certificate file."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=storage", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Storage)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1], certificate


def sizes():
    files = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    unpacked = sum(path.stat().st_size for path in files)
    packed = subprocess.run(f"tar -C {root} -c . | gzip | wc -c", shell=True, check=True, capture_output=True, text=True)
    expect("bytes unpacked", f"{unpacked:,} in {len(files)} files", unpacked <= UNPACKED)
    expect("bytes to pull", f"{int(packed.stdout):,}", int(packed.stdout) <= PULLED)
    programs = [path for path in files if os.access(path, os.X_OK) and ".so" not in path.name]
    expect("programs", [str(path.relative_to(root)) for path in programs], [path.name for path in programs] == ["presign"])
    status = sorted(path.name for path in (root / "var/lib/dpkg/status.d").iterdir())
    licences = sorted(path.parent.name for path in (root / "usr/share/doc").glob("*/copyright"))
    own = root / "usr/share/doc/presign/LICENSE"
    expect("presign's own licence", own.name, own.is_file() and "Apache License" in own.read_text())
    expect("packages, each with its licence", len(status), status == licences and "libcurl4" in status)


def existence(certificate, port):
    body = json.dumps({"path": "a", "validateObjectExistence": True})
    status, response = ask(port, "POST", "/presign", body)
    expect("a storage with an unknown certificate authority", (status, json.loads(response)["code"]), status == 502)
    authorities = root / "etc/ssl/certs/ca-certificates.crt"
    known = authorities.read_bytes()
    expect("certificate authorities", known.count(b"BEGIN CERTIFICATE"), known.count(b"BEGIN CERTIFICATE") > 100)
    authorities.write_bytes(known + certificate.read_bytes())


def main():
    version = run("--version")
    expect("presign --version", version.stdout.strip(), version.returncode == 0)
    sizes()
    with tempfile.TemporaryDirectory() as folder:
        store, certificate = storage(pathlib.Path(folder))
        port = configure(store)
        # Other load only lengthens a start, so the limit applies to the fastest one. A busy machine gets more attempts.
        times = []
        while len(times) < 20 or (len(times) < 60 and min(times) > START_MILLISECONDS):
            with service(port) as (first, _):
                times.append(first * 1000)
        best, middle = min(times), statistics.median(times)
        expect("milliseconds to the first response, fastest start (and median)", f"{best:.1f} ({middle:.1f})",
               best <= START_MILLISECONDS)
        with service(port) as (_, number):
            ask(port, "POST", "/presign", json.dumps({"path": "a"}))
            rollup = pathlib.Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
            memory = {line.split(":")[0]: int(line.split()[1]) << 10 for line in rollup[1:]}
            expect("idle memory, resident (and private)", f"{memory['Rss']:,} ({memory['Pss_Anon']:,} anonymous)",
                   memory["Rss"] <= IDLE_BYTES)
            expect("presign healthcheck", run("healthcheck").returncode, run("healthcheck").returncode == 0)
            existence(certificate, port)
        with service(port):
            status, _ = ask(port, "POST", "/presign", json.dumps({"path": "a", "validateObjectExistence": True}))
            expect("a storage whose authority is in the image's bundle", status, status == 404)
        status = run("healthcheck").returncode
        expect("presign healthcheck without a service", status, status == 1)
    sys.exit(1 if failures else 0)


main()
