"""Lets Conan upload a source to a backup behind plain links, and restore it once the origin is gone.

    PRESIGN_KEY=psk_... conan_backup.py CONAN LINK FOLDER     LINK ends in a slash; FOLDER is empty

Prints a line for each step.
"""
import hashlib
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

CONAN, LINK, FOLDER = sys.argv[1:3] + [pathlib.Path(sys.argv[3])]
CONTENT = os.urandom(3_000_000)
DIGEST = hashlib.sha256(CONTENT).hexdigest()


class Origin(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(CONTENT)

    def log_message(self, *arguments):
        pass


origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
threading.Thread(target=origin.serve_forever, daemon=True).start()
(FOLDER / "recipe").mkdir()
(FOLDER / "recipe/conanfile.py").write_text(f"""
from conan import ConanFile
from conan.tools.files import download

class Sample(ConanFile):
    name = "sample"
    version = "1.0"

    def source(self):
        download(self, "http://127.0.0.1:{origin.server_port}/source", "source.bin", sha256="{DIGEST}")

    def package(self):
        pass
""")


def conan(name, *arguments):
    """Runs Conan with a home of its own, so that nothing is cached."""
    home = FOLDER / name
    if not home.exists():
        home.mkdir()
        (home / "global.conf").write_text(
            f"core.sources:download_cache={home}/sources\n"
            f'core.sources:download_urls=["{LINK}", "origin"]\n'
            f"core.sources:upload_url={LINK}\n")
        credentials = [{"url": LINK, "user": "any", "password": os.environ["PRESIGN_KEY"]}]
        (home / "source_credentials.json").write_text(json.dumps({"credentials": credentials}))
        conan(name, "profile", "detect")
    run = subprocess.run([CONAN, *arguments], env=os.environ | {"CONAN_HOME": str(home)}, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        sys.exit(run.stdout)
    return run.stdout


conan("first", "create", str(FOLDER / "recipe"))
uploaded = conan("first", "cache", "backup-upload")
print("uploaded" if DIGEST in uploaded and "already" not in uploaded else uploaded)
again = conan("first", "cache", "backup-upload")
print("uploaded again" if "Uploading file" in again else "the server has it")
origin.shutdown()
origin.server_close()
conan("second", "create", str(FOLDER / "recipe"))
restored = (FOLDER / "second/sources/s" / DIGEST).read_bytes()
print("restored" if restored == CONTENT else "another source")
