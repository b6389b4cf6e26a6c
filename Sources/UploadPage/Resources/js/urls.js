/**
 * Signed URLs for requests that are known ahead, obtained in batches shortly before they are used.
 *
 * @module urls
 */
import { PresignError } from "./errors.js";
import { unlessAborted } from "./retry.js";
import { isPastExpiry } from "./service.js";

/** The URLs of the parts of a file, or of the small files of a group. Each is identified by a key. */
export class SignedURLs {
  #service;
  #fields;
  #count;
  /** The keys without a URL, in the order in which their requests will be sent. */
  #upcoming = new Set();
  /** Promises of grants or errors that nothing waits for yet, by key. */
  #early = new Map();
  /** The keys of the next batch, and what waits for them. */
  #wanted = new Map();

  /**
   * @param {import("./service.js").Service} service
   * @param {object} options
   * @param {(key: unknown) => object} options.fields returns the fields of `POST /presign` for a key.
   * @param {number} options.count the number of URLs in a batch.
   */
  constructor(service, { fields, count }) {
    this.#service = service;
    this.#fields = fields;
    this.#count = count;
  }

  /** Adds keys to the end of the order. Their URLs are requested with those of earlier ones. */
  expect(keys) {
    for (const key of keys) this.#upcoming.add(key);
  }

  /** Removes a key whose request will not be sent. */
  forget(key) {
    this.#upcoming.delete(key);
    this.#early.delete(key);
  }

  /** Returns a grant for a key that is valid now. Every grant is returned once. */
  async get(key, wait) {
    const early = this.#early.get(key);
    this.forget(key);
    let grant = await unlessAborted(early, wait.signal);
    if (!grant || isPastExpiry(grant)) grant = await this.#fromBatch(key, wait);
    if (!(grant instanceof Error)) return grant;
    // For example a rate limit that the batch has reached.
    if (grant.retryable) return this.#service.sign(this.#fields(key), wait);
    throw grant;
  }

  async #fromBatch(key, wait) {
    for (;;) {
      try {
        return await unlessAborted(this.#request(key, wait), wait.signal);
      } catch (error) {
        wait.signal?.throwIfAborted();
        // A batch has the signal of one upload. When that one ends, the others request another batch.
        if (!(error instanceof PresignError)) continue;
        // The service can refuse a batch as a whole, for example because of its size.
        if (error.source !== "service" || error.retryable || error.status === 401) throw error;
        return this.#service.sign(this.#fields(key), wait);
      }
    }
  }

  #request(key, wait) {
    return new Promise((resolve, reject) => {
      // Requests that start together share a batch. A paused upload that is resumed at once asks for its key again.
      if (this.#wanted.size === 0) setTimeout(() => this.#send());
      this.#wanted.set(key, { wait, resolve, reject });
    });
  }

  #send() {
    const wanted = this.#wanted;
    this.#wanted = new Map();
    const ahead = this.#takeUpcoming(this.#count - wanted.size);
    const waiting = [...wanted.values()];
    const onWait = (reason) => waiting.forEach(({ wait }) => wait.onWait?.(reason));
    const fields = [...wanted.keys(), ...ahead].map(this.#fields);
    const batch = this.#service.signAll(fields, { ...waiting[0].wait, onWait });
    waiting.forEach(({ resolve, reject }, index) => batch.then((grants) => resolve(grants[index]), reject));
    ahead.forEach((key, index) => {
      this.#early.set(key, batch.then((grants) => grants[waiting.length + index], () => undefined));
    });
  }

  #takeUpcoming(count) {
    const taken = [];
    for (const key of this.#upcoming) {
      if (taken.length >= count) break;
      taken.push(key);
    }
    for (const key of taken) this.#upcoming.delete(key);
    return taken;
  }
}
