/**
 * Requests to the presign service.
 *
 * @module service
 */
import { PresignError, isText, networkError, serviceError, timeoutError } from "./errors.js";
import { LastListing } from "./listed.js";
import { PermissionCache } from "./permissions.js";
import { Retry, unlessAborted } from "./retry.js";

/** The default seconds without progress after which a request fails. */
export const TIMEOUT = 60;
/** A URL that expires within this many milliseconds, or within a fifth of its lifetime, is not used any more. */
const MARGIN = 5000;
/** The number of connections that browsers open to a host over HTTP/1.1. */
const MAX_CONNECTIONS = 6;

/**
 * How a request waits.
 *
 * @typedef {object} Wait
 * @property {AbortSignal} [signal] aborts the request.
 * @property {number} [retries] the maximum number of retries.
 * @property {number} [timeout] seconds without progress after which an attempt fails.
 * @property {boolean} [isPersistent] whether to wait without a limit for a server that has succeeded before.
 * @property {(reason: "pausing"|"offline"|"online") => void} [onWait] receives why the request waits.
 */

export class Service {
  /** The origins of storages that have responded with success, and with which methods: `PUT https://...`. */
  reachedStorages = new Set();
  /** @type {import("./line.js").Line|undefined} the line to the storage, since the first upload in parts. */
  line;
  /** The names in the folder that the page has listed last. */
  listing = new LastListing();
  #isReached = false;
  #base;
  #headers;
  #permissions = new PermissionCache();
  #sharesOrigin = false;

  /** @param {object} options those of `Presign`. */
  constructor({ endpoint, apiKey, headers, store }) {
    this.#base = absoluteURL(endpoint);
    if (!this.#base) throw new TypeError("endpoint: must be an absolute URL, https://presign.example.com");
    if (!this.#base.pathname.endsWith("/")) this.#base.pathname += "/";
    this.#headers = headers ?? (() => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}));
    this.store = store;
  }

  /** The endpoint and the store, which together tell uploads to different targets apart. */
  get id() { return JSON.stringify([this.#base.href, this.store ?? ""]); }

  /** The base URL of the service, which ends in "/". */
  get endpoint() { return this.#base.href; }

  /** Returns the names and values of the headers of a request to the service. */
  async headers() { return [...new Headers(await this.#headers())]; }

  /** The number of requests to send to the storage at the same time. One connection stays free for the service. */
  get connections() { return this.#sharesOrigin ? MAX_CONNECTIONS - 1 : MAX_CONNECTIONS; }

  /**
   * Requests one URL. Signing changes nothing, so it is safe to repeat.
   *
   * @param {object} fields the fields of `POST /presign`.
   * @param {Wait} [wait]
   * @returns {Promise<object>} the response, with `deadline`: when to stop using the URL, in milliseconds of the
   *   monotonic clock.
   */
  async sign(fields, wait) {
    const { body, requestedAt } = await this.#request("presign", { ...fields, store: this.store }, wait);
    return this.#grant(body, requestedAt);
  }

  /** Makes a share link. Making one changes nothing, so it is safe to repeat. */
  async share(fields, wait) {
    const { body } = await this.#request("presign", { ...fields, share: true, store: this.store }, wait);
    if (!isText(body.url) || !isText(body.id)) throw this.#foreign(200);
    return body;
  }

  /** Requests several URLs at once. Returns a grant or an error for each. */
  async signAll(requests, wait) {
    const items = requests.map((fields) => ({ ...fields, store: this.store }));
    const { body, requestedAt } = await this.#request("presign/batch", { requests: items }, wait);
    if (!Array.isArray(body?.results) || body.results.length !== requests.length) throw this.#foreign(200);
    return body.results.map((result) => {
      if (!result?.error) return this.#grant(result, requestedAt);
      return serviceError(result.error.status ?? 0, result.error.retryAfter, result.error);
    });
  }

  /**
   * Returns what the caller may do at a path.
   *
   * @returns {Promise<object>} the member `actions` of `GET /permissions`.
   */
  async permissions(path, wait) {
    const { actions } = await this.#ask({ path }, wait);
    if (!isObject(actions)) throw this.#foreign(200);
    return actions;
  }

  /**
   * Returns what the caller may do at a path, or what it could do a moment ago with another file of the same type in
   * the folder. Enough to plan an upload, because the service decides when it signs.
   *
   * @returns {Promise<{actions: object, isExact: boolean}>}
   */
  async likelyPermissions(path, wait) {
    const caller = JSON.stringify([...new Headers(await unlessAborted(this.#headers(), wait.signal))]);
    return this.#permissions.get(path, caller, () => this.permissions(path, wait), wait.signal);
  }

  /**
   * Returns who the service takes the caller for.
   *
   * @returns {Promise<object>} the member `caller` of `GET /permissions`.
   */
  async caller(wait) {
    const { caller } = await this.#ask({ path: "" }, wait);
    if (!isObject(caller)) throw this.#foreign(200);
    return caller;
  }

  /**
   * Returns the folders at which the caller can start.
   *
   * @returns {Promise<{folders: string[], areTruncated: boolean}>} prefixes, each empty or with a slash at its end, and
   *   whether there can be more.
   */
  async roots(wait) {
    const { roots, rootsTruncated } = await this.#ask({}, wait);
    if (!Array.isArray(roots)) throw this.#foreign(200);
    return { folders: roots, areTruncated: rootsTruncated === true };
  }

  async #ask(query, wait) {
    const parameters = new URLSearchParams(this.store === undefined ? query : { ...query, store: this.store });
    const { body } = await this.#request(`permissions?${parameters}`, undefined, wait);
    return body;
  }

  async #request(path, body, wait = {}) {
    const url = new URL(path, this.#base);
    const isReached = () => this.#isReached;
    const retry = new Retry({ ...wait, isReached, isPersistent: () => wait.isPersistent && this.#isReached });
    for (;;) {
      wait.signal?.throwIfAborted();
      try {
        const response = await this.#send(url, body, wait);
        this.#isReached = true;
        return response;
      } catch (error) {
        wait.signal?.throwIfAborted();
        await retry.after(error);
      }
    }
  }

  async #send(url, fields, { signal, timeout = TIMEOUT }) {
    const headers = new Headers(await unlessAborted(this.#headers(), signal));
    headers.set("accept", "application/json");
    if (fields) headers.set("content-type", "application/json");
    // Measure the URL's lifetime with the monotonic clock: the computer's wall clock may be wrong by hours.
    const requestedAt = performance.now();
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timer = setTimeout(abort, timeout * 1000);
    signal?.addEventListener("abort", abort);
    let response, text;
    try {
      signal?.throwIfAborted();
      response = await fetch(url, {
        method: fields ? "POST" : "GET", headers, body: JSON.stringify(fields), signal: controller.signal,
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      if (controller.signal.aborted) throw timeoutError("presign service", url, timeout);
      throw networkError("presign service", url, cause);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
    // The response may come from a proxy, so check that it is JSON and that the fields have the expected types.
    const body = await new Response(text).json().catch(() => undefined);
    if (!response.ok) throw serviceError(response.status, response.headers.get("retry-after"), body);
    if (!isObject(body)) throw this.#foreign(response.status);
    return { body, requestedAt };
  }

  #grant(body, requestedAt) {
    if (!isGrant(body)) throw this.#foreign(200);
    this.#sharesOrigin ||= new URL(body.url).origin === this.#base.origin;
    const lifetime = body.expiresIn * 1000;
    return { ...body, deadline: requestedAt + lifetime - Math.min(MARGIN, lifetime / 5) };
  }

  #foreign(status) {
    return new PresignError("the response is not from a presign service", {
      source: "service", code: "UnexpectedResponse", status,
      recoverySuggestion: `Check the endpoint: ${this.#base}`,
    });
  }
}

/** Returns the URL, or undefined if it is not absolute. `URL.canParse` is missing in browsers of 2022. */
function absoluteURL(text) {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

const isObject = (value) => typeof value === "object" && value !== null;

export const isPastExpiry = (grant) => performance.now() >= grant.deadline;

/** Returns whether a response body has the fields that are used here. */
function isGrant(body) {
  return isText(body?.url) && absoluteURL(body.url) && isText(body.method) && Number.isFinite(body.expiresIn) &&
    isObject(body.headers) && Object.values(body.headers).every(isText);
}
