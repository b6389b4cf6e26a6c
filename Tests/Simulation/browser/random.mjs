/**
 * Random numbers that a seed determines.
 *
 * @module random
 */

export class Random {
  #state;

  /** @param {number} seed an integer. */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** Returns a generator of its own, so that one subsystem's choices do not depend on how often another one chooses. */
  fork() {
    return new Random(this.#bits());
  }

  /** Returns a number from 0 to 1, without 1. */
  next() {
    return this.#bits() / 2 ** 32;
  }

  /** Returns an integer from 0 to `count`, without `count`. */
  below(count) {
    return Math.floor(this.next() * count);
  }

  /** Returns an integer from `least` to `most`, both included. */
  integer(least, most) {
    return least + this.below(most - least + 1);
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** Returns a duration in milliseconds. Each order of magnitude is equally likely, because both ends find defects. */
  duration(least, most) {
    return least * (most / least) ** this.next();
  }

  // splitmix32: a counter whose bits are mixed.
  #bits() {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return (bits ^ (bits >>> 15)) >>> 0;
  }
}
