/**
 * The Web Locks of an origin: at most one page holds a name.
 *
 * @module locks
 */

export class Locks {
  #world;
  #random;
  /** The requests for each name in their order; the first one holds it or is about to. */
  #requests = new Map();

  constructor(world, random) {
    this.#world = world;
    this.#random = random;
  }

  /** Returns `navigator.locks` of a page. */
  manager(page) {
    return { request: (name, { signal }, callback) => this.#request(page, name, signal, callback) };
  }

  /** The browser releases the locks of a page that has ended. */
  pageEnded(page) {
    for (const [name, requests] of this.#requests) {
      for (const request of requests.filter((one) => one.page === page)) this.#remove(name, request);
    }
  }

  #request(page, name, signal, callback) {
    this.#world.reach("lock", { page });
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const request = { page, isGranted: false };
      request.grant = () => {
        request.isGranted = true;
        Promise.resolve(callback()).finally(() => this.#remove(name, request)).then(resolve, reject);
      };
      signal?.addEventListener("abort", () => {
        if (request.isGranted) return;
        this.#remove(name, request);
        reject(signal.reason);
      });
      const requests = this.#requests.get(name) ?? [];
      this.#requests.set(name, [...requests, request]);
      if (requests.length === 0) this.#grantSoon(name, request);
    });
  }

  #remove(name, request) {
    const requests = this.#requests.get(name), wasFirst = requests[0] === request;
    const left = requests.filter((one) => one !== request);
    this.#requests.set(name, left);
    if (wasFirst && left.length > 0) this.#grantSoon(name, left[0]);
  }

  #grantSoon(name, request) {
    this.#world.after(this.#random.duration(0.1, 50), () => {
      if (this.#requests.get(name)[0] === request && !request.isGranted) request.grant();
    }, request.page);
  }
}
