/**
 * A network of limited speed without faults: each connection, or the line that all share, sends at a constant rate.
 *
 * @module line
 */

/** Milliseconds between two steps of the bytes that are sent. */
const STEP = 10;
/** Milliseconds between two progress events of a browser. */
const INTERVAL = 50;
/** The number of connections that a browser opens to a host over HTTP/1.1. */
const CONNECTIONS = 6;

export class Line {
  isOnline = true;
  /** The bytes of request bodies that have left the browser. */
  bytes = 0;
  #world;
  #options;
  #preflighted = new Set();
  /** The number of open connections to the storage, and the requests that wait for one. */
  #open = 0;
  #idle = 0;
  #queue = [];
  #flows = new Set();
  #isRunning = false;

  /**
   * @param {object} options
   * @param {number} options.roundTrip milliseconds, also for the start of a connection and for a preflight.
   * @param {number} [options.connection] bytes per second of each connection.
   * @param {number} [options.shared] bytes per second of all together.
   * @param {number} [options.buffer] the bytes that a connection takes at once, before they are sent.
   */
  constructor(world, service, storage, { connection = Infinity, shared = Infinity, buffer = 0, roundTrip }) {
    this.#world = world;
    this.#options = { service, storage, connection, shared, buffer, roundTrip };
  }

  /** The page has ended. */
  reset() {
    for (const flow of this.#flows) this.#countBuffered(flow);
    this.#flows.clear();
    this.#queue = [];
    this.#open = this.#idle = 0;
  }

  send(page, request, callbacks) {
    const { service, storage, roundTrip } = this.#options;
    const isStorage = request.url.hostname === "storage.test";
    const size = request.body?.size ?? 0;
    const flow = { page, callbacks, size, sent: 0, reported: 0, isOver: false };
    const respond = () => this.#after(flow, roundTrip, () => {
      this.#end(flow);
      callbacks.onResponse((isStorage ? storage : service).handle(request, page), false);
    });
    // A preflight for each new address, as the CORS rules of buckets have it.
    const address = request.url.href.replace(/\?(?!grant).*/, "");
    const preflight = this.#preflighted.has(address) ? 0 : roundTrip;
    this.#preflighted.add(address);
    flow.respond = respond;
    flow.begin = (connecting) => this.#after(flow, connecting + preflight, () => {
      if (size === 0) return respond();
      flow.reportAt = this.#world.now;
      this.#flows.add(flow);
      this.#run();
    });
    if (isStorage) {
      this.#queue.push(flow);
      this.#next();
    } else {
      flow.begin(0);
    }
    return { abort: () => this.#abort(flow), fail: () => {} };
  }

  #next() {
    while (this.#queue.length > 0 && this.#open - this.#idle < CONNECTIONS) {
      const flow = this.#queue.shift();
      flow.isConnected = true;
      const isReused = this.#idle > 0;
      if (isReused) this.#idle -= 1;
      else this.#open += 1;
      flow.begin(isReused ? 0 : this.#options.roundTrip);
    }
  }

  #abort(flow) {
    if (flow.isOver) return;
    if (this.#flows.delete(flow)) this.#countBuffered(flow);
    this.#end(flow, true);
  }

  /** What the system has taken it sends, also after the browser has closed the connection. */
  #countBuffered({ sent, size }) {
    this.bytes += Math.min(size - sent, this.#options.buffer);
  }

  #end(flow, isClosed = false) {
    flow.isOver = true;
    if (!flow.isConnected) {
      this.#queue = this.#queue.filter((one) => one !== flow);
      return;
    }
    if (isClosed) this.#open -= 1;
    else this.#idle += 1;
    this.#next();
  }

  #run() {
    if (this.#isRunning || this.#flows.size === 0) return;
    this.#isRunning = true;
    this.#world.after(STEP, () => {
      this.#isRunning = false;
      this.#step();
      this.#run();
    });
  }

  #step() {
    const { connection, shared, buffer } = this.#options;
    const bytes = Math.min(connection, shared / this.#flows.size) * STEP / 1000;
    for (const flow of [...this.#flows]) {
      const sent = Math.min(bytes, flow.size - flow.sent);
      flow.sent += sent;
      this.bytes += sent;
      this.#report(flow, Math.min(flow.size, Math.floor(flow.sent) + buffer));
      if (flow.sent < flow.size) continue;
      this.#flows.delete(flow);
      flow.respond();
    }
  }

  /** Tells the page about the bytes that the system has taken. */
  #report(flow, taken) {
    const isAll = taken === flow.size;
    if (flow.reported === flow.size || (!isAll && this.#world.now - flow.reportAt < INTERVAL)) return;
    flow.reported = taken;
    flow.reportAt = this.#world.now;
    // Not while the flows are counted: a page can start or abort requests.
    this.#after(flow, 0, () => {
      flow.callbacks.onProgress(taken);
      if (isAll) flow.callbacks.onSent();
    });
  }

  #after(flow, delay, action) {
    this.#world.after(delay, () => { if (!flow.isOver) action(); }, flow.page);
  }
}
