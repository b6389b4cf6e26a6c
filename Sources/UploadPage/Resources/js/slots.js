/**
 * The limit on simultaneous requests and on their bytes, which all uploads of a queue share.
 *
 * @module slots
 */
import { unlessAborted } from "./retry.js";

/** The maximum number of bytes in flight. */
export const MAX_BYTES = 256 * 1024 ** 2;

export class Slots {
  #limit;
  #bytes = MAX_BYTES;
  #active = 0;
  /** The requests that wait, in order. */
  #waiting = [];

  /** @param {() => number} limit returns the maximum number of simultaneous requests. */
  constructor(limit) {
    this.#limit = limit;
  }

  /** Waits for a slot. Returns a function that releases it. A request larger than the limit runs alone. */
  async acquire(bytes, signal) {
    signal?.throwIfAborted();
    const request = { bytes };
    const turn = new Promise((resolve) => { request.start = resolve; });
    this.#waiting.push(request);
    this.#next();
    try {
      await unlessAborted(turn, signal);
    } catch (error) {
      const index = this.#waiting.indexOf(request);
      if (index >= 0) this.#waiting.splice(index, 1);
      else this.#release(bytes);
      this.#next();
      throw error;
    }
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(bytes);
      isHeld = false;
    };
  }

  #release(bytes) {
    this.#bytes += bytes;
    this.#active -= 1;
    this.#next();
  }

  #next() {
    while (this.#waiting.length > 0 && this.#active < this.#limit()) {
      const [{ bytes, start }] = this.#waiting;
      if (bytes > this.#bytes && this.#active > 0) return;
      this.#waiting.shift();
      this.#bytes -= bytes;
      this.#active += 1;
      start();
    }
  }
}
