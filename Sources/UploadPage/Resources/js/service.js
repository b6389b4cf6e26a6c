/**
 * Requests to the presign service.
 *
 * @module service
 */
import { PresignError, isText, networkError, serviceError, timeoutError } from "./errors.js";
import { Retry, isOffline, unlessAborted } from "./retry.js";

/** The default seconds without progress after which a request fails. */
export const TIMEOUT = 60;
/** A URL that expires within this many milliseconds, or within a fifth of its lifetime, is not used any more. */
const MARGIN = 5000;

/**
 * How a request waits: `signal` aborts it, `retries` limits its retries, `timeout` is in seconds, `onWait` receives
 * why it waits.
 *
 * @typedef {{signal?: AbortSignal, retries?: number, timeout?: number, onWait?: (reason: string) => void}} Wait
 */

export class Service {
  /** The origins of storages that have responded with success. */
  reachedStorages = new Set();
  #isReached = false;
  #base;
  #headers;
  /** Whether the service has GET /permissions; undefined until it is known. */
  #hasPermissions;

  /** @param {object} options those of `Presign`. */
  constructor({ endpoint, apiKey, headers, store }) {
    if (!URL.canParse(endpoint)) throw new TypeError("endpoint: must be an absolute URL, https://presign.example.com");
    this.#base = new URL(endpoint);
    if (!this.#base.pathname.endsWith("/")) this.#base.pathname += "/";
    this.#headers = headers ?? (() => (apiKey ? { authorization: `Bearer ${apiKey}` } : {}));
    this.store = store;
  }

  /** The endpoint and the store, which together tell uploads to different targets apart. */
  get id() { return JSON.stringify([this.#base.href, this.store ?? ""]); }

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
   * Returns what the caller may do at a path, or undefined if the service does not tell.
   *
   * @returns {Promise<object|undefined>} the member `actions` of `GET /permissions`.
   */
  async permissions(path, wait) {
    return this.#ask("actions", path, wait);
  }

  /**
   * Returns who the service takes the caller for, or undefined if the service does not tell.
   *
   * @returns {Promise<object|undefined>} the member `caller` of `GET /permissions`.
   */
  async caller(wait) {
    return this.#ask("caller", "", wait);
  }

  async #ask(member, path, wait) {
    if (this.#hasPermissions === false) return undefined;
    const query = new URLSearchParams({ path });
    if (this.store !== undefined) query.set("store", this.store);
    // An older service responds 404. A page of another origin cannot read that, so it looks like a network error.
    const isCrossOrigin = this.#base.origin !== globalThis.location?.origin;
    const mayBeHidden = ({ code }) => code === "NetworkError" && isCrossOrigin && !this.#hasPermissions && !isOffline();
    const isOld = (error) => [404, 405].includes(error.status) || mayBeHidden(error);
    try {
      const { body } = await this.#request(`permissions?${query}`, undefined, wait, isOld);
      this.#hasPermissions = true;
      return typeof body[member] === "object" && body[member] !== null ? body[member] : undefined;
    } catch (error) {
      if (!isOld(error)) throw error;
      if (error.source !== "network" || this.#isReached) this.#hasPermissions = false;
      return undefined;
    }
  }

  async #request(path, body, wait = {}, isFinal = () => false) {
    const url = new URL(path, this.#base);
    const retry = new Retry({ ...wait, isReached: () => this.#isReached });
    for (;;) {
      wait.signal?.throwIfAborted();
      try {
        const response = await this.#send(url, body, wait);
        this.#isReached = true;
        return response;
      } catch (error) {
        wait.signal?.throwIfAborted();
        if (isFinal(error)) throw error;
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
    if (typeof body !== "object" || body === null) throw this.#foreign(response.status);
    return { body, requestedAt };
  }

  #grant(body, requestedAt) {
    if (!isGrant(body)) throw this.#foreign(200);
    const lifetime = body.expiresIn * 1000;
    return { ...body, deadline: requestedAt + lifetime - Math.min(MARGIN, lifetime / 5) };
  }

  #foreign(status) {
    return new PresignError("the response is not from a presign service", {
      source: "presign", code: "UnexpectedAnswer", status,
      recoverySuggestion: `Check the endpoint: ${this.#base}`,
    });
  }
}

export const isPastExpiry = (grant) => performance.now() >= grant.deadline;

/** Returns whether a response body has the fields that are used here. */
function isGrant(body) {
  return isText(body?.url) && URL.canParse(body.url) && isText(body.method) && Number.isFinite(body.expiresIn) &&
    typeof body.headers === "object" && body.headers !== null && Object.values(body.headers).every(isText);
}
