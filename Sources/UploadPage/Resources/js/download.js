/**
 * Downloads that continue after an interruption.
 *
 * @module download
 */
import { PresignError, networkError, storageError, timeoutError } from "./errors.js";
import { pageHeaders } from "./http.js";
import { Retry, unlessAborted, untilOnline } from "./retry.js";
import { TIMEOUT } from "./service.js";

/** The number of bytes that are requested again when a download continues. */
const OVERLAP = 64;

/**
 * Downloads an object into memory, or to a file or stream. An interrupted download continues where it stopped, unless
 * the object has changed.
 *
 * @param {import("./service.js").Service} service
 * @param {string} path
 * @param {object} options those of `download`.
 * @returns {Promise<Blob|undefined>} undefined if there is a target.
 */
export async function download(service, path, { onProgress, to, ...wait }) {
  wait.signal?.throwIfAborted();
  const target = to ? await StreamTarget.open(to) : new MemoryTarget();
  try {
    const type = await receive(service, path, target, onProgress, wait);
    return await target.finish(type);
  } catch (error) {
    target.abort(error);
    throw error;
  }
}

/** Writes an object to a target. Returns its content type. */
async function receive(service, path, target, onProgress, wait) {
  const received = new Received();
  let retry = new Retry(wait), most = 0;
  attempts: for (;;) {
    await untilOnline(wait.signal, wait.onWait);
    const grant = await service.sign({ path, method: "GET" }, wait);
    try {
      const response = await get(grant, { ...pageHeaders(grant), ...received.range }, wait);
      const isAccepted = received.accepts(response);
      if (received.loaded === 0) await target.empty();
      if (!isAccepted) {
        await response.body.cancel();
        continue;
      }
      for await (const piece of pieces(response, grant, wait)) {
        const added = received.append(piece);
        if (!added) continue attempts;
        await unlessAborted(target.write(added), wait.signal);
        // New bytes grant new attempts. Those of a download that starts anew do not, or it might never end.
        if (received.loaded > most) {
          most = received.loaded;
          retry = new Retry({ ...wait, isReached: () => true });
        }
        onProgress?.({ loaded: received.loaded, total: received.total });
      }
      return received.type;
    } catch (error) {
      wait.signal?.throwIfAborted();
      if (!(error instanceof PresignError)) throw error;
      // Nothing follows the bytes that are here: the object is shorter now, or only its end was lost.
      if (error.status === 416 && received.loaded > 0) received.restart();
      else await retry.after(error);
    }
  }
}

/** Holds the content in memory. */
class MemoryTarget {
  #pieces = [];

  async write(piece) { this.#pieces.push(piece); }
  async empty() { this.#pieces = []; }
  async finish(type) { return new Blob(this.#pieces, { type }); }
  abort() {}
}

/** Writes the content to a stream, such as one of a file. */
class StreamTarget {
  #writer;
  #canTruncate;
  #isEmpty = true;

  /** @param {WritableStream|FileSystemFileHandle} to */
  static async open(to) {
    return new StreamTarget(typeof to.createWritable === "function" ? await to.createWritable() : to);
  }

  constructor(stream) {
    // The stream of a file can be emptied.
    this.#canTruncate = typeof stream.truncate === "function";
    this.#writer = stream.getWriter();
  }

  /** Waits until the stream has taken the piece, so that a slow one does not fill the memory. */
  async write(piece) {
    if (piece.length === 0) return;
    this.#isEmpty = false;
    await this.#writer.write(piece);
  }

  async empty() {
    if (this.#isEmpty) return;
    if (!this.#canTruncate) throw changedError();
    await this.#writer.write({ type: "truncate", size: 0 });
    await this.#writer.write({ type: "seek", position: 0 });
    this.#isEmpty = true;
  }

  async finish() { await this.#writer.close(); }

  /** Does not wait: a stream that hangs must not keep the error from the caller. */
  abort(error) { this.#writer.abort(error).catch(() => {}); }
}

/** The error of a download that must start anew but cannot. */
function changedError() {
  return new PresignError("the interrupted download cannot continue, and the stream has received its beginning", {
    source: "storage", code: "ObjectChanged",
    recoverySuggestion: "The object has changed, is encoded, or its ETag is not exposed by the storage's CORS rules. " +
      "Download it again, with another stream or a file handle.",
  });
}

/** What has arrived, and whether the rest can be appended. */
class Received {
  #loaded = 0;
  #total = NaN;
  #type = "";
  /** Without an ETag that the page can read, the download cannot continue. */
  #etag = null;
  /** The last bytes, with which the rest must begin. */
  #tail = new Uint8Array();
  /** Whether the rest is being received, and not all of the last bytes were found in it yet. */
  #isRest = false;
  /** The number of the last bytes that were found in the rest. */
  #found = 0;

  get loaded() { return this.#loaded; }
  get total() { return Number.isNaN(this.#total) ? null : this.#total; }
  get type() { return this.#type; }

  /** The header that requests the rest. */
  get range() { return this.#canContinue ? { range: `bytes=${this.#loaded - this.#tail.length}-` } : {}; }

  get #canContinue() { return this.#loaded > 0 && this.#etag !== null; }

  /** Forgets the content, so that the next request is for the whole object. */
  restart() {
    this.#loaded = 0;
    this.#isRest = false;
  }

  /** Returns whether the pieces of the response can be appended. If not, the object has changed. */
  accepts({ status, headers }) {
    const etag = headers.get("etag");
    // A rest that failed at once is perhaps encoded content that the browser cannot decode from its middle.
    const hasFailed = this.#isRest && this.#found === 0;
    this.#found = 0;
    this.#isRest = status === 206 && this.#canContinue && etag === this.#etag && !hasFailed;
    if (this.#isRest) return true;
    const isUseless = status === 206 && this.#canContinue;
    this.restart();
    if (isUseless) return false;
    // The browser decodes encoded content, so its bytes are not those that the storage counts.
    const isEncoded = headers.has("content-encoding");
    this.#etag = isEncoded ? null : etag;
    this.#type = headers.get("content-type") ?? "";
    this.#total = isEncoded ? NaN : Number(headers.get("content-length") ?? NaN);
    return true;
  }

  /**
   * Returns the bytes to append, or undefined if the rest does not begin with the last bytes: the content is encoded,
   * but the storage's CORS rules do not expose the header that says so.
   */
  append(piece) {
    let added = piece;
    if (this.#isRest) {
      const expected = this.#tail.subarray(this.#found, this.#found + piece.length);
      if (!expected.every((byte, index) => byte === piece[index])) {
        this.restart();
        return undefined;
      }
      this.#found += expected.length;
      added = piece.subarray(expected.length);
      // The first pieces can be shorter than the last bytes.
      if (this.#found < this.#tail.length) return added;
      this.#isRest = false;
    }
    this.#loaded += added.length;
    this.#tail = piece.slice(-OVERLAP);
    return added;
  }
}

/**
 * Requests an object with fetch, whose response can be read while it arrives.
 *
 * @param {object} grant
 * @param {object} headers
 * @param {import("./service.js").Wait} wait
 * @returns {Promise<Response>} for any 2xx status.
 */
export async function get(grant, headers, { signal, timeout = TIMEOUT }) {
  const started = fetch(grant.url, { headers, signal });
  const response = await inTime(started, grant, timeout).catch((cause) => {
    // A response that arrives too late must not keep its connection.
    started.then(({ body }) => body?.cancel()).catch(() => {});
    throw failure(cause, grant, signal);
  });
  if (response.ok) return response;
  const text = await inTime(response.text(), grant, timeout).catch(() => "");
  throw storageError({ status: response.status, text, header: (name) => response.headers.get(name) });
}

/** Reads the content of a response piece by piece. */
export async function* pieces(response, grant, { signal, timeout = TIMEOUT }) {
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), grant, timeout);
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw failure(cause, grant, signal);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Settles like the promise, but fails after a number of seconds. */
async function inTime(promise, grant, timeout) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(timeoutError("storage", grant.url, timeout)), timeout * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function failure(cause, grant, signal) {
  signal?.throwIfAborted();
  return cause instanceof PresignError ? cause : networkError("storage", grant.url, cause);
}
