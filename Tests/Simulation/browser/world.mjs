/**
 * Time and the order of events. Everything that happens outside the code under test is an event in one queue.
 *
 * @module world
 */

/** The number of events after which a run counts as endless. */
const MAX_EVENTS = 200_000;

/** A property that does not hold. It ends the run. */
export class Violation extends Error {}

export class World {
  /** Milliseconds since the start of the run. */
  now = 0;
  /** What has happened, one line per event. */
  history = [];
  /** When the computer has slept last. */
  sleptAt = -Infinity;
  #queue = [];
  #count = 0;
  #violation;

  /**
   * Schedules an event. A page's events do not happen after its end.
   *
   * @param {number} delay in milliseconds.
   * @param {() => void} action
   * @param {{isClosed: boolean}} [page] the page to which the event belongs.
   */
  after(delay, action, page) {
    const event = { at: this.now + delay, action, page };
    let index = this.#queue.length;
    while (index > 0 && this.#queue[index - 1].at > event.at) index -= 1;
    this.#queue.splice(index, 0, event);
    return event;
  }

  cancel(event) {
    const index = this.#queue.indexOf(event);
    if (index >= 0) this.#queue.splice(index, 1);
  }

  /** Lets time pass without events: the computer sleeps. */
  sleep(duration) {
    this.now += duration;
    this.sleptAt = this.now;
  }

  note(text) {
    this.history.push(`${(this.now / 1000).toFixed(3).padStart(10)}  ${text}`);
  }

  /** Records a violation, also from code whose exceptions the code under test would catch. */
  fail(text) {
    this.note(`VIOLATION: ${text}`);
    this.#violation ??= new Violation(text);
  }

  check(condition, text) {
    if (!condition) this.fail(typeof text === "function" ? text() : text);
  }

  /**
   * Runs events until none is left, or only events after a time, or until a number of events has happened in the run.
   *
   * @returns {Promise<boolean>} whether that number is reached.
   */
  async run(end = Infinity, count = Infinity) {
    await settled();
    this.#throwViolation();
    while (this.#queue.length > 0 && this.#queue[0].at < end && this.#count < count) {
      const { at, action, page } = this.#queue.shift();
      if (page?.isClosed) continue;
      this.now = Math.max(this.now, at);
      this.#count += 1;
      if (this.#count > MAX_EVENTS) this.fail(`more than ${MAX_EVENTS} events: something repeats without end`);
      try {
        action();
      } catch (error) {
        this.fail(`uncaught: ${error.stack}`);
      }
      await settled();
      this.#throwViolation();
    }
    if (this.#count >= count) return true;
    if (end !== Infinity) this.now = Math.max(this.now, end);
    return false;
  }

  get eventCount() { return this.#count; }

  #throwViolation() {
    if (this.#violation) throw this.#violation;
  }
}

/** Lets all promise reactions run. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });
