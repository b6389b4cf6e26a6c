/**
 * The URLs for the parts of an upload, requested in batches shortly before they are used.
 *
 * @module urls
 */
import { isPastExpiry } from "./service.js";

/** Uploads of one part. A part that is signed with a checksum gets its URL alone, when its checksum is known. */
export class PartURLs {
  #service;
  #fields;
  #count;
  #next;
  /** Promises of grants or errors by part number. */
  #grants = new Map();

  /**
   * @param {import("./service.js").Service} service
   * @param {object} options
   * @param {(number: number) => object} options.fields the fields of `POST /presign` for a part.
   * @param {(number: number, count: number) => number[]} options.next the parts that will be sent after this one.
   * @param {number} options.count the number of URLs in a batch.
   */
  constructor(service, { fields, next, count }) {
    this.#service = service;
    this.#fields = fields;
    this.#next = next;
    this.#count = count;
  }

  /** Returns a grant for a part that is valid now. Every grant is used once. */
  async get(number, wait) {
    const known = this.#grants.get(number);
    this.#grants.delete(number);
    const grant = await known?.catch(() => undefined);
    if (grant && !(grant instanceof Error) && !isPastExpiry(grant)) return grant;
    return this.#request(number, wait);
  }

  async #request(number, wait) {
    const others = this.#next(number, this.#count - 1).filter((other) => !this.#grants.has(other));
    const numbers = [number, ...others];
    const batch = this.#service.signAll(numbers.map(this.#fields), wait);
    others.forEach((other, index) => {
      const grant = batch.then((results) => results[index + 1]);
      grant.catch(() => {});
      this.#grants.set(other, grant);
    });
    const [grant] = await batch;
    if (!(grant instanceof Error)) return grant;
    // For example a rate limit that the batch has reached.
    if (grant.retryable) return this.#service.sign(this.#fields(number), wait);
    throw grant;
  }
}
