/**
 * Progress with speed and remaining time.
 *
 * @module progress
 */

/** The period in milliseconds over which the speed is averaged. */
const PERIOD = 5000;
/** The minimum milliseconds between two samples. */
const INTERVAL = 250;
/** Milliseconds without samples after a start: bytes that fill the buffers of the connections are not sent yet. */
const FILLING = 1000;
/** Milliseconds without a speed after a start. */
const SILENCE = 3000;

export class Meter {
  #startedAt;
  #samples = [];

  /**
   * Returns the progress at this moment.
   *
   * @param {number} loaded bytes that the storage has or that were sent.
   * @param {number} total
   * @returns {{loaded: number, total: number, speed: number, secondsLeft: number|null}} speed in bytes per second;
   *   0 and null in the first three seconds.
   */
  progress(loaded, total, now = performance.now()) {
    this.#startedAt ??= now;
    if (now - this.#startedAt < FILLING) return { loaded, total, speed: 0, secondsLeft: null };
    const last = this.#samples.at(-1);
    // Bytes of a failed attempt are sent again; the speed starts anew.
    if (last && loaded < last[1]) this.#samples = [];
    if (!last || now - last[0] >= INTERVAL || this.#samples.length === 0) this.#samples.push([now, loaded]);
    while (this.#samples.length > 1 && this.#samples[0][0] < now - PERIOD) this.#samples.shift();
    const [then, before] = this.#samples[0];
    const isKnown = now > then && now - this.#startedAt >= SILENCE;
    const speed = isKnown ? Math.max(0, (loaded - before) / ((now - then) / 1000)) : 0;
    return { loaded, total, speed, secondsLeft: speed > 0 ? (total - loaded) / speed : null };
  }

  /** Starts anew, for example after a pause. */
  reset() {
    this.#startedAt = undefined;
    this.#samples = [];
  }
}
