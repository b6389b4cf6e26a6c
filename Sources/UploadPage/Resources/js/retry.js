/**
 * When to repeat a request, and how long to wait before.
 *
 * @module retry
 */

/** Milliseconds before the second attempt. The delay doubles with each further attempt. */
const FIRST_DELAY = 300;
/** The maximum delay in milliseconds, unless Retry-After asks for more. */
const MAX_DELAY = 20_000;
/** The maximum delay in milliseconds after more than the default number of retries. */
const MAX_LONG_DELAY = 60_000;
/** The maximum Retry-After in seconds. Requests with a longer one are not repeated. */
const MAX_RETRY_AFTER = 60;
/** The maximum number of retries with a server that has not succeeded yet. The cause may be its CORS rules. */
const FIRST_RETRIES = 3;
/** The default number of retries with a server that has succeeded before: a minute of interruption. */
const RETRIES = 8;

/** The attempts of one request. */
export class Retry {
  #attempt = 0;
  #options;

  /**
   * @param {object} options
   * @param {number} [options.retries] the maximum number of retries. Default: see `isPersistent`.
   * @param {() => boolean} [options.isReached] whether the server has succeeded before.
   * @param {() => boolean} [options.isPersistent] whether to repeat the request without a limit while the server is
   *   unreachable. Otherwise the default is 8 retries.
   * @param {AbortSignal} [options.signal]
   * @param {(reason: "pausing"|"offline"|"online") => void} [options.onWait]
   */
  constructor(options) {
    this.#options = options;
  }

  /** Waits before the next attempt, or throws the error if there must not be one. */
  async after(error) {
    const { signal, onWait } = this.#options;
    signal?.throwIfAborted();
    if (error.source === "network" && isOffline()) {
      // Waiting for the connection is not an attempt.
      await untilOnline(signal, onWait);
      return;
    }
    this.#attempt += 1;
    if (!error.retryable || this.#attempt > this.#limit(error) || error.retryAfter > MAX_RETRY_AFTER) throw error;
    onWait?.("pausing");
    const longest = this.#attempt > RETRIES ? MAX_LONG_DELAY : MAX_DELAY;
    // Jitter prevents pages that failed at the same time from retrying at the same time.
    const backOff = Math.min(longest, FIRST_DELAY * 2 ** (this.#attempt - 1)) * (0.5 + Math.random());
    await sleep(Math.max((error.retryAfter ?? 0) * 1000, backOff), signal);
  }

  #limit(error) {
    const { retries, isReached, isPersistent } = this.#options;
    const limit = retries ?? (isUnreachable(error) && isPersistent?.() ? Infinity : RETRIES);
    return isReached?.() ? limit : Math.min(limit, FIRST_RETRIES);
  }
}

/** Whether the server did not respond, or a gateway responded that it did not. */
const isUnreachable = ({ source, status }) => source === "network" || status === 502 || status === 504;

export const isOffline = () => globalThis.navigator?.onLine === false;

/** Waits until the browser is online. */
export async function untilOnline(signal, onWait) {
  if (!isOffline()) return;
  onWait?.("offline");
  let end;
  const online = new Promise((resolve) => { addEventListener("online", end = resolve); });
  try {
    await unlessAborted(online, signal);
  } finally {
    removeEventListener("online", end);
  }
  onWait?.("online");
}

async function sleep(milliseconds, signal) {
  let timer;
  const time = new Promise((resolve) => { timer = setTimeout(resolve, milliseconds); });
  await unlessAborted(time, signal).finally(() => clearTimeout(timer));
}

/** Settles like the promise, but rejects as soon as the signal aborts, even if the work itself cannot be stopped. */
export function unlessAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end);
    Promise.resolve(promise).then(resolve, reject).finally(() => signal?.removeEventListener("abort", end));
  });
}
