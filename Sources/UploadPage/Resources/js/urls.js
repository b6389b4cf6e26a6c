/**
 * The URLs for the parts of an upload, requested in batches shortly before they are used.
 *
 * @module urls
 */
import { isPastExpiry } from "./service.js";

/** A part with a checksum gets its URL alone instead, when its checksum is known. */
export class PartURLs {
  #service;
  #fields;
  #count;
  #next;
  /** Grants or errors by part number. */
  #grants = new Map();
  /** The parts of the next batch, and the promise of its end. */
  #wanted = [];
  #batch;

  /**
   * @param {import("./service.js").Service} service
   * @param {object} options
   * @param {(number: number) => object} options.fields the fields of `POST /presign` for a part.
   * @param {(count: number) => number[]} options.next the parts that will be sent next.
   * @param {number} options.count the number of URLs in a batch.
   */
  constructor(service, { fields, next, count }) {
    this.#service = service;
    this.#fields = fields;
    this.#next = next;
    this.#count = count;
  }

  /** Returns a grant for a part that is valid now. Every grant is returned once. */
  async get(number, wait) {
    const known = this.#take(number);
    if (known && !(known instanceof Error) && !isPastExpiry(known)) return known;
    this.#wanted.push(number);
    await (this.#batch ??= this.#request(wait));
    const grant = this.#take(number);
    if (!(grant instanceof Error)) return grant;
    // For example a rate limit that the batch has reached.
    if (grant.retryable) return this.#service.sign(this.#fields(number), wait);
    throw grant;
  }

  #take(number) {
    const grant = this.#grants.get(number);
    this.#grants.delete(number);
    return grant;
  }

  async #request(wait) {
    // Parts that start together share a batch.
    await new Promise((resolve) => { setTimeout(resolve); });
    const wanted = this.#wanted;
    this.#wanted = [];
    this.#batch = undefined;
    const others = this.#next(this.#count - wanted.length).filter((number) => !this.#grants.has(number));
    const numbers = [...wanted, ...others];
    const grants = await this.#service.signAll(numbers.map(this.#fields), wait);
    numbers.forEach((number, index) => this.#grants.set(number, grants[index]));
  }
}
