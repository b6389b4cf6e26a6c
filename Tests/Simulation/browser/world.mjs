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
  /** When the computer has slept last, and for how long altogether. */
  sleptAt = -Infinity;
  slept = 0;
  /** The page and the path of the last moment. */
  subject = {};
  /** The paths of unfinished uploads that a page is removing. */
  removed = new Set();
  /** How often each moment has come. Actions can happen at one, for example when the third part is stored. */
  #moments = new Map();
  #queue = [];
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
    this.slept += duration;
    this.sleptAt = this.now;
  }

  /** Notes that a moment has come: "event" at every event, others at those that defects depend on. */
  reach(moment, subject = {}) {
    this.subject = subject;
    this.#moments.set(moment, this.count(moment) + 1);
  }

  /** How often a moment has come. */
  count(moment) { return this.#moments.get(moment) ?? 0; }

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
   * Runs events until none is left, or only events after a time, or until something is due.
   *
   * @param {number} [end] milliseconds since the start of the run.
   * @param {() => boolean} [isDue]
   */
  async run(end = Infinity, isDue = () => false) {
    await settled();
    this.#throwViolation();
    while (!isDue() && this.#queue.length > 0 && this.#queue[0].at < end) {
      const { at, action, page } = this.#queue.shift();
      if (page?.isClosed) continue;
      this.now = Math.max(this.now, at);
      this.reach("event");
      if (this.count("event") > MAX_EVENTS) this.fail(`more than ${MAX_EVENTS} events: something repeats without end`);
      try {
        action();
      } catch (error) {
        this.fail(`uncaught: ${error.stack}`);
      }
      await settled();
      this.#throwViolation();
    }
    if (end !== Infinity && !isDue()) this.now = Math.max(this.now, end);
  }

  #throwViolation() {
    if (this.#violation) throw this.#violation;
  }
}

/** Lets all promise reactions run. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });
