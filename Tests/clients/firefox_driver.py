"""A W3C WebDriver server for Firefox, with the commands that the browser tests use.

Debian has no geckodriver. Firefox itself speaks Marionette, WebDriver's commands over TCP, which this translates.
Usage: firefox_driver.py; prints the port like chromedriver. GET /shutdown ends Firefox and the driver.
"""

import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.dns.localDomains": "presign.test",
    # `offline` must cut the connections to this machine too.
    "network.disable-localhost-when-offline": True,
    # The offer to save a password takes the focus from the page.
    "signon.rememberSignons": False,
    "toolkit.telemetry.enabled": False,
}

# A window has a minimum width, so the size is set on the element that holds the page.
SET_LOOK = """
const { width, height, dark, reducedMotion, touch } = arguments[0];
// A finger is coarse (1); a mouse is fine (2) and hovers (4).
Services.prefs.setIntPref("ui.primaryPointerCapabilities", touch ? 1 : 6);
Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", dark ? 0 : 1);
Services.prefs.setIntPref("ui.prefersReducedMotion", reducedMotion ? 1 : 0);
const { style } = window.gBrowser.selectedBrowser;
for (const [name, value] of [["width", width], ["height", height]]) {
  for (const limit of ["", "min-", "max-"]) style.setProperty(limit + name, value + "px", "important");
}
"""

# Removes what the pages of a test have stored and what a test has set.
FORGET = """
const done = arguments[0];
Services.io.offline = false;
for (const name of ["layout.css.prefers-color-scheme.content-override", "ui.prefersReducedMotion",
  "ui.primaryPointerCapabilities"])
  Services.prefs.clearUserPref(name);
Services.clearData.deleteData(Ci.nsIClearDataService.CLEAR_ALL, () => done());
"""

STOP_WORKERS = """
const done = arguments[0];
const manager = Cc["@mozilla.org/serviceworkers/manager;1"].getService(Ci.nsIServiceWorkerManager);
const registrations = manager.getAllRegistrations();
const stopped = Array.from({ length: registrations.length }, (_, index) =>
  registrations.queryElementAt(index, Ci.nsIServiceWorkerRegistrationInfo).activeWorker?.terminateWorker());
Promise.all(stopped).then(() => done());
"""


class Marionette:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="firefox-")
        preferences = {**PREFERENCES, "marionette.port": 0}
        with open(os.path.join(self.profile, "user.js"), "w") as file:
            for name, value in preferences.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", self.profile],
            env={**os.environ, "HOME": self.profile}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = self.connect()
        self.file = self.socket.makefile("rb")
        self.count = 0
        self.lock = threading.Lock()
        self.read()
        self.send("WebDriver:NewSession", {})
        self.send("WebDriver:SetTimeouts", {"script": 600_000})

    def connect(self):
        """Firefox writes the port that it selected into its profile."""
        port_file = os.path.join(self.profile, "MarionetteActivePort")
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with open(port_file) as file:
                    return socket.create_connection(("127.0.0.1", int(file.read())))
            except (OSError, ValueError):
                time.sleep(0.05)
        sys.exit("Firefox did not start")

    def read(self):
        """Reads one message: its length in bytes, a colon, JSON."""
        length = b""
        while not length.endswith(b":"):
            byte = self.file.read(1)
            if not byte:
                raise ConnectionError("Firefox closed the connection")
            length += byte
        return json.loads(self.file.read(int(length[:-1])))

    def send(self, name, parameters):
        with self.lock:
            self.count += 1
            message = json.dumps([0, self.count, name, parameters]).encode()
            self.socket.sendall(b"%d:%s" % (len(message), message))
            _, _, error, result = self.read()
        if error:
            raise RuntimeError(json.dumps(error))
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def run_privileged(self, script, *arguments, command="WebDriver:ExecuteScript"):
        """Runs a script with access to the browser itself."""
        self.send("Marionette:SetContext", {"value": "chrome"})
        try:
            return self.send(command, {"script": script, "args": arguments})
        finally:
            self.send("Marionette:SetContext", {"value": "content"})

    def quit(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/shutdown":
            self.respond(200, None)
            marionette.quit()
            threading.Thread(target=self.server.shutdown).start()
        else:
            self.perform({})

    do_DELETE = do_GET

    def do_POST(self):
        self.perform(json.loads(self.rfile.read(int(self.headers["content-length"]))))

    def perform(self, body):
        try:
            self.respond(200, self.value(self.path.split("/")[1:], body))
        except RuntimeError as error:
            self.respond(500, str(error))

    def value(self, path, body):
        match (self.command, path[2:]):
            case ("POST", []): return {"sessionId": "firefox"}
            case ("POST", ["url"]): return marionette.send("WebDriver:Navigate", body)
            case ("POST", ["refresh"]): return marionette.send("WebDriver:Refresh", {})
            case ("POST", ["execute", "sync"]): return marionette.send("WebDriver:ExecuteScript", body)
            case ("POST", ["element"]): return marionette.send("WebDriver:FindElement", body)
            case ("POST", ["element", id, "value"]):
                return marionette.send("WebDriver:ElementSendKeys", {"id": id, **body})
            case ("POST", ["element", id, "click"]): return marionette.send("WebDriver:ElementClick", {"id": id})
            case ("POST", ["actions"]): return marionette.send("WebDriver:PerformActions", body)
            case ("POST", ["window", "new"]): return marionette.send("WebDriver:NewWindow", body)
            case ("POST", ["window"]): return marionette.send("WebDriver:SwitchToWindow", body)
            case ("GET", ["window"]): return marionette.send("WebDriver:GetWindowHandle", {})
            case ("GET", ["window", "handles"]): return marionette.send("WebDriver:GetWindowHandles", {})
            case ("DELETE", ["window"]): return marionette.send("WebDriver:CloseWindow", {})
            case ("POST", ["forget"]):
                return marionette.run_privileged(FORGET, command="WebDriver:ExecuteAsyncScript")
            case ("POST", ["stop-workers"]):
                return marionette.run_privileged(STOP_WORKERS, command="WebDriver:ExecuteAsyncScript")
            case ("POST", ["offline"]):
                return marionette.run_privileged("Services.io.offline = arguments[0]", body["offline"])
            case ("POST", ["look"]): return marionette.run_privileged(SET_LOOK, body)
        raise RuntimeError(f"unknown command {self.command} {self.path}")

    def respond(self, status, value):
        body = json.dumps({"value": value}).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


marionette = Marionette()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"started successfully on port {server.server_port}", flush=True)
server.serve_forever()
