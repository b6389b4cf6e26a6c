/**
 * Defects that the simulation must find: a text in a module of presign.js, and what replaces it.
 *
 * @module mutations
 */
export const MUTATIONS = [
  {
    name: "A slot is not released when the request fails", file: "storage.js",
    find: "    } finally {\n      release?.();\n    }", replace: "    } finally {\n    }",
  },
  {
    name: "A waiting request is not woken by a released slot", file: "slots.js",
    find: "    this.#active -= 1;\n    this.#next();", replace: "    this.#active -= 1;",
  },
  {
    name: "A slot is released twice", file: "slots.js",
    find: "      if (isHeld) this.#release(bytes);", replace: "      this.#release(bytes);",
  },
  {
    name: "The last byte of a part is not sent", file: "parts.js",
    find: "Math.min(number * partSize, size)];", replace: "Math.min(number * partSize, size - 1)];",
  },
  {
    name: "A URL is used after its expiry", file: "storage.js",
    find: "if (!this.#grant || isPastExpiry(this.#grant)) {", replace: "if (!this.#grant) {",
  },
  {
    name: "A batch that fails leaves its requests waiting", file: "urls.js",
    find: "resolve(grants[index]), reject));", replace: "resolve(grants[index]), () => {}));",
  },
  {
    name: "Two pages may send the same upload", file: "multipart.js",
    find: "      if (this.#unlock === null) throw activeError();\n", replace: "",
  },
  {
    name: "The list of stored parts is not read before an upload continues", file: "multipart.js",
    find: "if (!this.#isUncertain) await this.#list(run);", replace: "this.#parts.clear();",
  },
  {
    name: "An abort that fails for a moment is forgotten", file: "resumable.js",
    find: "    if (mayPass(error)) return;\n", replace: "",
  },
  {
    name: "An upload is not recorded", file: "multipart.js",
    find: "if (isKept) await records.writeRecord(this.#record);", replace: "",
  },
  {
    name: "The condition is missing when an upload is completed", file: "upload.js",
    find: "complete: { ...this.#condition, contentLength", replace: "complete: { contentLength",
  },
  {
    name: "A request has no timeout", file: "http.js",
    find: "    timer = setTimeout(() => { isLate = true; abort(); }, timeout * 1000);", replace: "",
  },
  {
    name: "The page does not notice that it is online", file: "retry.js",
    find: "addEventListener(\"online\", end = resolve);", replace: "addEventListener(\"offline\", end = resolve);",
  },
  {
    name: "A cancelled request in the queue gets a slot and keeps it", file: "slots.js",
    find: "      if (index >= 0) this.#waiting.splice(index, 1);\n      else this.#release(bytes);",
    replace: "      if (index < 0) this.#release(bytes);",
  },
  {
    name: "A request that is cancelled when its turn comes keeps its slot", file: "slots.js",
    find: "      else this.#release(bytes);\n", replace: "",
  },
  {
    name: "The loss of a completion's response is not checked", file: "multipart.js",
    find: "check: checkCompleted, settle: (error) => this.#settle(run, error),", replace: "check: checkCompleted,",
  },
  {
    name: "A completion that a pause interrupts counts as not performed", file: "multipart.js",
    find: "      if (run.signal.aborted) this.#isUncertain = true;\n", replace: "",
  },
  {
    name: "A paused run is not awaited", file: "transfer.js",
    find: "      await previous;\n", replace: "",
  },
  {
    name: "A pause ends a part that would be sent soon", file: "sending.js",
    find: "if (part.secondsLeft > GRACE) part.giveUp();", replace: "part.giveUp();",
  },
  {
    name: "A pause never ends", file: "transfer.js",
    find: "    finished.then(() => this.#stop(controller));\n", replace: "",
  },
  {
    name: "A cancelled transfer ends again when it is done", file: "transfer.js",
    find: "if (this.#state !== \"cancelled\") this.#end(\"done\"", replace: "this.#end(\"done\"",
  },
  {
    name: "A cancelled transfer ends again when it has failed", file: "transfer.js",
    find: "    if (run.signal.aborted) return;\n    this.error", replace: "    this.error",
  },
  {
    name: "A byte of a download is repeated", file: "download.js",
    find: "piece.subarray(expected.length);", replace: "piece.subarray(expected.length - 1);",
  },
  {
    name: "Parts in flight are not awaited after a failure", file: "sending.js",
    find: "      this.#stop(error);\n      await Promise.allSettled(this.#started);\n",
    replace: "      this.#stop(error);\n",
  },
];
