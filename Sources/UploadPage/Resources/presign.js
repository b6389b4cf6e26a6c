/**
 * Uploads files from a web page directly to S3 or S3-compatible storage, with URLs signed by a presign service.
 * An ES module without dependencies and without user interface: it does not access the document.
 *
 *     import { Presign } from "./presign.js";
 *     const presign = new Presign({ endpoint: "https://presign.example.com", apiKey });
 *     const { path } = await presign.upload(file, { path: "photos/cat.jpg", onProgress, signal });
 *     const url = await presign.downloadURL(path);
 *
 * @module presign
 */

/** The maximum number of attempts for one request. */
const MAX_ATTEMPTS = 4;
/** The maximum number of new URLs for an upload whose URL has expired. */
const MAX_RENEWALS = 3;
/** Milliseconds before the second attempt. The delay doubles with each further attempt. */
const FIRST_DELAY = 300;
/** The maximum Retry-After in seconds. Requests with a longer one are not retried. */
const MAX_RETRY_AFTER = 60;
/** Headers that browsers set themselves and do not let pages set. */
const SET_BY_BROWSERS = new Set(["host", "content-length"]);
/** S3 error codes which mean that the upload was not performed, so it can be retried safely. */
const NOT_PERFORMED = new Set([
  "SlowDown", "ServiceUnavailable", "RequestTimeout", "OperationAborted", "ConditionalRequestConflict",
]);

/**
 * The error of a failed upload or download.
 *
 * @property {"presign"|"storage"|"network"|"file"} source what failed: the service, the storage, the connection to
 *   one of them, or reading the file.
 * @property {string} code a stable code: from the service (such as "forbidden"), from the storage (such as
 *   "EntityTooLarge"), or "PreconditionFailed", "NetworkError", "UnexpectedAnswer", "FileUnreadable",
 *   "ChecksumUnavailable".
 * @property {number} status the HTTP status, or 0 if there was no response.
 * @property {string} detail a description of the error, the same as `message`.
 * @property {string} [recoverySuggestion] the suggested fix, if there is one.
 * @property {{name: string, detail: string}[]} fields the invalid fields of the request.
 * @property {string} [requestId] the id of the request in the logs of the service or the storage.
 * @property {boolean} retryable true if the same call may succeed later and is safe to repeat.
 * @property {number} [retryAfter] seconds to wait before retrying, if the response has a Retry-After header.
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

/** A client for a presign service. */
export class Presign {
  #url;
  #headers;
  #store;

  /**
   * @param {object} options
   * @param {string|URL} options.endpoint the base URL of the service, to which `/presign` is appended.
   * @param {string} [options.apiKey] sent as `Authorization: Bearer`. Anyone who opens the page can read a key in it.
   * @param {() => (HeadersInit|Promise<HeadersInit>)} [options.headers] returns the headers for each request to the
   *   service, for example with a token that expires.
   * @param {string} [options.store] the name of a configured store. Default: the default store.
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
   * Uploads a file. Retries requests that are safe to repeat, and gets a new URL if the URL has expired.
   *
   * @param {Blob} file
   * @param {object} options
   * @param {string} options.path the path of the object.
   * @param {string} [options.contentType] default: the file's type, or application/octet-stream.
   * @param {boolean} [options.overwrite] false never replaces an existing object. A rule can also require that.
   * @param {number} [options.expiresIn] the lifetime of the URL in seconds. Default: the service's default.
   * @param {(progress: {loaded: number, total: number}) => void} [options.onProgress] receives the bytes sent in the
   *   current attempt.
   * @param {(stage: "signing"|"uploading"|"pausing") => void} [options.onStage] receives the current stage.
   * @param {AbortSignal} [options.signal] aborts the upload at any stage. The promise is then rejected with the
   *   signal's reason, an AbortError.
   * @returns {Promise<{path: string, key: string, bucket: string, etag: string|null}>} etag is null if the storage's
   *   CORS rules do not expose it.
   * @throws {PresignError|DOMException}
   */
  async upload(file, { path, contentType, overwrite, expiresIn, onProgress, onStage, signal }) {
    if (!(file instanceof Blob)) throw new TypeError("file: must be a File or a Blob");
    const request = {
      path, method: "PUT", contentType: contentType || file.type || "application/octet-stream",
      contentLength: file.size, ifNoneMatch: overwrite === false ? "*" : undefined, expiresIn,
    };
    let grant;
    for (let attempt = 1, renewals = 0; ;) {
      if (!grant || isPastExpiry(grant)) {
        onStage?.("signing");
        grant = await this.#uploadGrant(file, request, signal);
      }
      onStage?.("uploading");
      try {
        const etag = await put(file, grant, onProgress, signal);
        return { path, key: grant.key, bucket: grant.bucket, etag };
      } catch (error) {
        signal?.throwIfAborted();
        if (renewals < MAX_RENEWALS && hasExpired(error, grant)) {
          renewals += 1;
          grant = undefined;
        } else {
          await delayRetry(error, attempt, signal, onStage);
          attempt += 1;
        }
      }
    }
  }

  /**
   * Returns a URL that downloads an object.
   *
   * @param {string} path
   * @param {object} [options]
   * @param {number} [options.expiresIn] the lifetime of the URL in seconds. Default: the service's default.
   * @param {string} [options.filename] makes browsers save the object under this name instead of displaying it.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<string>}
   * @throws {PresignError|DOMException}
   */
  async downloadURL(path, { expiresIn, filename, signal } = {}) {
    const disposition = filename === undefined ? undefined : attachment(filename);
    const request = { path, method: "GET", expiresIn, responseContentDisposition: disposition };
    return (await this.#presign(request, signal)).url;
  }

  /** Adds a checksum only if a rule requires it, because computing one reads the whole file into memory. */
  async #uploadGrant(file, request, signal) {
    try {
      return await this.#presign(request, signal);
    } catch (error) {
      if (error.status !== 422 || !error.fields.some(isChecksum)) throw error;
      // Users cannot enter a checksum, so report only the other fields.
      error.fields = error.fields.filter((field) => !isChecksum(field));
      if (request.checksumSHA256 || error.fields.length > 0) throw error;
    }
    request.checksumSHA256 = await unlessAborted(sha256(file), signal);
    return this.#presign(request, signal);
  }

  /** Sends `POST /presign` with retries. Signing changes nothing, so it is safe to repeat. */
  async #presign(request, signal) {
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        return await this.#post({ ...request, store: this.#store }, signal);
      } catch (error) {
        signal?.throwIfAborted();
        await delayRetry(error, attempt, signal);
      }
    }
  }

  async #post(request, signal) {
    const headers = new Headers(await unlessAborted(this.#headers(), signal));
    headers.set("content-type", "application/json");
    headers.set("accept", "application/json");
    // Measure the URL's lifetime with the monotonic clock: the computer's wall clock may be wrong by hours.
    const requestedAt = performance.now();
    let response, text;
    try {
      response = await fetch(this.#url, { method: "POST", headers, body: JSON.stringify(request), signal });
      text = await response.text();
    } catch (cause) {
      throw networkError("presign service", this.#url, true, cause);
    }
    // The response may come from a proxy, so check that it is JSON and that the fields have the expected types.
    const body = await new Response(text).json().catch(() => undefined);
    if (!response.ok) throw serviceError(response, body);
    if (!isGrant(body)) {
      throw new PresignError("the response is not from a presign service", {
        source: "presign", code: "UnexpectedAnswer", status: response.status,
        recoverySuggestion: `Check the endpoint: ${this.#url}`,
      });
    }
    return { ...body, expiresAt: requestedAt + body.expiresIn * 1000 };
  }
}

const isChecksum = ({ name }) => name === "checksumSHA256";
const isText = (value) => typeof value === "string";
const isPastExpiry = (grant) => performance.now() >= grant.expiresAt;

/** Returns whether a response body has the fields that are used here. */
function isGrant(body) {
  return isText(body?.url) && URL.canParse(body.url) && isText(body.method) && Number.isFinite(body.expiresIn) &&
    typeof body.headers === "object" && body.headers !== null && Object.values(body.headers).every(isText);
}

/** Returns whether a new URL may help: the storage reports an expired URL, or responds 403 after its expiration. */
function hasExpired(error, grant) {
  if (error.source !== "storage") return false;
  if (error.code === "ExpiredToken" || (error.status === 403 && /\bexpired\b/i.test(error.detail))) return true;
  return error.status === 403 && isPastExpiry(grant);
}

/** Waits before the next attempt, or throws the error if there must not be one. */
async function delayRetry(error, attempt, signal, onStage) {
  if (!error.retryable || attempt >= MAX_ATTEMPTS || error.retryAfter > MAX_RETRY_AFTER) throw error;
  onStage?.("pausing");
  // Jitter prevents pages that failed at the same time from retrying at the same time.
  const backOff = FIRST_DELAY * 2 ** (attempt - 1) * (0.5 + Math.random());
  const milliseconds = Math.max((error.retryAfter ?? 0) * 1000, backOff);
  await unlessAborted(new Promise((resolve) => setTimeout(resolve, milliseconds)), signal);
}

/** Settles like the promise, but rejects as soon as the signal aborts, even if the work itself cannot be stopped. */
function unlessAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end);
    Promise.resolve(promise).then(resolve, reject).finally(() => signal?.removeEventListener("abort", end));
  });
}

/** Sends one PUT with XMLHttpRequest, because fetch does not report upload progress. */
async function put(file, grant, onProgress, signal) {
  const request = new XMLHttpRequest();
  request.open(grant.method, grant.url);
  for (const [name, value] of Object.entries(grant.headers)) {
    if (!SET_BY_BROWSERS.has(name.toLowerCase())) request.setRequestHeader(name, value);
  }
  // A failed request may still have been performed. With If-None-Match, a retry would then fail because the object
  // exists, and the page would report a conflict with its own upload.
  const isConditional = Object.keys(grant.headers).some((name) => name.toLowerCase() === "if-none-match");
  const abort = () => request.abort();
  try {
    await new Promise((resolve, reject) => {
      request.upload.onprogress = ({ loaded }) => onProgress?.({ loaded, total: file.size });
      request.onload = resolve;
      request.onerror = () => reject(networkError("storage", grant.url, !isConditional));
      request.onabort = () => reject(signal?.reason ?? new DOMException("the upload was aborted", "AbortError"));
      signal?.addEventListener("abort", abort);
      // Aborting a request before send() fires no event.
      signal?.throwIfAborted();
      request.send(file);
    });
  } catch (error) {
    signal?.throwIfAborted();
    // If the file was changed or removed after the user chose it, the request fails like a network error.
    await file.slice(0, 1).arrayBuffer().catch((cause) => { throw fileError(cause); });
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
  if (request.status < 200 || request.status > 299) throw storageError(request, isConditional);
  return header(request, "etag");
}

/** Returns a response header or null. getResponseHeader would log an error for headers that CORS does not expose. */
function header(request, name) {
  const lines = request.getAllResponseHeaders().split("\r\n");
  const line = lines.find((line) => line.toLowerCase().startsWith(`${name}:`));
  return line === undefined ? null : line.slice(name.length + 1).trim();
}

/** Converts the service's problem details (RFC 9457) to an error. */
function serviceError(response, problem) {
  const text = (name) => (isText(problem?.[name]) ? problem[name] : undefined);
  const errors = Array.isArray(problem?.errors) ? problem.errors : [];
  return new PresignError(text("detail") ?? `the presign service responded with status ${response.status}`, {
    source: "presign", code: text("code") ?? "UnexpectedAnswer", status: response.status,
    recoverySuggestion: text("recoverySuggestion"), requestId: text("requestId"),
    fields: errors.filter((error) => isText(error?.pointer) && isText(error.detail))
      .map(({ pointer, detail }) => ({ name: fieldName(pointer), detail })),
    retryable: [429, 502, 503, 504].includes(response.status),
    retryAfter: seconds(response.headers.get("retry-after")),
  });
}

/** Returns the name of the field that a JSON pointer (RFC 6901) points to. */
const fieldName = (pointer) => pointer.replace(/^#\/?/, "").replaceAll("~1", "/").replaceAll("~0", "~");

/** Converts S3's XML error to an error. Uses no XML parser, because Trusted Types forbid the browser's. */
function storageError(request, isConditional) {
  const { status, responseText: text } = request;
  const element = (name) => (/^\s*(<\?xml[^>]*\?>\s*)?<Error[\s>]/.test(text)
    ? plain(new RegExp(`<${name}>([^<]{0,1000})</${name}>`).exec(text)?.[1]) : undefined);
  const code = element("Code") ?? `HTTP${status}`;
  // After a proxy's error, the storage may or may not have performed the request. S3's error code is definite.
  const mayBePerformed = [429, 500, 502, 503, 504].includes(status) || code === "InternalError";
  const members = {
    source: "storage", code, status,
    requestId: element("RequestId") ?? header(request, "x-amz-request-id") ?? undefined,
    retryable: NOT_PERFORMED.has(code) || (mayBePerformed && !isConditional),
    retryAfter: seconds(header(request, "retry-after")),
  };
  if (status === 412) {
    return new PresignError("an object already exists at this path", { ...members, code: "PreconditionFailed" });
  }
  return new PresignError(element("Message") || `the storage responded with status ${status}`, members);
}

/** Replaces the predefined XML entities. */
function plain(text) {
  const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'", "#34": '"' };
  return text?.replace(/&(amp|lt|gt|quot|apos|#39|#34);/g, (_, name) => entities[name]);
}

/** Creates the error for a request without response. Browsers hide the reason from pages for security. */
function networkError(server, url, retryable, cause) {
  const { origin } = new URL(url);
  return new PresignError(`no response from the ${server} at ${origin}`, {
    source: "network", code: "NetworkError", retryable, cause,
    recoverySuggestion: `Check the connection, that ${origin} is running, and that its CORS rules allow pages of ` +
      `${location.origin}.`,
  });
}

function fileError(cause) {
  return new PresignError("the file cannot be read", {
    source: "file", code: "FileUnreadable", cause,
    recoverySuggestion: "It was changed, moved or removed after you chose it, or is too large. Choose it again.",
  });
}

/** Returns the file's SHA-256 in base64. */
async function sha256(file) {
  if (!globalThis.crypto?.subtle) {
    throw new PresignError("this page cannot compute the required checksum", {
      source: "file", code: "ChecksumUnavailable", recoverySuggestion: "Open the page over https or on localhost.",
    });
  }
  const content = await file.arrayBuffer().catch((cause) => { throw fileError(cause); });
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", content))));
}

/** Returns `Content-Disposition` for a download (RFC 6266), with an ASCII name for old clients and one in UTF-8. */
function attachment(name) {
  const ascii = name.replace(/[^ -~]|["\\%]/g, "_");
  const octets = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${octets}`;
}

/** Returns `Retry-After` in seconds. Its value is a number or a date (RFC 9110 section 10.2.3). */
function seconds(value) {
  if (!value) return undefined;
  const delay = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}
