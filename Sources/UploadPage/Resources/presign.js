/**
 * Uploads files from a web page straight to S3 or S3-compatible storage, by URLs that a presign service signs.
 * One ES module with no dependencies. It touches no document, so a page builds what it likes around it.
 *
 *     import { Presign } from "./presign.js";
 *     const presign = new Presign({ endpoint: "https://presign.example.com", apiKey });
 *     const { path } = await presign.upload(file, { path: "photos/cat.jpg", onProgress, signal });
 *     const url = await presign.downloadURL(path);
 *
 * @module presign
 */

/** How often one request is sent at most. */
const TRIES = 4;
/** How often an upload whose URL has expired gets a new one at most. */
const RENEWALS = 3;
/** Milliseconds before the second try; twice as many before each further one. */
const FIRST_PAUSE = 300;
/** The longest Retry-After, in seconds, that is waited for. */
const LONGEST_PAUSE = 60;
/** Headers that browsers set themselves and let no page set. */
const SET_BY_BROWSERS = new Set(["host", "content-length"]);
/** S3's codes of uploads that surely left nothing behind and may be repeated. */
const NOT_DONE = new Set([
  "SlowDown", "ServiceUnavailable", "RequestTimeout", "OperationAborted", "ConditionalRequestConflict",
]);

/**
 * Why an upload or a download could not be had.
 *
 * @property {"presign"|"storage"|"network"|"file"} source who refused: the service, the storage, the way to either,
 *   or the file itself.
 * @property {string} code a stable word: the service's `code` (such as "forbidden"), the storage's (such as
 *   "EntityTooLarge"), or "PreconditionFailed", "NetworkError", "UnexpectedAnswer", "FileUnreadable",
 *   "ChecksumUnavailable".
 * @property {number} status the HTTP status; 0 when there was no answer.
 * @property {string} detail what was wrong this time; `message` is the same text.
 * @property {string} [recoverySuggestion] how to mend it, where that can be said.
 * @property {{name: string, detail: string}[]} fields every member of the request that is to blame.
 * @property {string} [requestId] names the request in the logs of the service or the storage.
 * @property {boolean} retryable true when the same call may succeed later and repeating it does no harm.
 * @property {number} [retryAfter] seconds to wait before that, when the answer says so.
 */
export class PresignError extends Error {
  /** @param {string} detail
   *  @param {object} members the properties above, and `cause` */
  constructor(detail, { cause, ...members }) {
    super(detail, { cause });
    this.name = "PresignError";
    Object.assign(this, { code: "", status: 0, fields: [], retryable: false, detail }, members);
  }
}

/** A presign service, and who calls it. */
export class Presign {
  #url;
  #headers;
  #store;

  /**
   * @param {object} options
   * @param {string|URL} options.endpoint where the service is; `/presign` is put behind it.
   * @param {string} [options.apiKey] sent as `Authorization: Bearer`. A key in a page is anybody's who opens it.
   * @param {() => (HeadersInit|Promise<HeadersInit>)} [options.headers] headers of every request to the service, asked
   *   for each time, so that a token may be renewed.
   * @param {string} [options.store] a configured store; else the default one.
   */
  constructor({ endpoint, apiKey, headers, store }) {
    if (!URL.canParse(endpoint)) throw new TypeError("endpoint: must be an absolute URL, https://presign.example.com");
    const base = new URL(endpoint);
    if (!base.pathname.endsWith("/")) base.pathname += "/";
    this.#url = new URL("presign", base);
    this.#headers = headers ?? (() => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}));
    this.#store = store;
  }

  /**
   * Uploads a file. Tries again what is safe to try again, and asks for a new URL when one has expired.
   *
   * @param {Blob} file
   * @param {object} options
   * @param {string} options.path where it goes.
   * @param {string} [options.contentType] default: the file's type, or application/octet-stream.
   * @param {boolean} [options.overwrite] false: never replace an object. A rule may demand that anyhow.
   * @param {number} [options.expiresIn] seconds the URL lives; default: the service's.
   * @param {(progress: {loaded: number, total: number}) => void} [options.onProgress] bytes sent of this try.
   * @param {(stage: "signing"|"uploading"|"pausing") => void} [options.onStage] what is being done now.
   * @param {AbortSignal} [options.signal] ends it at any stage: the promise is rejected with the signal's reason,
   *   an AbortError.
   * @returns {Promise<{path: string, key: string, bucket: string, etag: string|null}>} etag is null when the storage
   *   does not expose it to pages of this origin.
   * @throws {PresignError|DOMException}
   */
  async upload(file, { path, contentType, overwrite, expiresIn, onProgress, onStage, signal }) {
    if (!(file instanceof Blob)) throw new TypeError("file: must be a File or a Blob");
    const request = {
      path, method: "PUT", contentType: contentType || file.type || "application/octet-stream",
      contentLength: file.size, ifNoneMatch: overwrite === false ? "*" : undefined, expiresIn,
    };
    let grant;
    for (let tries = 1, renewals = 0; ;) {
      if (!grant || isOver(grant)) {
        onStage?.("signing");
        grant = await this.#uploadGrant(file, request, signal);
      }
      onStage?.("uploading");
      try {
        const etag = await put(file, grant, onProgress, signal);
        return { path, key: grant.key, bucket: grant.bucket, etag };
      } catch (error) {
        signal?.throwIfAborted();
        if (renewals < RENEWALS && hasExpired(error, grant)) {
          renewals += 1;
          grant = undefined;
        } else {
          await pauseBeforeNext(error, tries, signal, onStage);
          tries += 1;
        }
      }
    }
  }

  /**
   * A URL that downloads an object.
   *
   * @param {string} path
   * @param {object} [options]
   * @param {number} [options.expiresIn] seconds the URL lives; default: the service's.
   * @param {string} [options.filename] makes browsers save the object under this name instead of showing it.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<string>}
   * @throws {PresignError|DOMException}
   */
  async downloadURL(path, { expiresIn, filename, signal } = {}) {
    const disposition = filename === undefined ? undefined : attachment(filename);
    const request = { path, method: "GET", expiresIn, responseContentDisposition: disposition };
    return (await this.#ask(request, signal)).url;
  }

  /** Some rules demand a checksum. It costs reading the whole file into memory, so it is made only when demanded. */
  async #uploadGrant(file, request, signal) {
    try {
      return await this.#ask(request, signal);
    } catch (error) {
      if (error.status !== 422 || !error.fields.some(isChecksum)) throw error;
      // The page's user cannot give a checksum: that member is our own to mend, the others are theirs.
      error.fields = error.fields.filter((field) => !isChecksum(field));
      if (request.checksumSHA256 || error.fields.length > 0) throw error;
    }
    request.checksumSHA256 = await unlessAborted(sha256(file), signal);
    return this.#ask(request, signal);
  }

  /** `POST /presign`; asking twice does no harm. */
  async #ask(request, signal) {
    for (let tries = 1; ; tries += 1) {
      signal?.throwIfAborted();
      try {
        return await this.#post({ ...request, store: this.#store }, signal);
      } catch (error) {
        signal?.throwIfAborted();
        await pauseBeforeNext(error, tries, signal);
      }
    }
  }

  async #post(request, signal) {
    const headers = new Headers(await unlessAborted(this.#headers(), signal));
    headers.set("content-type", "application/json");
    headers.set("accept", "application/json");
    // The URL's life is counted from here by this clock, which nobody sets: the computer's may be wrong by hours.
    const asked = performance.now();
    let answer, text;
    try {
      answer = await fetch(this.#url, { method: "POST", headers, body: JSON.stringify(request), signal });
      text = await answer.text();
    } catch (cause) {
      throw networkError("presign service", this.#url, true, cause);
    }
    // A proxy between may answer anything: what is no JSON is undefined, and no member is taken for what it should be.
    const body = await new Response(text).json().catch(() => undefined);
    if (!answer.ok) throw serviceError(answer, body);
    if (!isGrant(body)) {
      throw new PresignError("the answer is none of a presign service", {
        source: "presign", code: "UnexpectedAnswer", status: answer.status,
        recoverySuggestion: `Check that the endpoint is right: ${this.#url}`,
      });
    }
    return { ...body, over: asked + body.expiresIn * 1000 };
  }
}

const isChecksum = ({ name }) => name === "checksumSHA256";
const isText = (value) => typeof value === "string";
const isOver = (grant) => performance.now() >= grant.over;

/** True when the answer has what is used of it. */
function isGrant(body) {
  return isText(body?.url) && URL.canParse(body.url) && isText(body.method) && Number.isFinite(body.expiresIn) &&
    typeof body.headers === "object" && body.headers !== null && Object.values(body.headers).every(isText);
}

/** True when a new URL may help: the storage says that this one has expired, or refuses it after its time. */
function hasExpired(error, grant) {
  if (error.source !== "storage") return false;
  if (error.code === "ExpiredToken" || (error.status === 403 && /\bexpired\b/i.test(error.detail))) return true;
  return error.status === 403 && isOver(grant);
}

/** Waits before the next try, or throws the error when there is to be none. */
async function pauseBeforeNext(error, tries, signal, onStage) {
  if (!error.retryable || tries >= TRIES || error.retryAfter > LONGEST_PAUSE) throw error;
  onStage?.("pausing");
  // Jitter keeps many pages that failed together from coming back together.
  const backOff = FIRST_PAUSE * 2 ** (tries - 1) * (0.5 + Math.random());
  const milliseconds = Math.max((error.retryAfter ?? 0) * 1000, backOff);
  await unlessAborted(new Promise((resolve) => setTimeout(resolve, milliseconds)), signal);
}

/** The promise's outcome, unless the signal comes first: not everything can be stopped, but waiting for it can. */
function unlessAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end);
    Promise.resolve(promise).then(resolve, reject).finally(() => signal?.removeEventListener("abort", end));
  });
}

/** One PUT. XMLHttpRequest, since fetch tells no page how much it has sent. */
async function put(file, grant, onProgress, signal) {
  const request = new XMLHttpRequest();
  request.open(grant.method, grant.url);
  for (const [name, value] of Object.entries(grant.headers)) {
    if (!SET_BY_BROWSERS.has(name.toLowerCase())) request.setRequestHeader(name, value);
  }
  // Whether a request that failed was carried out is not known. With If-None-Match a second one would then be refused
  // because of the first, and the page would call its own upload somebody else's.
  const isConditional = Object.keys(grant.headers).some((name) => name.toLowerCase() === "if-none-match");
  const abort = () => request.abort();
  try {
    await new Promise((resolve, reject) => {
      request.upload.onprogress = ({ loaded }) => onProgress?.({ loaded, total: file.size });
      request.onload = resolve;
      request.onerror = () => reject(networkError("storage", grant.url, !isConditional));
      request.onabort = () => reject(signal?.reason ?? new DOMException("the upload was aborted", "AbortError"));
      signal?.addEventListener("abort", abort);
      // What is not yet sent ends without an event.
      signal?.throwIfAborted();
      request.send(file);
    });
  } catch (error) {
    signal?.throwIfAborted();
    // A file that was changed or removed after it was chosen fails like the network does.
    await file.slice(0, 1).arrayBuffer().catch((cause) => { throw fileError(cause); });
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
  if (request.status < 200 || request.status > 299) throw storageError(request, isConditional);
  return header(request, "etag");
}

/** A response's header, or null. Asked for by name, one that CORS hides would be an error in the console. */
function header(request, name) {
  const lines = request.getAllResponseHeaders().split("\r\n");
  const line = lines.find((line) => line.toLowerCase().startsWith(`${name}:`));
  return line === undefined ? null : line.slice(name.length + 1).trim();
}

/** The service's problem details (RFC 9457) as an error. */
function serviceError(answer, problem) {
  const text = (name) => (isText(problem?.[name]) ? problem[name] : undefined);
  const errors = Array.isArray(problem?.errors) ? problem.errors : [];
  return new PresignError(text("detail") ?? `the presign service answered ${answer.status}`, {
    source: "presign", code: text("code") ?? "UnexpectedAnswer", status: answer.status,
    recoverySuggestion: text("recoverySuggestion"), requestId: text("requestId"),
    fields: errors.filter((error) => isText(error?.pointer) && isText(error.detail))
      .map(({ pointer, detail }) => ({ name: memberName(pointer), detail })),
    retryable: [429, 502, 503, 504].includes(answer.status), retryAfter: seconds(answer.headers.get("retry-after")),
  });
}

/** The member that a JSON pointer (RFC 6901) names. */
const memberName = (pointer) => pointer.replace(/^#\/?/, "").replaceAll("~1", "/").replaceAll("~0", "~");

/** S3's XML error as an error. Trusted Types forbid the browser's XML parser; two elements need none. */
function storageError(request, isConditional) {
  const { status, responseText: text } = request;
  const element = (name) => (/^\s*(<\?xml[^>]*\?>\s*)?<Error[\s>]/.test(text)
    ? plain(new RegExp(`<${name}>([^<]{0,1000})</${name}>`).exec(text)?.[1]) : undefined);
  const code = element("Code") ?? `HTTP${status}`;
  // A proxy's answer says nothing of what the storage has done; S3's own code does.
  const mayBeDone = [429, 500, 502, 503, 504].includes(status) || code === "InternalError";
  const members = {
    source: "storage", code, status,
    requestId: element("RequestId") ?? header(request, "x-amz-request-id") ?? undefined,
    retryable: NOT_DONE.has(code) || (mayBeDone && !isConditional),
    retryAfter: seconds(header(request, "retry-after")),
  };
  if (status === 412) {
    return new PresignError("an object is already there", { ...members, code: "PreconditionFailed" });
  }
  return new PresignError(element("Message") || `the storage answered ${status}`, members);
}

/** XML's own entities, and no others. */
function plain(text) {
  const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'", "#34": '"' };
  return text?.replace(/&(amp|lt|gt|quot|apos|#39|#34);/g, (_, name) => entities[name]);
}

/** Nothing came back. Browsers do not tell pages why, lest they scout the network. */
function networkError(whom, url, retryable, cause) {
  const { origin } = new URL(url);
  return new PresignError(`no answer from the ${whom} at ${origin}`, {
    source: "network", code: "NetworkError", retryable, cause,
    recoverySuggestion: `Check the connection, that ${origin} is up, and that its CORS rules allow pages of ` +
      `${location.origin}.`,
  });
}

function fileError(cause) {
  return new PresignError("the file cannot be read", {
    source: "file", code: "FileUnreadable", cause,
    recoverySuggestion: "It was changed, moved or removed after it was chosen, or is too large: choose it again.",
  });
}

/** Base 64 of the file's SHA-256. */
async function sha256(file) {
  if (!globalThis.crypto?.subtle) {
    throw new PresignError("this page cannot compute the checksum that is asked for", {
      source: "file", code: "ChecksumUnavailable", recoverySuggestion: "Open the page over https, or on localhost.",
    });
  }
  const content = await file.arrayBuffer().catch((cause) => { throw fileError(cause); });
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", content))));
}

/** `Content-Disposition` for a download (RFC 6266): a plain name for old clients, the whole one in UTF-8. */
function attachment(name) {
  const ascii = name.replace(/[^ -~]|["\\%]/g, "_");
  const octets = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${octets}`;
}

/** `Retry-After` in seconds: a number, or a date (RFC 9110 section 10.2.3). */
function seconds(value) {
  if (!value) return undefined;
  const given = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(given) ? undefined : Math.max(0, given);
}
