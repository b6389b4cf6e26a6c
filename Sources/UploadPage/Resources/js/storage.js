/**
 * Requests to the storage with signed URLs, repeated where that is safe.
 *
 * @module storage
 */
import { PresignError } from "./errors.js";
import { send } from "./http.js";
import { Retry, untilOnline } from "./retry.js";
import { TIMEOUT, isPastExpiry } from "./service.js";

/** The maximum number of new URLs for a request whose URL has expired. */
const MAX_RENEWALS = 3;
/** S3 error codes which mean that the credentials of a URL have ended. The service may have others by now. */
const CREDENTIALS_ENDED = new Set(["ExpiredToken", "InvalidAccessKeyId", "InvalidToken", "TokenRefreshRequired"]);

/**
 * Sends a request to the storage. Gets a new URL when the URL has expired, and repeats the request after failures.
 *
 * @param {import("./service.js").Service} service
 * @param {object} request
 * @param {() => Promise<object>} request.sign returns a grant; called again when its URL has expired.
 * @param {Blob|string} [request.body]
 * @param {import("./slots.js").Slots} [request.slots] limit the attempts that run at the same time.
 * @param {(loaded: number) => void} [request.onProgress] receives the bytes sent in the current attempt.
 * @param {() => void} [request.onSent] called when all bytes are sent. The slot is then free before the response.
 * @param {(stage: string) => void} [request.onStage] receives "signing" and "uploading". After a failure, it receives
 *   "uploading" when bytes are sent again.
 * @param {(response: object) => object} [request.check] returns the response or throws the error that is in it.
 * @param {(error: Error, grant: object) => Promise<object|undefined>} [request.settle] returns the result if a failed
 *   request turns out to have succeeded, returns undefined if it may be repeated, or throws.
 * @param {import("./service.js").Wait} [wait]
 * @returns {Promise<{grant: object, response: object}>}
 */
export async function perform(service, request, wait = {}) {
  const { onProgress, settle } = request;
  const { signal } = wait;
  const attempts = new Attempts(service, request, wait);
  let renewals = 0;
  for (;;) {
    await untilOnline(signal, wait.onWait);
    const { grant, response, error } = await attempts.next();
    if (!error) return { grant, response };
    signal?.throwIfAborted();
    if (!(error instanceof PresignError)) throw error;
    onProgress?.(0);
    if (renewals < MAX_RENEWALS && hasExpired(error, grant)) {
      renewals += 1;
      attempts.forgetURL();
      continue;
    }
    const settled = await settle?.(error, grant);
    if (settled !== undefined) return settled;
    await attempts.pause(error);
  }
}

/** The attempts of one request. */
class Attempts {
  #service;
  #request;
  #wait;
  #grant;
  #retry;
  /** Whether the last attempt has failed and no byte was sent since. */
  #isFailing = false;

  constructor(service, request, wait) {
    this.#service = service;
    this.#request = request;
    this.#wait = wait;
    const { reachedStorages } = service;
    this.#retry = new Retry({
      ...wait, isReached: () => reachedStorages.has(this.#origin),
      // CORS rules can allow some methods only, so success with another method proves less.
      isPersistent: () => wait.isPersistent && reachedStorages.has(`${this.#grant.method} ${this.#origin}`),
    });
  }

  get #origin() { return new URL(this.#grant.url).origin; }

  /** Sends the request. Returns the response or the error of the storage; throws an error of the service. */
  async next() {
    const { sign, body, slots, onSent, check = (response) => response } = this.#request;
    const { signal, timeout = TIMEOUT } = this.#wait;
    const release = await slots?.acquire(body.size, signal);
    try {
      if (!this.#grant || isPastExpiry(this.#grant)) {
        this.#report("signing");
        this.#grant = await sign();
      }
      const grant = this.#grant;
      this.#report("uploading");
      const sent = onSent && (() => {
        release?.();
        onSent();
      });
      const onProgress = (loaded) => this.#progress(loaded);
      return await send({ grant, body, timeout, signal, onProgress, onSent: sent }).then(check).then((response) => {
        this.#service.reachedStorages.add(this.#origin).add(`${grant.method} ${this.#origin}`);
        return { grant, response };
      }, (error) => ({ grant, error }));
    } finally {
      release?.();
    }
  }

  /** Lets the next attempt use a new URL. */
  forgetURL() {
    this.#grant = undefined;
  }

  /** Waits before the next attempt, or throws the error if there must not be one. */
  async pause(error) {
    this.#isFailing = true;
    await this.#retry.after(error);
  }

  #progress(loaded) {
    if (loaded > 0 && this.#isFailing) {
      this.#isFailing = false;
      this.#report("uploading");
    }
    this.#request.onProgress?.(loaded);
  }

  /** An attempt that can fail like the one before does not change what is told. */
  #report(stage) {
    if (!this.#isFailing) this.#request.onStage?.(stage);
  }
}

/** Returns whether a new URL may help: the URL or its credentials have ended. */
function hasExpired(error, grant) {
  if (error.source !== "storage") return false;
  if (CREDENTIALS_ENDED.has(error.code) || (error.status === 403 && /\bexpired\b/i.test(error.detail))) return true;
  return error.status === 403 && isPastExpiry(grant);
}
