/**
 * Progress with speed and remaining time.
 *
 * @module progress
 */

/** The period in milliseconds over which the speed is averaged. */
const PERIOD = 5000;
/** The minimum milliseconds between two samples. */
const INTERVAL = 250;

export class Meter {
  #samples = [];

  /**
   * Returns the progress at this moment.
   *
   * @param {number} loaded bytes that the storage has or that were sent.
   * @param {number} total
   * @returns {{loaded: number, total: number, speed: number, secondsLeft: number|null}} speed in bytes per second.
   */
  progress(loaded, total, now = performance.now()) {
    const last = this.#samples.at(-1);
    // Bytes of a failed attempt are sent again; the speed starts anew.
    if (last && loaded < last[1]) this.#samples = [];
    if (!last || now - last[0] >= INTERVAL || this.#samples.length === 0) this.#samples.push([now, loaded]);
    while (this.#samples.length > 1 && this.#samples[0][0] < now - PERIOD) this.#samples.shift();
    const [then, before] = this.#samples[0];
    const speed = now > then ? Math.max(0, (loaded - before) / ((now - then) / 1000)) : 0;
    return { loaded, total, speed, secondsLeft: speed > 0 ? (total - loaded) / speed : null };
  }

  /** Forgets the speed, for example after a pause. */
  reset() {
    this.#samples = [];
  }
}
