/**
 * The network between pages, the service and the storage, with everything that can go wrong.
 *
 * @module network
 */
import { failure } from "./storage.mjs";

/**
 * How a request ends, unless it succeeds:
 * - unsent: the connection fails before the server has the request
 * - lost: the server performs the request, but the connection fails before the response
 * - stuckBefore, stuckAfter: as above, but the page gets no error
 * - gateway: a proxy responds instead of the server, which may have performed the request
 * - busy: the server refuses to perform it now
 * - internal: the server fails, and may have performed it
 * - refused: the storage refuses a part for ever
 * - cut: the response ends too early
 * - stale: the server performs the request long after it was sent
 */
export const FATES = [
  "unsent", "lost", "stuckBefore", "stuckAfter", "gateway", "busy", "internal", "refused", "cut", "stale",
];
/** The fates of requests to which something else than the server's success responds. */
const FAILURES = ["gateway", "busy", "internal", "refused"];

export class Network {
  isOnline = true;
  /** The probability of each fate. */
  weather = {};
  /** The slowest duration of a step in milliseconds. */
  slowest = 300;
  #world;
  #random;
  #service;
  #storage;
  #observer;
  #exchanges = new Set();

  constructor(world, random, { service, storage, observer }) {
    this.#world = world;
    this.#random = random;
    this.#service = service;
    this.#storage = storage;
    this.#observer = observer;
  }

  /**
   * Sends a request.
   *
   * @param {object} page
   * @param {{method: string, url: URL, headers: object, body?: object|string}} request
   * @param {object} callbacks `onProgress(loaded)`, `onSent()`, `onResponse(response, isCut)`, `onError()`.
   * @returns {Exchange}
   */
  send(page, request, callbacks) {
    const isStorage = request.url.hostname === "storage.test";
    const grant = isStorage ? this.#service.grantOf(request.url) : undefined;
    const fate = this.#fate(grant);
    const exchange = new Exchange(this.#world, this.#random.fork(), {
      page, request, callbacks, fate, slowest: this.slowest,
      perform: () => (isStorage ? this.#storage : this.#service).handle(request, page),
      grant, observer: isStorage ? this.#observer : undefined, received: (response) => this.#received(response),
      end: () => this.#exchanges.delete(exchange),
    });
    this.#exchanges.add(exchange);
    exchange.start(!this.isOnline);
    return exchange;
  }

  /** Returns the parts of a file that a page is sending. */
  partsOf(page, path) { return [...this.#exchanges].filter((exchange) => exchange.isPartOf(page, path)); }

  goOffline() {
    this.isOnline = false;
    for (const exchange of [...this.#exchanges]) exchange.fail(this.#random.duration(0.1, 1000));
  }

  /** Notes when a page receives URLs. */
  #received({ json }) {
    const urls = [json, ...(json?.results ?? [])].map((signed) => signed?.url).filter(Boolean);
    this.#observer.signed(urls.map((url) => this.#service.grantOf(new URL(url))));
  }

  #fate(grant) {
    // A download that is cut can go on from there.
    const isCut = kindOf(grant) === "get" && this.#random.chance(3 * (this.weather.cut ?? 0));
    if (isCut) return "cut";
    let left = this.#random.next();
    for (const fate of FATES) {
      left -= this.weather[fate] ?? 0;
      if (left < 0) return fate === "refused" && kindOf(grant) !== "part" ? "ok" : fate;
    }
    return "ok";
  }
}

/** One request and its response. */
class Exchange {
  #world;
  #random;
  #members;
  #name;
  #kind;
  #isOver = false;
  #startedAt;
  #loaded = 0;

  constructor(world, random, members) {
    this.#world = world;
    this.#random = random;
    this.#members = members;
    const { request, page, grant } = members;
    const { uploadId = "", partNumber = "" } = grant?.fields ?? {};
    this.#name = `${page.name} ${request.method} ${request.url.pathname} ${uploadId} ${partNumber}`.trimEnd();
    this.#kind = kindOf(grant);
    this.#startedAt = world.now;
  }

  get isOver() { return this.#isOver; }

  /** The seconds until all bytes are sent at the present rate. */
  get secondsLeft() {
    const { size } = this.#members.request.body, seconds = (this.#world.now - this.#startedAt) / 1000;
    return this.#loaded > 0 ? (size - this.#loaded) * seconds / this.#loaded : Infinity;
  }

  isPartOf(page, path) {
    return this.#kind === "part" && this.#members.page === page && this.#members.grant.fields.path === path;
  }

  start(isOffline) {
    const { fate, observer, page, grant, request } = this.#members;
    this.#world.note(`${this.#name} starts${fate === "ok" ? "" : `; fate: ${fate}`}`);
    observer?.started(page, grant, request);
    if (isOffline) return this.fail(this.#random.duration(0.1, 100));
    const size = request.body?.size ?? request.body?.length ?? 0;
    const stops = size > 0 ? Array.from({ length: this.#random.below(3) }, () => this.#random.integer(1, size)) : [];
    this.#upload(stops.sort((a, b) => a - b), request.body !== undefined && observer !== undefined);
  }

  /** The page does not want the response any more. The server may receive the request nevertheless. */
  abort() {
    if (this.#isOver) return;
    this.#note("is aborted");
    this.#finish();
  }

  fail(delay) {
    this.#soon(() => {
      this.#note("fails");
      this.#reach("failed");
      this.#finish();
      this.#members.callbacks.onError();
    }, delay);
  }

  #upload(stops, hasBody) {
    const { fate, callbacks } = this.#members;
    if (fate === "stuckBefore" && this.#random.chance(0.5)) return;
    if (stops.length > 0) {
      this.#soon(() => {
        this.#loaded = stops.shift();
        callbacks.onProgress(this.#loaded);
        this.#upload(stops, hasBody);
      });
      return;
    }
    if (fate === "unsent") return this.fail(this.#delay());
    if (fate === "stuckBefore") return;
    this.#soon(() => {
      // The request may arrive even if the page aborts it or ends now.
      const delay = fate === "stale" ? this.#random.duration(1000, 200_000) : this.#delay();
      this.#world.after(delay, () => this.#arrive());
      this.#members.observer?.sent(this.#members.request);
      this.#reach("sent");
      if (hasBody) callbacks.onSent();
    });
  }

  #arrive() {
    const { fate, perform, page } = this.#members;
    if ((this.#isOver || page.isClosed) && this.#random.chance(0.5)) return this.#note("does not reach the server");
    const mayPerform = !["busy", "refused"].includes(fate);
    const isRefused = FAILURES.includes(fate) && !(mayPerform && this.#random.chance(0.5));
    let response = isRefused ? undefined : perform();
    if (response) {
      this.#note(`is performed: ${response.status}`);
      this.#reach("performed");
    }
    if (FAILURES.includes(fate)) response = this.#failure(fate, response);
    if (fate === "lost") return this.fail(this.#delay());
    if (fate === "stuckAfter") return;
    this.#soon(() => this.#respond(response, fate === "cut"));
  }

  #respond(response, isCut) {
    const { observer, page, grant, callbacks } = this.#members;
    this.#note(`receives ${response.status}${isCut ? ", cut" : ""}`);
    this.#reach("received");
    this.#finish();
    if (!isCut) observer?.delivered(page, grant, response);
    if (!observer) this.#members.received(response);
    callbacks.onResponse(response, isCut);
  }

  #failure(fate, performed) {
    const { observer, request } = this.#members;
    const after = this.#random.chance(0.3) ? { "retry-after": `${this.#random.integer(0, 80)}` } : {};
    if (fate === "refused") return failure(403, "AccessDenied", "Access Denied");
    if (fate === "gateway") return { status: this.#random.pick([502, 504]), text: "<html>Bad Gateway</html>" };
    if (!observer) return { status: fate === "busy" ? this.#random.pick([429, 503]) : 500, headers: after, json: {} };
    const error = fate === "busy" ? failure(503, "SlowDown", "Reduce your request rate")
      : failure(500, "InternalError", "Try again");
    // S3 can respond with 200 before it combines the parts.
    const isCompletion = typeof request.body === "string";
    return { ...error, status: isCompletion && this.#random.chance(0.5) ? 200 : error.status, headers: after };
  }

  #delay() {
    return this.#random.duration(0.1, this.#members.slowest);
  }

  #soon(action, delay = this.#delay()) {
    this.#world.after(delay, () => { if (!this.#isOver) action(); }, this.#members.page);
  }

  #finish() {
    this.#isOver = true;
    this.#members.end();
    this.#members.observer?.ended(this.#members.request);
  }

  #reach(step) {
    const { page, grant } = this.#members;
    this.#world.reach(`${this.#kind} ${step}`, { page, path: grant?.fields.path });
  }

  #note(text) {
    this.#world.note(`${this.#name} ${text}`);
  }
}

/** What a request to the storage is for. Requests to the service have no grant. */
function kindOf(grant) {
  if (!grant) return "sign";
  const { method, uploadId, partNumber } = grant.fields;
  if (partNumber) return "part";
  if (uploadId) return { POST: "complete", DELETE: "abort" }[method] ?? "list";
  return { POST: "create", PUT: "put" }[method] ?? "get";
}
