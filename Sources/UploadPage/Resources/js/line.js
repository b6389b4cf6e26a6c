/**
 * Whether a few connections fill the line to the storage.
 *
 * @module line
 */

/** The number of parts at a time on a full line. */
export const FEW = 2;
/** A trial begins only if each of all parts needs more than these seconds. */
const SLOW = 5;
/** The maximum share of a file whose bytes a trial sends again. */
const MAX_COST = 0.04;
/** Milliseconds until connections have a steady rate, of one measurement, and of the measurement of few parts. */
const SETTLING = 250, SPAN = 200, LONG_SPAN = 800;
/** The ratio of two rates, one after the other, above which connections are still getting faster. */
const MAX_GAIN = 1.25;
/** The share of the rate of all parts that few must have on a full line. */
const FULL = 0.7;
/** Milliseconds after which a full line is tried again. */
const MAX_AGE = 300_000;

const sleep = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

export class Line {
  #fullUntil = 0;

  /** Whether more parts at a time would only take longer each. A reload loses the parts in flight. */
  get isFull() { return performance.now() < this.#fullUntil; }

  /**
   * Sends few parts for a moment, and compares their rate with the one of all.
   *
   * @param {object} sender
   * @param {number} sender.sent the bytes sent so far.
   * @param {boolean} sender.isOver whether nothing is sent any more.
   * @param {{parts: number, cost: number}} sender.reduction the number of parts that are sent, and the share of the
   *   file that is sent again if only few go on.
   * @param {number} sender.partSize
   * @param {() => void} sender.reduce ends all parts but few while the line is full.
   * @param {() => void} sender.fill sends as many parts as the line allows.
   */
  async tryFew(sender) {
    const rateOver = async (span) => {
      const before = sender.sent;
      await sleep(span);
      return (sender.sent - before) / span;
    };
    await sleep(SETTLING);
    if (sender.isOver) return;
    const first = await rateOver(SPAN), rate = await rateOver(SPAN);
    const { parts, cost } = sender.reduction;
    const isSlow = rate * SLOW * 1000 < parts * sender.partSize;
    if (parts <= FEW || !isSlow || rate > first * MAX_GAIN || cost > MAX_COST) return;
    this.#fullUntil = Infinity;
    sender.reduce();
    await sleep(SETTLING);
    const isFull = await rateOver(LONG_SPAN) >= rate * FULL;
    this.#fullUntil = isFull ? performance.now() + MAX_AGE : 0;
    sender.fill();
  }
}
